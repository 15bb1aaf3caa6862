/** A Python that the SDK for it runs on, if this machine has one, and a process of it that makes calls. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { python } from "@runhook/test-support/Python"

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

export interface PythonAnswer {
  readonly value?: unknown
  readonly error?: Readonly<Record<string, unknown>> & { readonly class: string; readonly attempts?: number }
  /** In seconds. */
  readonly pauses: ReadonlyArray<number>
}

export interface PythonProcess extends AsyncDisposable {
  call(call: PythonCall): Promise<PythonAnswer>
}

/** A process that makes one call after the other. */
export const startPython = (command: string): PythonProcess => {
  const child = spawn(command, [fileOf("test/harness.py")], {
    env: pythonEnvironment,
    stdio: ["pipe", "pipe", "inherit"]
  })
  const exited = once(child, "exit")
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async (before: Promise<unknown>, call: PythonCall): Promise<PythonAnswer> => {
    await before
    child.stdin.write(`${JSON.stringify(call)}\n`)
    const { value } = await lines.next()
    if (value === undefined) throw new Error("The process of Python ended")
    return JSON.parse(value)
  }
  return {
    call: (call) => {
      const answered = inTurn(last, call)
      last = answered.catch(() => {})
      return answered
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    }
  }
}
