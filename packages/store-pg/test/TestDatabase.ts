/** A database of its own for each layer, on the PostgreSQL of the run. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as TestServer from "@runhook/test-support/postgres/TestServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll } from "vitest"
import { timeout } from "./ProcessLayer.ts"
import * as CheckedRows from "./rows/CheckedRows.ts"

/** Nothing may be tried again, and nobody may pause: this runs on the clock of the test, where a pause never ends. */
const database = (options: Effect.Effect<TestServer.Options>) =>
  Effect.acquireRelease(
    Effect.flatMap(options, (chosen) => Effect.promise(() => TestServer.createDatabase(chosen))),
    (made) => Effect.promise(() => made[Symbol.asyncDispose]())
  ).pipe(Effect.map(({ url }) => TestDatabase.of({ url: Redacted.make(url) })))

/** Where an empty database is, that is dropped with the scope. */
export class TestDatabase extends Context.Service<TestDatabase, { readonly url: Redacted.Redacted }>()(
  "@runhook/store-pg/test/TestDatabase"
) {
  static readonly layer = Layer.effect(
    TestDatabase,
    database(Effect.succeed({ template: TestServer.citus?.bare }))
  )

  /** One that has the whole schema. */
  static readonly layerMigrated = Layer.effect(
    TestDatabase,
    database(Effect.promise(async () => ({ template: TestServer.citus?.whole ?? (await migrated()) })))
  )
}

const migrated = TestServer.templateBy((url) =>
  Effect.runPromise(PgDatabase.upToDate({ url: Redacted.make(url) }))
)

const clientOf = <A, E>(make: (options: PgDatabase.Options) => Layer.Layer<A, E>) =>
  Layer.unwrap(TestDatabase.use(({ url }) => Effect.succeed(make({ url, maxConnections: 20, timeout }))))

/** A client of an empty database. */
export const layerEmpty = clientOf(PgDatabase.layerWithoutMigrations).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

/** A client of a database with the whole schema, all of whose rows are decoded. */
export const layerMigrated = clientOf(PgDatabase.layer).pipe(
  Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, CheckedRows.layer))
)

/**
 * As `layerMigrated`, for the many layers of a file that know the database by ports alone and so leave nothing but
 * rows: they share one client, and each finds a database without rows. Databases of their own cost more than their tests.
 */
export const layerShared = (): typeof layerMigrated => {
  // A statement that deletes from many tables is none of Citus.
  if (TestServer.citus !== undefined) return layerMigrated
  const scope = Scope.makeUnsafe()
  const memoMap = Layer.makeMemoMapUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Layer.effectContext(
    Effect.tap(Layer.buildWithMemoMap(layerMigrated, memoMap, scope), (client) =>
      Effect.provideContext(deleteRows, client)
    )
  )
}

/** From all tables in one statement, after which all references must be whole. */
const deleteRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'runhook_migrations'`
  const deleted = tables.map(({ name }, index) => `d${index} AS (DELETE FROM ${name})`)
  yield* sql.unsafe(`WITH ${deleted.join(", ")} SELECT`)
})
