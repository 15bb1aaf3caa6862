/** The connection of a backup or a restore: one session, without time limits, in which values have one spelling. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { secured } from "../connections/Tls.ts"
import type { Options } from "../PgDatabase.ts"

export interface BackupSession {
  readonly connection: PgConnection.PgConnection
  /** Rows of a statement by the names of its columns, decoded by the schema. */
  readonly rows: <A>(
    row: Schema.Codec<A, unknown>,
    statement: string
  ) => Effect.Effect<ReadonlyArray<A>, SqlError>
  readonly run: (statement: string, parameters?: ReadonlyArray<unknown>) => Effect.Effect<number, SqlError>
}

/** Bytes of the longest message: a row with everything that a caller may send, escaped twice. */
const messageBytesMax = 256 * 1024 * 1024

/** What a role or a server may have set otherwise. Set by a statement, since poolers refuse start parameters. */
const prepared = `
  SELECT set_config(name, CASE lower(name) WHEN 'datestyle' THEN 'ISO' WHEN 'timezone' THEN 'UTC'
    WHEN 'extra_float_digits' THEN '1' WHEN 'client_encoding' THEN 'UTF8' WHEN 'bytea_output' THEN 'hex'
    WHEN 'intervalstyle' THEN 'postgres' WHEN 'standard_conforming_strings' THEN 'on'
    WHEN 'default_transaction_isolation' THEN 'read committed' ELSE '0' END, false)
  FROM pg_settings
  WHERE lower(name) IN ('datestyle', 'timezone', 'extra_float_digits', 'client_encoding', 'bytea_output',
    'intervalstyle', 'standard_conforming_strings', 'default_transaction_isolation', 'statement_timeout',
    'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/** A session that ends with the scope, and rolls back what is not committed. */
export const open = Effect.fnUntraced(function* ({
  url,
  ...options
}: Pick<Options, "applicationName" | "url">) {
  const connection = yield* PgConnection.make({
    ...(yield* secured({ ...options, url })),
    prepare: false,
    maxMessageSize: messageBytesMax
  })
  yield* connection.query(prepared)
  const session: BackupSession = {
    connection,
    rows: (row, statement) =>
      Effect.flatMap(connection.query(statement), (result) =>
        Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(row))(result.rows))
      ),
    run: (statement, parameters = []) =>
      Effect.map(connection.query(statement, parameters), ({ rowCount }) => rowCount)
  }
  return session
})
