/** What is done while a transaction stays open, and how to see that it waits for that. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"

/** Comes back when somebody waits for a lock. */
export const somebodyWaits = SqlClient.use((sql) =>
  Effect.repeat(
    sql`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    { schedule: Schedule.recurs(10_000), until: ({ length }) => length > 0 }
  )
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
  yield* Deferred.await(begun)
  const done = yield* meanwhile
  yield* Deferred.succeed(over, undefined)
  yield* Fiber.join(holder)
  return done
})
