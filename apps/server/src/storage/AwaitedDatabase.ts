/** Waits at startup for a database that refuses for now, such as one that is starting too. */
import { describeOutage, isMomentary, outageOf } from "@runhook/store-pg/database/Outages"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseFailure } from "./DatabaseProblem.ts"

/** If a database refuses for longer, an operator has to look at it. */
export const patience = Duration.seconds(30)

const tryEvery = Duration.millis(500)

/** The database's error, if it is a refusal for now. */
const saidIn = (failure: DatabaseFailure): SqlError | undefined =>
  failure._tag === "SqlError" ? failure : undefined

/** Retries while the database refuses for now, within the patience. The log says so once. */
export const awaited = <A, E extends DatabaseFailure, R>(
  use: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  let isTold = false
  const tell = Effect.fnUntraced(function* (failure: E) {
    const said = saidIn(failure)
    const outage = said === undefined ? undefined : outageOf(said)
    if (isTold || said === undefined || outage === undefined || !isMomentary(said)) return
    isTold = true
    yield* Effect.logWarning(
      `Waiting ${Duration.format(patience)} at most, since ${describeOutage(outage, said)}`
    )
  })
  return use.pipe(
    Effect.tapError(tell),
    Effect.retry({
      while: (failure) => {
        const said = saidIn(failure)
        return said !== undefined && isMomentary(said)
      },
      schedule: Schedule.upTo(Schedule.spaced(tryEvery), { duration: patience })
    })
  )
}

/**
 * The layer, once the database lets it be built. What a failed attempt has opened
 * is closed before the next.
 */
export const awaitedLayer = <A, E extends DatabaseFailure, R>(
  make: () => Layer.Layer<A, E, R>
): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const build = Effect.gen(function* () {
        const attempt = yield* Scope.fork(scope)
        return yield* Scope.provide(Layer.build(make()), attempt).pipe(
          Effect.onError((cause) => Scope.close(attempt, Exit.failCause(cause)))
        )
      })
      return yield* awaited(build)
    })
  )
