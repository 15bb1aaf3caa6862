/** A database of its own for each layer, on the server that `RUNHOOK_DATABASE_URL` names or on one that this test file starts. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Embedded from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import { layerWebCrypto, SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { afterAll } from "vitest"
import * as CheckedRows from "./rows/CheckedRows.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
)

/** The server of this file. It starts when it is first asked for, and all layers share it. */
const embedded = ManagedRuntime.make(
  Layer.unwrap(Effect.map(folder, (path) => Embedded.layer({ directory: join(path, "database") }))).pipe(
    Layer.provide(Logger.layer([]))
  )
)

afterAll(() => embedded.dispose())

const serverUrl = Effect.gen(function* () {
  const given = yield* Config.option(Config.Redacted("RUNHOOK_DATABASE_URL"))
  return Option.isSome(given)
    ? given.value
    : yield* Effect.promise(() =>
        embedded.runPromise(Embedded.EmbeddedPostgres.use(({ url }) => Effect.succeed(url)))
      )
})

/** Where an empty database is, that is dropped with the scope. */
export class TestDatabase extends Context.Service<TestDatabase, { readonly url: Redacted.Redacted }>()(
  "@runhook/store-pg/test/TestDatabase"
) {
  static readonly layer = Layer.effect(
    TestDatabase,
    Effect.gen(function* () {
      const server = yield* serverUrl
      const { uuidV7 } = yield* SecureRandom
      const name = `runhook_test_${(yield* uuidV7()).replaceAll("-", "")}`
      const run = (statement: string) =>
        PgClient.PgClient.use((sql) => sql.unsafe(statement)).pipe(
          Effect.provide(PgClient.layer({ url: server, maxConnections: 1 }), { local: true })
        )
      yield* Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () =>
        // Without FORCE: the server ends a vacuum of its own and waits 5 s for sessions that are closing, so a
        // store that left one open fails here. Nothing may be tried again: this runs on the clock of the test,
        // where a pause never ends.
        run(`DROP DATABASE ${name}`).pipe(Effect.orDie)
      )
      const url = new URL(Redacted.value(server))
      url.pathname = `/${name}`
      return TestDatabase.of({ url: Redacted.make(url.toString()) })
    })
  ).pipe(Layer.provide(layerWebCrypto))
}

const clientOf = <A, E>(make: (options: PgDatabase.Options) => Layer.Layer<A, E>) =>
  Layer.unwrap(TestDatabase.use(({ url }) => Effect.succeed(make({ url, maxConnections: 20 }))))

/** A client of an empty database. */
export const layerEmpty = clientOf(PgDatabase.layerWithoutMigrations).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

/** A client of a database with the whole schema, all of whose rows are decoded. */
export const layerMigrated = clientOf(PgDatabase.layer).pipe(
  Layer.provideMerge(Layer.merge(TestDatabase.layer, CheckedRows.layer))
)
