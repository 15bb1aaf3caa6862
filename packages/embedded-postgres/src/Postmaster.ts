/** A running PostgreSQL server: its main process, which is our child. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { atExit } from "./AtExit.ts"
import type { Binaries } from "./Binaries.ts"
import { pidFileIn } from "./DataFolder.ts"
import { PostgresFailed } from "./EmbeddedFailure.ts"
import * as PostgresSettings from "./PostgresSettings.ts"
import { complaintsMax, environment, reasonIn } from "./RunProgram.ts"
import * as ServerLog from "./ServerLog.ts"
import { shutDown, shutDownNow } from "./Shutdown.ts"
import { reasonOf } from "./SystemFault.ts"
import { type SystemUser, pathFor, withRealPath } from "./SystemUser.ts"

export interface Postmaster {
  /** Completes when the server is gone, and says how it ended. */
  readonly ended: Effect.Effect<string>
}

export interface Options {
  readonly binaries: Binaries
  readonly user: SystemUser | undefined
  /** Folder of the cluster. */
  readonly folder: string
  readonly socketFolder: string
  /** Gets every line that the server writes. */
  readonly hear: (line: string) => Effect.Effect<void>
}

/** After a crash it first replays its log, which takes minutes at most. */
const startPatience = Duration.minutes(5)

/** Answers when the server takes connections. It ends with the scope, which waits for it. */
export const start = Effect.fnUntraced(function* (options: Options) {
  const failed = (reason: string) => new PostgresFailed({ directory: options.folder, reason })
  const ready = yield* Deferred.make<void>()
  const lines = yield* Queue.unbounded<string>()
  // Before the server, so that it ends after it and reads its last words.
  yield* Queue.take(lines).pipe(
    Effect.tap(options.hear),
    Effect.flatMap((line) => (ServerLog.isReady(line) ? Deferred.succeed(ready, undefined) : Effect.void)),
    Effect.forever,
    Effect.forkScoped
  )
  const { child, ended } = yield* Effect.acquireRelease(launch(options, lines), (launched) =>
    shutDown({ send: (signal) => launched.child.kill(signal), gone: Deferred.await(launched.ended) })
  )
  yield* atExit(() =>
    shutDownNow({
      send: (signal) => child.kill(signal),
      // The server removes the file last. While this process is ending, it does not see the child's end.
      isGone: () => hasEnded(child) || !existsSync(pidFileIn(options.folder))
    })
  )
  yield* Deferred.await(ready).pipe(
    Effect.raceFirst(
      Effect.flatMap(Deferred.await(ended), ({ how, complaints }) =>
        Effect.fail(failed(complaints.length > 0 ? withRealPath(reasonIn(complaints), options.folder) : how))
      )
    ),
    Effect.timeoutOrElse({
      duration: startPatience,
      orElse: () => Effect.fail(failed(`it was not ready within ${Duration.format(startPatience)}`))
    })
  )
  return { ended: Effect.map(Deferred.await(ended), ({ how }) => how) }
})

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

interface End {
  /** Completes "PostgreSQL …". */
  readonly how: string
  /** The first complaints, in the server's own words. */
  readonly complaints: ReadonlyArray<string>
}

interface Launched {
  readonly child: ChildProcess
  readonly ended: Deferred.Deferred<End>
}

const launch = ({ binaries, user, folder, socketFolder }: Options, lines: Queue.Enqueue<string>) =>
  Effect.callback<Launched, PostgresFailed>((resume) => {
    const [program = binaries.postgres, ...words] = [...binaries.bound, binaries.postgres]
    const settings = PostgresSettings.asArguments(PostgresSettings.fixed(socketFolder))
    const child = spawn(program, [...words, "-D", pathFor(user, folder), ...settings], {
      ...user,
      cwd: folder,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
      // In its own process group: a Ctrl-C of the terminal is for the service, which drains first.
      detached: true
    })
    const ended = Deferred.makeUnsafe<End>()
    const complaints: Array<string> = []
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (!ServerLog.isNews(line) && complaints.length < complaintsMax) complaints.push(line.trim())
      Queue.offerUnsafe(lines, line)
    })
    child.once("spawn", () => resume(Effect.succeed({ child, ended })))
    child.once("error", (cause) =>
      resume(Effect.fail(new PostgresFailed({ directory: folder, reason: reasonOf(cause) })))
    )
    // "close" comes after "exit", when the last of its processes has let go of our end of the pipe.
    child.once("close", (code, signal) => {
      const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
      Deferred.doneUnsafe(ended, Effect.succeed({ how, complaints }))
    })
  })
