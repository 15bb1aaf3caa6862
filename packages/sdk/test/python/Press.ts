/** A process of Python that is a runner. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { python, pythonEnvironment } from "./Python.ts"

export interface Press extends AsyncDisposable {
  /** What it printed: its problems, what its handlers say, and its log as `line`. */
  readonly said: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly exited: Promise<unknown>
  kill(signal: NodeJS.Signals): void
}

export const startPress = (
  { runnerKey, runnerUrl }: { readonly runnerKey: string; readonly runnerUrl: string },
  options: object = {}
): Press => {
  const program = fileURLToPath(new URL("../../../sdk-python/test/press.py", import.meta.url))
  const child = spawn(python ?? "", [program], {
    env: {
      ...pythonEnvironment,
      RUNHOOK_BASE_URL: runnerUrl,
      RUNHOOK_RUNNER_KEY: runnerKey,
      PRESS: JSON.stringify({ capacity: 5, ...options })
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const exited = once(child, "exit")
  const said: Array<Readonly<Record<string, unknown>>> = []
  createInterface(child.stdout).on("line", (line) => said.push(JSON.parse(line)))
  return {
    said,
    exited,
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await exited
    }
  }
}

/** The kinds of the problems that it printed. */
export const kinds = ({ said }: Press) => said.flatMap(({ kind }) => kind ?? [])
