/** The server and its commands as processes of their own, as an operator runs them. */
import {
  type Ended,
  type Environment,
  makeDirectory,
  removeDirectory,
  startProcess,
  urlOf
} from "@runhook/test-support/world/ServiceProcess"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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

/** A directory of this test alone. */
export const temporaryDirectory = Effect.acquireRelease(Effect.promise(makeDirectory), (directory) =>
  Effect.promise(() => removeDirectory(directory))
)

/** Runs a command to its end. */
export const runhook = (args: ReadonlyArray<string>, environment: Environment, input = "") =>
  Effect.promise(() => startProcess({ args, environment, input }).ended)

/** Begins to start a server on a free port. It ends with the scope. */
export const startingServer = Effect.fnUntraced(function* (
  environment: Environment,
  args: ReadonlyArray<string> = [],
  file?: string
) {
  const started = yield* Effect.acquireRelease(
    Effect.sync(() => startProcess({ args, environment, ...(file !== undefined && { file }) })),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )
  const { child, ended, output } = started
  return {
    output,
    log: () => output.stderr,
    signal: (name: NodeJS.Signals) => child.kill(name),
    stopReading: () => void child.stdout?.destroy(),
    stopReadingLog: () => void child.stderr?.destroy(),
    hasEnded: () => (child.exitCode ?? child.signalCode) !== null,
    ended: Effect.promise(() => ended),
    url: Effect.promise(() => urlOf(started))
  }
})

/** Starts a server on a free port, of another file if one is named, and waits until it is ready. It ends with the scope. */
export const runningServer = Effect.fnUntraced(function* (...options: Parameters<typeof startingServer>) {
  const { output, url, ...server } = yield* startingServer(...options)
  const running: Running = { ...server, baseUrl: yield* url, banner: output.stdout }
  return running
})

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
