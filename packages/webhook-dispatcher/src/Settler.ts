/** Stores what attempts came to, as many at a time as have gathered while the store was busy. */
import { DeliveryStore, type Settlement } from "@runhook/core/ports/DeliveryStore"
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
export const make = Effect.fnUntraced(function* ({ lease }: { readonly lease: Duration.Duration }) {
  const store = yield* DeliveryStore
  const queue = yield* Queue.unbounded<Waiting>()

  const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
    yield* store.settle(settlements, yield* DateTime.now)
  })

  const settleBatch = (batch: ReadonlyArray<Waiting>) =>
    settle(batch.map(({ settlement }) => settlement)).pipe(
      Effect.sandbox,
      Effect.tapError((cause) => Effect.logWarning("Results of deliveries could not be stored", cause)),
      Effect.retry(Schedule.spaced(retryEvery)),
      Effect.timeoutOrElse({
        duration: lease,
        orElse: () =>
          Effect.logError(`Results of ${batch.length} deliveries are lost; they will be delivered again`)
      }),
      Effect.ensuring(
        Effect.forEach(batch, ({ isOver }) => Deferred.succeed(isOver, undefined), { discard: true })
      )
    )

  yield* Queue.takeBetween(queue, 1, batchMax).pipe(
    Effect.flatMap(settleBatch),
    Effect.forever,
    Effect.forkScoped
  )

  return Effect.fnUntraced(function* (settlement: Settlement) {
    const isOver = yield* Deferred.make<void>()
    yield* Queue.offer(queue, { settlement, isOver })
    yield* Deferred.await(isOver)
  })
})
