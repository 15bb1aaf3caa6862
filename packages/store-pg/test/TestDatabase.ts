/** A database of its own for each layer, on the PostgreSQL of the run. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as TestServer from "@runhook/test-support/postgres/TestServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
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
    database(Effect.promise(async () => ({ template: await (template ??= migrated()) })))
  )
}

/** The database that the others of this process are copies of, which is sooner than all migrations anew. It ends with the server. */
let template: Promise<string | undefined> | undefined

const migrated = async (): Promise<string | undefined> => {
  if (TestServer.citus !== undefined) return TestServer.citus.whole
  // On a server that outlives the run nothing is left behind.
  if (TestServer.givenUrl !== undefined) return undefined
  const { name, url } = await TestServer.createDatabase()
  await Effect.runPromise(PgDatabase.upToDate({ url: Redacted.make(url) }))
  return name
}

const clientOf = <A, E>(make: (options: PgDatabase.Options) => Layer.Layer<A, E>) =>
  Layer.unwrap(TestDatabase.use(({ url }) => Effect.succeed(make({ url, maxConnections: 20 }))))

/** A client of an empty database. */
export const layerEmpty = clientOf(PgDatabase.layerWithoutMigrations).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

/** A client of a database with the whole schema, all of whose rows are decoded. */
export const layerMigrated = clientOf(PgDatabase.layer).pipe(
  Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, CheckedRows.layer))
)
