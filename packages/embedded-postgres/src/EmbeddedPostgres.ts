/**
 * A private PostgreSQL that the service starts itself on a folder, and that ends
 * with it. It is real PostgreSQL, with all its promises: a committed transaction
 * survives a power cut.
 */
import { resolve } from "node:path"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Binaries from "./Binaries.ts"
import * as Cluster from "./Cluster.ts"
import { clusterFolder, prepare, removeUnfinished } from "./DataFolder.ts"
import { type EmbeddedFailure, PostgresFailed } from "./EmbeddedFailure.ts"
import * as FolderLock from "./FolderLock.ts"
import * as Postmaster from "./Postmaster.ts"
import * as Predecessor from "./Predecessor.ts"
import * as PrivateFolder from "./PrivateFolder.ts"
import * as ServerLog from "./ServerLog.ts"
import * as SystemUser from "./SystemUser.ts"

export interface Options {
  /** Where the database is stored; made if missing. Nothing else should write to it. */
  readonly directory: string
}

export class EmbeddedPostgres extends Context.Service<
  EmbeddedPostgres,
  {
    /**
     * Where to connect, for PgClient and libpq. It stays the same if the server has to
     * be restarted; old connections are then lost, and new ones refused until it is
     * back. The role may create databases.
     */
    readonly url: Redacted.Redacted
  }
>()("@runhook/embedded-postgres/EmbeddedPostgres") {}

/**
 * Answers when the server takes connections; the first start needs about a second.
 * A server that ends by itself is restarted, without end, while the service reports
 * that its store is away. Closing ends the server and waits for it, at most ten
 * seconds.
 */
export const layer = (options: Options): Layer.Layer<EmbeddedPostgres, EmbeddedFailure> =>
  Layer.effect(
    EmbeddedPostgres,
    Effect.gen(function* () {
      const { folder, start, url } = yield* open(options)
      yield* keepRunning(folder, start)
      return { url }
    })
  )

/**
 * Prepares the folder, and holds it until the scope closes; starts nothing. One
 * server at a time may be started.
 */
export const open = Effect.fnUntraced(function* (options: Options) {
  const directory = resolve(options.directory)
  const folder = clusterFolder(directory)
  yield* prepare(directory)
  yield* FolderLock.hold(directory)
  yield* removeUnfinished(directory)
  const user = yield* SystemUser.choose(folder)
  const socketFolder = yield* PrivateFolder.make({ directory, user })
  const binaries = yield* Binaries.find({ user, privateFolder: socketFolder })
  const { password } = yield* Cluster.open({ directory, binaries, user })
  yield* Predecessor.settle(folder)
  return {
    folder,
    start: Postmaster.start({ binaries, user, folder, socketFolder, hear: ServerLog.passingNews() }),
    url: Cluster.urlOf(socketFolder, Redacted.value(password))
  }
})

/**
 * Far enough apart that a server that cannot run is no burden, close enough that
 * one that can is back soon.
 */
const backOff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

/** The first start decides, once no earlier server is ending; after it, the server is restarted whenever it ends. */
const keepRunning = Effect.fnUntraced(function* (
  folder: string,
  start: Effect.Effect<Postmaster.Postmaster, PostgresFailed, Scope.Scope>
) {
  const first = yield* Deferred.make<void, PostgresFailed>()
  /** The last message of a server that does not start again: with a full disk it is tried for hours. */
  let said = ""
  const life = Effect.scoped(
    Effect.gen(function* () {
      const { ended } = yield* start
      said = ""
      yield* Deferred.succeed(first, undefined)
      return yield* new PostgresFailed({ directory: folder, reason: yield* ended })
    })
  )
  yield* Predecessor.outlived(life).pipe(
    Effect.tapError(
      Effect.fnUntraced(function* (failure) {
        const isFirst = yield* Deferred.fail(first, failure)
        if (isFirst || failure.message === said) return
        said = failure.message
        yield* Effect.logError(`${failure.message}. Starting it again, until it runs`)
      })
    ),
    Effect.retry(backOff),
    Effect.forkScoped
  )
  yield* Deferred.await(first)
})
