/** Stores the results of attempts: at once if something waits for them, otherwise many together. */
import type { DeliveryState } from "@runhook/core/deliveries/Delivery"
import type { EventId } from "@runhook/core/shared/Ids"
import { DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { changeOf } from "@runhook/core/signals/ChangeSignals"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"

/** Settlements that are stored at once. */
const batchMax = 256

/** Between tries while the store is away. */
const retryEvery = Duration.seconds(1)

type End = "stored" | "lost"

interface Waiting {
  readonly settlement: Settlement
  /** The first call counts. */
  readonly end: (end: End) => void
  isUrgent: boolean
}

export interface Settler {
  /**
   * Waits until a settlement is stored, or lost because its lease has run out:
   * from then on another attempt is due, and this one counts for nothing.
   */
  settle(settlement: Settlement, options: { readonly isUrgent: boolean }): Effect.Effect<End>
  /** Something waits for this one from now on. */
  hurry(id: EventId): void
  /** The process stops: nothing gathers any more. */
  stopGathering(): void
}

/** Settles until the scope ends. */
export const make = Effect.fnUntraced(function* (options: {
  readonly lease: Duration.Duration
  /** Rest after each store, so that results gather. */
  readonly pace: Duration.Duration
  /** Longest wait of a result that blocks nothing. */
  readonly gather: Duration.Duration
  /** Called when a store of results has made something due, now or later, that was not before. */
  readonly onDue: () => void
}): Effect.fn.Return<Settler, never, DeliveryStore | Signals | Scope.Scope> {
  const deliveries = yield* DeliveryStore
  const signals = yield* Signals
  const scope = yield* Effect.scope
  const waiting: Array<Waiting> = []
  const some = Latch.makeUnsafe()
  const due = Latch.makeUnsafe()
  let isGathering = true

  const store = (settlements: ReadonlyArray<Settlement>) =>
    Effect.gen(function* () {
      const released = yield* deliveries.settle(settlements, yield* DateTime.now)
      if (released > 0 || settlements.some(({ verdict }) => verdict._tag === "Retry")) options.onDue()
      yield* signals.notify(settlements.map(changeBy))
    }).pipe(Effect.sandbox)

  /**
   * Stores them one by one, except those that the store refuses: one such result must not hold up the rest. Fails while
   * the store is away.
   */
  const settleEach = (batch: ReadonlyArray<Waiting>): Effect.Effect<void, Cause.Cause<unknown>> =>
    store(batch.map(({ settlement }) => settlement)).pipe(
      Effect.andThen(endAs("stored", batch)),
      Effect.catch((cause) => {
        if (isAbsence(cause)) return Effect.fail(cause)
        if (batch.length === 1) return lose(batch, cause)
        const half = Math.ceil(batch.length / 2)
        return Effect.andThen(settleEach(batch.slice(0, half)), settleEach(batch.slice(half)))
      })
    )

  const whileLeased = <E>(batch: ReadonlyArray<Waiting>, settling: Effect.Effect<void, E>) =>
    settling.pipe(
      Effect.timeoutOrElse({ duration: options.lease, orElse: () => lose(batch) }),
      Effect.onInterrupt(() => endAs("lost", batch))
    )

  /**
   * It may be only a part of the store that is away: each account is tried again by itself, while others go on.
   */
  const settleLater = (batch: ReadonlyArray<Waiting>) =>
    Effect.forEach(
      Object.values(Arr.groupBy(batch, ({ settlement }) => settlement.accountId)),
      (ofAccount) =>
        whileLeased(ofAccount, Effect.retry(settleEach(ofAccount), Schedule.spaced(retryEvery))).pipe(
          Effect.forkIn(scope)
        ),
      { discard: true }
    )

  const settleBatch = (batch: ReadonlyArray<Waiting>) =>
    whileLeased(
      batch,
      settleEach(batch).pipe(
        Effect.tapError((cause) => Effect.logWarning("Results of deliveries could not be stored", cause)),
        Effect.catch(() => settleLater(batch))
      )
    )

  /** Nothing more gathers in a batch that is full already. */
  const isFull = () => waiting.length >= batchMax
  const isDue = () => !isGathering || isFull() || waiting.some(({ isUrgent }) => isUrgent)

  const changed = (): void => {
    if (waiting.length > 0) some.openUnsafe()
    else some.closeUnsafe()
    if (isDue()) due.openUnsafe()
    else due.closeUnsafe()
  }

  const round = Effect.gen(function* () {
    yield* some.await
    if (!isDue()) yield* Effect.timeoutOption(due.await, options.gather)
    yield* Effect.yieldNow
    const batch = waiting.splice(0, batchMax)
    changed()
    yield* settleBatch(batch)
    if (!isFull()) yield* Effect.sleep(options.pace)
  })
  yield* Effect.forkScoped(Effect.forever(round))

  return {
    settle: (settlement, { isUrgent }) =>
      Effect.callback((resume) => {
        waiting.push({ settlement, isUrgent, end: (end) => resume(Effect.succeed(end)) })
        if (waiting.length === 1 || isUrgent || isFull()) changed()
      }),
    hurry: (id) => {
      const awaited = waiting.find(({ settlement }) => settlement.attempt.deliveryId === id)
      if (awaited === undefined) return
      awaited.isUrgent = true
      changed()
    },
    stopGathering: () => {
      isGathering = false
      changed()
    }
  }
})

const stateAfter: { readonly [V in Settlement["verdict"]["_tag"]]: DeliveryState } = {
  Delivered: "delivered",
  Retry: "pending",
  Dead: "dead",
  Cancelled: "cancelled"
}

const changeBy = ({ accountId, attempt, verdict }: Settlement) =>
  changeOf(accountId, "delivery", {
    id: attempt.deliveryId,
    state: stateAfter[verdict._tag],
    isNew: false
  })

const endAs = (end: End, batch: ReadonlyArray<Waiting>): Effect.Effect<void> =>
  Effect.sync(() => batch.forEach((each) => each.end(end)))

const lose = (batch: ReadonlyArray<Waiting>, ...cause: ReadonlyArray<Cause.Cause<unknown>>) => {
  const what =
    batch.length === 1 ? "The result of a delivery is" : `Results of ${batch.length} deliveries are`
  return Effect.logError(`${what} lost; they will be delivered again`, ...cause).pipe(
    Effect.andThen(endAs("lost", batch))
  )
}

const isAbsence = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && isStoreUnavailable(reason.defect))
