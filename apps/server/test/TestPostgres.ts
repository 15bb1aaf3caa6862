/** A PostgreSQL that several servers of a test share. */
import { join } from "node:path"
import { EmbeddedPostgres, layer } from "@runhook/embedded-postgres/EmbeddedPostgres"
import { layerWithoutMigrations } from "@runhook/store-pg/PgDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import { temporaryDirectory } from "./RunhookProcess.ts"

/** Where a server of this test is, which ends with the scope. */
export const testPostgres = Effect.gen(function* () {
  const directory = join(yield* temporaryDirectory, "database")
  const server = layer({ directory }).pipe(Layer.provide(Logger.layer([])))
  const { url } = Context.get(yield* Layer.build(server), EmbeddedPostgres)
  return { directory, url: Redacted.value(url) }
})

/** Works on the database, on a connection of its own. */
export const onDatabase = <A, E>(url: string, work: Effect.Effect<A, E, SqlClient>) =>
  work.pipe(
    Effect.provide(layerWithoutMigrations({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
    Effect.orDie
  )
