/**
 * What people do to one delivery: try it now, replay it. One transaction each, in which the core judges the current
 * delivery.
 */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { replay, type Step, tryNow } from "@runhook/core/deliveries/steps/DeliverySteps"
import { whyNotTried } from "@runhook/core/deliveries/steps/TryNow"
import {
  DeliveryNotFound,
  DeliveryNotSettled,
  DeliveryNotWaiting,
  type MoveOfOne
} from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { makeNote } from "../../audit/AuditEntries.ts"
import { nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { readWhole, wholeRows } from "../steps/ReadDeliveries.ts"
import { DeliverySteps } from "../steps/DeliverySteps.ts"
import { DeliveryReads } from "./DeliveryReads.ts"

/** Tries before giving up, while others change the delivery between the read and the write. */
const triesMax = 20

export const makeMoveOne = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  const buckets = yield* Buckets
  const note = yield* makeNote
  const { standings } = yield* DeliveryReads

  /** Answers the delivery before and after. */
  const move = Effect.fnUntraced(function* <E, R>(
    { accountId, at, id }: MoveOfOne,
    judge: (delivery: Delivery, now: DateTime.Utc) => Effect.Effect<Step<Delivery>, E, R>
  ) {
    const bucket = yield* buckets.of(accountId)
    for (let tries = 0; tries < triesMax; tries++) {
      const [found] = yield* wholeRows(readWhole(sql, { bucket, keys: [{ accountId, id }] }))
      if (found === undefined) return yield* new DeliveryNotFound({ id })
      const [delivery, { now }] = found
      const step = yield* judge(delivery, nowOf(clock, { at, read: now }))
      const stored = yield* steps.store(bucket, [step], "waits")
      if (stored.has(id)) return step
    }
    return yield* Effect.die(new Error(`Delivery ${id} changed ${triesMax} times while it was to move`))
  })

  return {
    tryNow: Effect.fnUntraced(
      function* (asked: MoveOfOne) {
        const { after, before } = yield* move(
          asked,
          Effect.fnUntraced(function* (delivery, now) {
            const { id, state } = delivery
            const [standing] = yield* standings({ ...asked, ids: [id] })
            const reason = whyNotTried(delivery, standing ?? { hasEarlier: false, isAttempted: false }, now)
            return reason === null
              ? tryNow(delivery, now)
              : yield* new DeliveryNotWaiting({ id, state, reason })
          })
        )
        yield* note(asked.audit?.(before, after))
        return after
      },
      (trying) => sql.withTransaction(trying)
    ),

    replay: Effect.fnUntraced(
      function* (asked: MoveOfOne) {
        const { after, before } = yield* move(asked, (delivery, now) => {
          const { id, state } = delivery
          return state === "pending"
            ? Effect.fail(new DeliveryNotSettled({ id, state }))
            : Effect.succeed(replay(delivery, { at: DateTime.min(asked.at, now) }))
        })
        yield* note(asked.audit?.(before, after))
        return after
      },
      (replaying) => sql.withTransaction(replaying)
    )
  }
})
