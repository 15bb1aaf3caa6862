/**
 * Releases deliveries that waited for an earlier event of their execution.
 * Whoever ends the turn of an event releases after that is committed, and
 * whoever puts one off looks again after that is committed: so one of the two
 * sees what the other did, and neither needs a lock on the other.
 */
import { released } from "@runhook/core/domain/delivery/DeliveryOrder"
import { release } from "@runhook/core/domain/delivery/DeliverySteps"
import { CallbackOrder } from "@runhook/core/ports/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { type ExecutionKey, makeReadTurns } from "../steps/ReadDeliveries.ts"
import type { StoresSteps } from "../steps/StoreSteps.ts"

export const makeReleaseHeldBack = Effect.fnUntraced(function* (steps: StoresSteps) {
  const readTurns = yield* makeReadTurns
  const order = yield* CallbackOrder
  const clock = yield* StoreClock

  /**
   * Makes the delivery of each execution whose turn it is due, if it was put off;
   * answers how many. That is seen by one look for all buckets. In no transaction.
   */
  return Effect.fnUntraced(function* (ended: ReadonlyArray<ExecutionKey>, at: DateTime.Utc) {
    if (order === "none" || ended.length === 0) return 0
    const found = yield* readTurns(ended)
    const due = [...found.values()].flatMap((events = []) => {
      const [first] = events
      if (first === undefined) return []
      const { bucket, now, receiver } = first
      const next = released(events, {
        order,
        receiver,
        at: nowOf(clock, { at, read: now })
      })
      return next === null ? [] : [{ bucket, step: release(next.next.delivery, next.dueAt) }]
    })
    const stored = yield* forEachBucket(due, (bucket, ofBucket) => {
      const next = ofBucket.map(({ step }) => step)
      return steps.store(bucket, next, "skips")
    })
    return stored.reduce((sum, ids) => sum + ids.size, 0)
  })
})
