/** Talks to the private PostgreSQL the way the store does. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { EmbeddedPostgres, layer } from "../src/EmbeddedPostgres.ts"

/** The rows of one statement on a connection of its own. */
export const query = (url: Redacted.Redacted, statement: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)),
    PgClient.layer({ url }),
    { local: true }
  )

/** Runs the server on the folder for as long as `use` takes; its log goes to `loggers`, or nowhere. */
export const serving = <A, E, R>(
  directory: string,
  use: (url: Redacted.Redacted) => Effect.Effect<A, E, R>,
  loggers: ReadonlyArray<Logger.Logger<unknown, void>> = []
) =>
  Effect.provide(
    Effect.flatMap(EmbeddedPostgres, ({ url }) => use(url)),
    Layer.provide(layer({ directory }), Logger.layer(loggers)),
    { local: true }
  )
