/** Decodes the rows of statements, and turns faults that no caller can handle into defects. */
import { isStoreUnavailable, StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { patient, timed, upkeepPatience } from "../connections/Deadline.ts"
import { describeOutage, hasMovedAway, isConnectionLost, outageOf } from "../database/Outages.ts"
import { type Fields, rowReader, type Values } from "../rows/RowReader.ts"
import { readAll } from "../rows/Rows.ts"

/** The rows of a statement by the names of its columns, as the schema decodes them: see `Plain`. */
export const decoded = <Of extends Fields>(row: Schema.Struct<Of>) => {
  const names = Object.keys(row.fields)
  const read = rowReader(row, names)
  return <E, R>(statement: Effect.Effect<ReadonlyArray<object>, E, R>) =>
    Effect.flatMap(statement, (rows) =>
      readAll(
        read,
        rows.map((values) => valuesOf(values, names))
      )
    )
}

const valuesOf = (row: object, names: ReadonlyArray<string>): Values => {
  const byName: Readonly<Record<string, unknown>> = { ...row }
  return names.map((name) => byName[name])
}

/** The first row of a statement, decoded by the schema; undefined when there is none. */
export const decodedFirst = <Of extends Fields>(row: Schema.Struct<Of>) => {
  const rows = decoded(row)
  return <E, R>(statement: Effect.Effect<ReadonlyArray<object>, E, R>) =>
    Effect.map(rows(statement), ([first]) => first)
}

/** Whether another transaction came in between, or a move of a shard: nothing was written, and trying again will do. */
const isCollision = (error: SqlError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError" || hasMovedAway(error)

type Fault = SqlError | Schema.SchemaError

export const isSqlError = (error: unknown): error is SqlError => Predicate.isTagged(error, "SqlError")

/** Whether an error is one that the port knows, and not the driver's. */
const isOwn = <E>(error: E): error is Exclude<E, Fault> => !isSqlError(error) && !Schema.isSchemaError(error)

/** The defect that a fault is: `StoreUnavailable` when the database is away or refuses for now, the fault itself otherwise. */
export const defectOf = (fault: unknown): unknown => {
  const outage = isSqlError(fault) ? outageOf(fault) : undefined
  return isSqlError(fault) && outage !== undefined
    ? new StoreUnavailable({ reason: describeOutage(outage, fault) })
    : fault
}

/** Whether every other try would end the same: there was neither an outage nor a collision. */
const isLasting = (fault: unknown): boolean =>
  !isStoreUnavailable(defectOf(fault)) && !(isSqlError(fault) && isCollision(fault))

/** Works in a savepoint of the caller's transaction. What would fail at every try is undone, and `instead` is done. */
export const inSavepoint = <A, E, R>(
  sql: SqlClient,
  working: Effect.Effect<A, E, R>,
  instead: (cause: Cause.Cause<unknown>) => Effect.Effect<A, E, R>
) =>
  Effect.catchCause(sql.withTransaction(working), (cause) =>
    Cause.hasInterrupts(cause) || !isLasting(Cause.squash(cause)) ? Effect.failCause(cause) : instead(cause)
  )

/** Tries a statement or a transaction again while others come in between: at once, since one of them has got through. */
export const whileColliding = <A, E, R>(work: Effect.Effect<A, E, R>, times = 5): Effect.Effect<A, E, R> =>
  work.pipe(
    Effect.catch((error) =>
      times > 0 && isSqlError(error) && isCollision(error)
        ? whileColliding(work, times - 1)
        : Effect.fail(error)
    )
  )

/**
 * Ends a method of a store: collisions with other transactions are retried, and
 * whatever else the driver reports, or a row that does not decode, is a defect.
 * The method must be atomic for each row that it gives out, and safe to retry
 * after a collision. It has the time of one statement.
 */
export const orDefect = <A, E, R>(method: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, Fault>, R> =>
  whileColliding(method).pipe(
    Effect.catch((error) => (isOwn(error) ? Effect.fail(error) : Effect.die(error))),
    // A rollback that fails, since its connection is lost as well, is a defect of the driver's.
    Effect.catchDefect((defect) => Effect.die(defectOf(defect))),
    timed
  )

/** The same for a method that is one transaction. */
export const inOneTransaction =
  (sql: SqlClient) =>
  <A, E, R>(method: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, Fault>, R> =>
    orDefect(sql.withTransaction(method))

/** The same for work that the service does by itself, which may take longer than a caller would wait. */
export const upkeepOrDefect = <A, E, R>(
  method: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, Fault>, R> => patient(upkeepPatience)(orDefect(method))

/** Long enough for the pool to notice that connections are lost. */
const reconnectPause = Duration.millis(50)

/** Retries work that may happen twice, such as a read, once on another connection when its own was lost. */
export const retryLostConnection = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  work.pipe(
    Effect.catch((error) =>
      isSqlError(error) && isConnectionLost(error) ? Effect.delay(work, reconnectPause) : Effect.fail(error)
    )
  )

/** Ends a method that may happen twice. */
export const idempotentOrDefect = <A, E, R>(
  method: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, Fault>, R> => orDefect(retryLostConnection(method))
