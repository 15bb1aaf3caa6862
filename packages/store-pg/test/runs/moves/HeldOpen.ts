/** What is done while a transaction stays open, and how to see that it waits for that. */
import { citus } from "@runhook/test-support/postgres/TestServer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The sessions of this database that wait for a lock. `pg_stat_activity` would not do: within a transaction it lacks
 * every session that began after the first look.
 */
const waiting = `
  SELECT waiting.pid FROM pg_locks waiting
  WHERE NOT waiting.granted AND EXISTS (
    SELECT FROM pg_locks held JOIN pg_database d ON d.oid = held.database
    WHERE held.pid = waiting.pid AND d.datname = current_database()
  )`

/** A row for each of them, and of Citus for each node that has some. */
export const lockWaits = SqlClient.use((sql) =>
  citus === undefined
    ? sql.unsafe(waiting)
    : sql`SELECT FROM run_command_on_all_nodes(${`SELECT count(*) FROM (${waiting}) AS waiting`}) WHERE result <> '0'`
)

/** Comes back when somebody waits for a lock. It looks without a pause, which would never end on a test's clock. */
export const somebodyWaits = Effect.repeat(lockWaits, { until: ({ length }) => length > 0 })

/** Comes back when this work waits for a lock, and fails when it ends without. */
export const waitsForLock = (work: Fiber.Fiber<unknown, unknown>) =>
  Effect.raceFirst(
    somebodyWaits,
    Effect.flatMap(Fiber.await(work), (exit) => Effect.die(new Error(`It waited for no lock: ${exit}`)))
  )

/** Does something, and keeps its transaction open while something else is done. */
export const heldOpen = Effect.fnUntraced(function* <A, E, R, B, E2, R2>(
  work: Effect.Effect<A, E, R>,
  meanwhile: Effect.Effect<B, E2, R2>
) {
  const sql = yield* SqlClient
  const begun = yield* Deferred.make<void>()
  const over = yield* Deferred.make<void>()
  const holding = work.pipe(
    Effect.andThen(Deferred.succeed(begun, undefined)),
    Effect.andThen(Deferred.await(over)),
    sql.withTransaction
  )
  const holder = yield* Effect.forkChild(holding)
  yield* Effect.raceFirst(Deferred.await(begun), Fiber.join(holder))
  const done = yield* meanwhile
  yield* Deferred.succeed(over, undefined)
  yield* Fiber.join(holder)
  return done
})
