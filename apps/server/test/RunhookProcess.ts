/** The server and its commands as processes of their own, as an operator runs them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventually } from "./Http.ts"

/** What `start.mjs` starts, once it has read all sources to see that it is made of them; the run of the tests has made it. */
const program = fileURLToPath(new URL("../dist/runhook.mjs", import.meta.url))

export type Environment = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly baseUrl: string
  /** What was printed until the server was ready. */
  readonly banner: string
  /** What it logged until now. */
  readonly log: () => string
  /** Sends a signal. */
  readonly signal: (name: NodeJS.Signals) => void
  /** Closes the end of the pipe into which it logs. */
  readonly stopReadingLog: () => void
  readonly ended: Effect.Effect<Ended>
}

/** A directory of this test alone, with a name that careless quoting breaks. The database of a killed server may still be ending in it. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook it's a test "))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
)

const start = (args: ReadonlyArray<string>, environment: Environment, input: string, file = program) => {
  // New objects of a start outlive it or are dead soon: with room for them all, it costs an eighth less.
  const child = spawn(process.execPath, ["--min-semi-space-size=64", file, ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      RUNHOOK_PORT: "0",
      ...environment
    }
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  child.stdin.end(input)
  const closed = once(child, "close")
  const ended = Effect.promise(async (): Promise<Ended> => {
    await closed
    return { code: child.exitCode, ...output }
  })
  return { child, output, ended }
}

/** Runs a command to its end. */
export const runhook = (args: ReadonlyArray<string>, environment: Environment, input = "") =>
  Effect.suspend(() => start(args, environment, input).ended)

/** Begins to start a server on a free port. It ends with the scope. */
export const startingServer = Effect.fnUntraced(function* (
  environment: Environment,
  args: ReadonlyArray<string> = [],
  file?: string
) {
  const { child, ended, output } = yield* Effect.acquireRelease(
    Effect.sync(() => start(args, environment, "", file)),
    (started) =>
      Effect.andThen(
        Effect.sync(() => started.child.kill("SIGKILL")),
        started.ended
      )
  )
  return {
    output,
    log: () => output.stderr,
    signal: (name: NodeJS.Signals) => child.kill(name),
    stopReading: () => void child.stdout.destroy(),
    stopReadingLog: () => void child.stderr.destroy(),
    hasEnded: () => (child.exitCode ?? child.signalCode) !== null,
    ended
  }
})

/** Starts a server on a free port, of another file if one is named, and waits until it is ready. It ends with the scope. */
export const runningServer = Effect.fnUntraced(function* (
  environment: Environment,
  args: ReadonlyArray<string> = [],
  file?: string
) {
  const { ended, hasEnded, log, output, signal, stopReadingLog } = yield* startingServer(
    environment,
    args,
    file
  )
  const heard = yield* eventually(
    Effect.sync(() => output.stdout + output.stderr),
    (text) => urlIn(text) !== undefined || hasEnded()
  )
  const baseUrl = urlIn(heard)
  if (baseUrl === undefined) return yield* Effect.die(new Error(`The server did not start: ${heard}`))
  const running: Running = { baseUrl, banner: output.stdout, log, signal, stopReadingLog, ended }
  return running
})

const urlIn = (said: string): string | undefined =>
  /(?:Start here +|"url":")(http:\/\/[^\s"]+?)\/?["\s]/.exec(said)?.[1]

/** Starts a server in development mode, in a directory of its own and with a store in memory, which is there sooner. */
export const developmentServer = Effect.fnUntraced(function* (environment: Environment = {}) {
  const dataDir = yield* temporaryDirectory
  const settings = {
    RUNHOOK_MODE: "development",
    RUNHOOK_DATA_DIR: dataDir,
    RUNHOOK_STORE: "memory",
    ...environment
  }
  return { ...(yield* runningServer(settings)), dataDir, settings }
})

/** One for all tests of a file that are not in each other's way. */
export class SharedServer extends Context.Service<
  SharedServer,
  Effect.Success<ReturnType<typeof developmentServer>>
>()("@runhook/server/test/SharedServer") {
  static readonly layer = Layer.effect(SharedServer, developmentServer())
}

/** Runs a command on the shared server to its end. */
export const run = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(SharedServer, ({ baseUrl, settings }) =>
    runhook(args, { ...settings, RUNHOOK_BASE_URL: baseUrl })
  )
