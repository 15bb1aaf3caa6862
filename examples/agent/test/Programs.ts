/** The agent as it really runs: a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

export interface Program extends AsyncDisposable {
  signal(name: NodeJS.Signals): void
  /** The code it ended with; null when a signal ended it. */
  readonly ended: Promise<number | null>
}

const start = (path: string, environment: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, [new URL(path, import.meta.url).pathname], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...environment
    },
    stdio: ["ignore", "pipe", "pipe"]
  })

const programOf = (child: ChildProcess): Program => {
  const ended = once(child, "exit").then(() => child.exitCode)
  return {
    signal: (name) => child.kill(name),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await ended
    }
  }
}

/** Starts the agent, as its README says. */
export const startAgent = (settings: {
  readonly url: string
  readonly runnerKey: string
  readonly name: string
}): Program => {
  const child = start("../src/main.ts", {
    RUNHOOK_URL: settings.url,
    RUNHOOK_RUNNER_KEY: settings.runnerKey,
    RUNNER_NAME: settings.name
  })
  child.stdout?.resume()
  child.stderr?.resume()
  return programOf(child)
}
