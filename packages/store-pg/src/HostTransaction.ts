/**
 * Lets a host that speaks to its database through another driver, such as
 * `pg`, create and move executions in its own transaction: it commits both or neither.
 *
 * ```ts
 * await client.query("BEGIN")
 * await client.query("INSERT INTO orders …")
 * await runtime.runPromise(executions.create(call).pipe(inHostTransaction(client)))
 * await client.query("COMMIT")
 * ```
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { Connection, Row } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"

/**
 * A connection of the host, in a transaction that the host has begun and will end. Values are numbers, booleans,
 * text, null and arrays of them. Rows hold what `pg` makes of PostgreSQL's types by default: `Date`s for instants.
 */
export interface HostConnection {
  query(text: string, values: Array<unknown>): Promise<{ readonly rows: ReadonlyArray<Row> }>
}

/**
 * Runs all database work of an effect, above all `Executions.create`, in the host's transaction, which must be one of
 * the stores' database. An error leaves the transaction usable.
 */
export const inHostTransaction =
  (host: HostConnection) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | PgClient.PgClient> =>
    PgClient.PgClient.use(({ config, transactionService }) => {
      const connection = connectionOf(host)
      const path = config.startupParameters?.["search_path"]
      const located =
        path === undefined
          ? work
          : Effect.acquireUseRelease(
              Effect.orDie(searching(connection, path)),
              () => work,
              // A broken transaction needs no search path.
              (before) => Effect.ignore(searching(connection, before))
            )
      return Effect.provideService(located, transactionService, [connection, 0])
    })

/** Sets the search path for the rest of the transaction, and answers the previous one. */
const searching = (connection: Connection, path: string) =>
  Effect.map(
    connection.executeValues(
      "SELECT current_setting('search_path'), set_config('search_path', $1::text, true)",
      [path]
    ),
    ([row]) => String(row?.[0])
  )

const connectionOf = (host: HostConnection): Connection => {
  const run = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.tryPromise({
      try: () => host.query(text, parameters.map(valueOf)),
      catch: (cause) =>
        new SqlError({ reason: new UnknownError({ cause, message: "The host's connection failed" }) })
    }).pipe(Effect.map(({ rows }) => rows.map(rowOf)))
  const runForValues = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(run(text, parameters), (rows) => rows.map((row) => Object.values(row)))
  return {
    execute: run,
    executeUnprepared: run,
    executeRaw: run,
    executeStream: (text, parameters) => Stream.fromIterableEffect(run(text, parameters)),
    executeValues: runForValues,
    executeValuesUnprepared: runForValues
  }
}

/** A parameter as any driver takes it: every statement casts its parameters, so text will do for instants. */
const valueOf = (parameter: unknown): unknown => {
  if (!PgTypes.isParameter(parameter)) return parameter
  const { oid, value } = parameter
  if (oid === PgTypes.OID.timestamptz) return textOf(value)
  return oid === PgTypes.OID.timestamptzArray && Array.isArray(value) ? value.map(textOf) : value
}

/** An instant, which the stores give as milliseconds, as text. */
const textOf = (millis: unknown): unknown =>
  typeof millis === "number" ? DateTime.formatIso(DateTime.makeUnsafe(millis)) : millis

const rowOf = (row: Row): Row =>
  Record.map(row, (value) => (value instanceof Date ? DateTime.makeUnsafe(value) : value))
