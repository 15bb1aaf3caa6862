/** Stores what attempts came to, as many at a time as have gathered. */
import { DeliveryStore, type Settlement } from "@runhook/core/ports/DeliveryStore"
import { isStoreUnavailable } from "@runhook/core/ports/StoreUnavailable"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"

/** Settlements that are stored at once. */
const batchMax = 256

/** Between tries while the store is away. */
const retryEvery = Duration.seconds(1)

interface Waiting {
  readonly settlement: Settlement
  readonly isOver: Deferred.Deferred<void>
}

/**
 * Gives a function that waits until a settlement is stored, or until its lease
 * has run out: from then on another attempt is due, and this one counts for
 * nothing. Settles until the scope ends.
 */
export const make = Effect.fnUntraced(function* (options: {
  readonly lease: Duration.Duration
  /** Rest after each store, so that results gather. */
  readonly pace: Duration.Duration
}) {
  const store = yield* DeliveryStore
  const queue = yield* Queue.unbounded<Waiting>()

  const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
    yield* store.settle(settlements, yield* DateTime.now)
  })

  const untilStored = (settlements: ReadonlyArray<Settlement>) =>
    settle(settlements).pipe(
      Effect.sandbox,
      Effect.tapError((cause) => Effect.logWarning("Results of deliveries could not be stored", cause)),
      Effect.retry({ while: isAbsence, schedule: Schedule.spaced(retryEvery) })
    )

  /** Stores them all but those that the store does not take, for whatever reason: one such result must not hold up the rest. */
  const settleEach = (settlements: ReadonlyArray<Settlement>): Effect.Effect<void> =>
    untilStored(settlements).pipe(
      Effect.catch((cause) => {
        if (settlements.length === 1) return Effect.logError(lost(1), cause)
        const half = Math.ceil(settlements.length / 2)
        return Effect.andThen(settleEach(settlements.slice(0, half)), settleEach(settlements.slice(half)))
      })
    )

  const settleBatch = (batch: ReadonlyArray<Waiting>) =>
    settleEach(batch.map(({ settlement }) => settlement)).pipe(
      Effect.timeoutOrElse({ duration: options.lease, orElse: () => Effect.logError(lost(batch.length)) }),
      Effect.ensuring(
        Effect.forEach(batch, ({ isOver }) => Deferred.succeed(isOver, undefined), { discard: true })
      )
    )

  yield* Queue.takeBetween(queue, 1, batchMax).pipe(
    Effect.flatMap(settleBatch),
    Effect.andThen(Effect.sleep(options.pace)),
    Effect.forever,
    Effect.forkScoped
  )

  return Effect.fnUntraced(function* (settlement: Settlement) {
    const isOver = yield* Deferred.make<void>()
    yield* Queue.offer(queue, { settlement, isOver })
    yield* Deferred.await(isOver)
  })
})

const lost = (count: number): string =>
  `${count === 1 ? "The result of a delivery is" : `Results of ${count} deliveries are`} lost; they will be delivered again`

const isAbsence = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && isStoreUnavailable(reason.defect))
