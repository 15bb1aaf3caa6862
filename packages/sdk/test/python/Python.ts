/** A Python that the SDK for it runs on, if this machine has one, and a process of it that makes calls. */
import { fileURLToPath } from "node:url"
import { python } from "@runhook/test-support/Python"
import { type CallProcess, startProcess } from "../CallProcess.ts"

const fileOf = (name: string) => fileURLToPath(new URL(`../../../sdk-python/${name}`, import.meta.url))

/** The folder of the SDK for Python. */
export const pythonHome = fileOf("")

/** The environment in which a program finds the SDK as it is in the sources. */
export const pythonEnvironment = {
  ...process.env,
  PYTHONPATH: fileOf("src"),
  // Compiled files would lie among the sources.
  PYTHONDONTWRITEBYTECODE: "1"
}

export { python }

if (python === undefined)
  process.stdout.write("No Python 3.10 or later was found: the SDK for Python is left out here\n")

export type PythonMode = "sync" | "async"

export interface PythonCall {
  readonly mode: PythonMode
  /** Of the client. */
  readonly options: object
  /** What is called, as an expression of Python behind `runhook.`. */
  readonly call: string
  /** What the expression names: text, numbers, and objects with attributes. */
  readonly names?: object
  /** Whether pauses are over at once. */
  readonly clock?: boolean
}

export type PythonProcess = CallProcess<PythonCall>

/** A process that makes one call after the other. */
export const startPython = (command: string): PythonProcess =>
  startProcess(command, [fileOf("test/harness.py")], pythonEnvironment)
