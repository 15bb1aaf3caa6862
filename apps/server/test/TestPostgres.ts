/** Where servers of a test keep what they have, when it is no database of their own. */
import { join } from "node:path"
import { EmbeddedPostgres, layer } from "@runhook/embedded-postgres/EmbeddedPostgres"
import { layerWithoutMigrations, upToDate } from "@runhook/store-pg/PgDatabase"
import { citus, copyCluster, createDatabase, templateBy } from "@runhook/test-support/postgres/TestServer"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import { temporaryDirectory } from "./RunhookProcess.ts"

/** A database for this test, dropped with the scope, even if its users were killed. */
const database = (template: () => Promise<string | undefined>) =>
  Effect.acquireRelease(
    Effect.promise(async () => createDatabase({ template: await template(), sessions: "cut off" })),
    (made) => Effect.promise(() => made[Symbol.asyncDispose]())
  )

const migrated = templateBy((url) => Effect.runPromise(upToDate({ url: Redacted.make(url) })))

/** With the schema and without a row, for what is not about the first start. */
export const testPostgres = database(async () => citus?.whole ?? (await migrated()))

/** With nothing in it. */
export const emptyPostgres = database(async () => undefined)

/** A server of this test alone, which it may do anything to. It ends with the scope. */
export const ownPostgres = Effect.gen(function* () {
  const directory = join(yield* temporaryDirectory, "database")
  yield* Effect.promise(() => copyCluster(directory))
  const server = layer({ directory }).pipe(Layer.provide(Logger.layer([])))
  const { url } = Context.get(yield* Layer.build(server), EmbeddedPostgres)
  return { directory, url: Redacted.value(url) }
})

/** How long a statement of a test may take: a machine that others use too may stand still for longer than callers wait. */
export const timeout = Duration.minutes(2)

/** Works on the database, on a connection of its own. */
export const onDatabase = <A, E>(url: string, work: Effect.Effect<A, E, SqlClient>) =>
  work.pipe(
    Effect.provide(layerWithoutMigrations({ url: Redacted.make(url), maxConnections: 1, timeout }), {
      local: true
    }),
    Effect.orDie
  )
