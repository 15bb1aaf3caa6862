/** The service and the agent as they really run: processes of their own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

export const adminKey = "the-admin-key-of-the-tests-of-the-agent"

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

/** Waits for a line of the program that shows what is looked for. */
const lineWith = async (child: ChildProcess, wanted: RegExp): Promise<string> => {
  for (const stream of [child.stderr, child.stdout]) {
    if (stream === null) continue
    for await (const line of createInterface(stream)) {
      const found = wanted.exec(line)?.[1]
      if (found === undefined) continue
      // Nothing reads on, and a full pipe would stop the program.
      stream.resume()
      return found
    }
  }
  throw new Error(`The program ended without saying ${wanted}`)
}

/** Starts the service on a free port, with nothing in it. */
export const startService = async (): Promise<Program & { readonly url: string }> => {
  const directory = await mkdtemp(join(tmpdir(), "runhook-agent-"))
  const child = start("../../../apps/server/start.mjs", {
    RUNHOOK_MODE: "development",
    RUNHOOK_STORE: "memory",
    RUNHOOK_DEMO: "off",
    RUNHOOK_PORT: "0",
    RUNHOOK_DATA_DIR: directory,
    RUNHOOK_ADMIN_KEY: adminKey
  })
  const program = programOf(child)
  return {
    ...program,
    url: await lineWith(child, /"url":"([^"]+)"/),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
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
