/**
 * Releases deliveries that waited for an earlier event of their execution. A settlement releases after its commit,
 * and a claim that holds a delivery back looks again after its commit: so one of the two sees what the other did, and
 * neither locks the other's rows.
 */
import { released } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { release } from "@runhook/core/deliveries/steps/DeliverySteps"
import { CallbackOrder } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { type ExecutionKey, makeReadTurns } from "../steps/ReadDeliveries.ts"
import { DeliverySteps } from "../steps/DeliverySteps.ts"

export const makeReleaseHeldBack = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const readTurns = yield* makeReadTurns
  const order = yield* CallbackOrder
  const clock = yield* StoreClock

  /**
   * Makes the next held-back delivery of each execution due; answers how many. One look covers all buckets. Runs in
   * no transaction.
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
