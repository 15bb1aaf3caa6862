/** Stores what attempts came to, as many at a time as have gathered. */
import type { DeliveryState } from "@runhook/core/domain/delivery/Delivery"
import { DeliveryStore, type Settlement } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import { isStoreUnavailable } from "@runhook/core/ports/StoreUnavailable"
import { changeOf } from "@runhook/core/runtime/ChangeSignals"
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

type End = "stored" | "lost"

interface Waiting {
  readonly settlement: Settlement
  readonly end: Deferred.Deferred<End>
}

/**
 * Gives a function that waits until a settlement is stored, or lost because
 * its lease has run out: from then on another attempt is due, and this one
 * counts for nothing. Settles until the scope ends.
 */
export const make = Effect.fnUntraced(function* (options: {
  readonly lease: Duration.Duration
  /** Rest after each store, so that results gather. */
  readonly pace: Duration.Duration
  /** Called when a store of results has made something due, now or later, that was not before. */
  readonly onDue: () => void
}) {
  const store = yield* DeliveryStore
  const signals = yield* Signals
  const queue = yield* Queue.unbounded<Waiting>()

  const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
    const released = yield* store.settle(settlements, yield* DateTime.now)
    if (released > 0 || settlements.some(({ verdict }) => verdict._tag === "Retry")) options.onDue()
    yield* signals.notify(settlements.map(changeBy))
  })

  const untilStored = (settlements: ReadonlyArray<Settlement>) =>
    settle(settlements).pipe(
      Effect.sandbox,
      Effect.tapError((cause) => Effect.logWarning("Results of deliveries could not be stored", cause)),
      Effect.retry({ while: isAbsence, schedule: Schedule.spaced(retryEvery) })
    )

  /** Stores them all but those that the store does not take, for whatever reason: one such result must not hold up the rest. */
  const settleEach = (batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    untilStored(batch.map(({ settlement }) => settlement)).pipe(
      Effect.andThen(endAs("stored", batch)),
      Effect.catch((cause) => {
        if (batch.length === 1) return Effect.logError(lost(1), cause)
        const half = Math.ceil(batch.length / 2)
        return Effect.andThen(settleEach(batch.slice(0, half)), settleEach(batch.slice(half)))
      })
    )

  const settleBatch = (batch: ReadonlyArray<Waiting>) =>
    settleEach(batch).pipe(
      Effect.timeoutOrElse({ duration: options.lease, orElse: () => Effect.logError(lost(batch.length)) }),
      // Changes nothing for those that are stored.
      Effect.ensuring(endAs("lost", batch))
    )

  /** Nothing more gathers in a batch that is full already. */
  const rest = Effect.flatMap(Queue.size(queue), (size) =>
    size < batchMax ? Effect.sleep(options.pace) : Effect.void
  )

  yield* Queue.takeBetween(queue, 1, batchMax).pipe(
    Effect.flatMap(settleBatch),
    Effect.andThen(rest),
    Effect.forever,
    Effect.forkScoped
  )

  return Effect.fnUntraced(function* (settlement: Settlement) {
    const end = yield* Deferred.make<End>()
    yield* Queue.offer(queue, { settlement, end })
    return yield* Deferred.await(end)
  })
})

const stateAfter: { readonly [V in Settlement["verdict"]["_tag"]]: DeliveryState } = {
  Delivered: "delivered",
  Retry: "pending",
  Dead: "dead"
}

const changeBy = ({ accountId, attempt, verdict }: Settlement) =>
  changeOf(accountId, "delivery", {
    id: attempt.deliveryId,
    state: stateAfter[verdict._tag],
    isNew: false
  })

const endAs = (end: End, batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
  Effect.forEach(batch, (waiting) => Deferred.succeed(waiting.end, end), { discard: true })

const lost = (count: number): string =>
  `${count === 1 ? "The result of a delivery is" : `Results of ${count} deliveries are`} lost; they will be delivered again`

const isAbsence = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && isStoreUnavailable(reason.defect))
