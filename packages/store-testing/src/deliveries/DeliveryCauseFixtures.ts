/** Deliveries that have failed, each for a reason of its own. */
import { type AttemptCause, causeOf } from "@runhook/core/deliveries/steps/AttemptCause"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { second } from "../Fixtures.ts"
import { attemptOf, claimAll, makeDelivery, type Sender } from "./DeliveryFixtures.ts"

/** What a receiver answers: a status, or a failure without one. */
export type End = number | AttemptCause

/** Attempts all that is due of a sender, each with the end that the delivery has in turn. */
export const attemptAll = Effect.fnUntraced(function* (
  sender: Sender,
  ends: ReadonlyMap<Delivery["id"], { readonly end: End; readonly isLast: boolean }>,
  at: DateTime.Utc
) {
  const store = yield* DeliveryStore
  const claimed = yield* claimAll(sender, { at, limit: 256 })
  const settlements = claimed.flatMap((delivery) => {
    const planned = ends.get(delivery.id)
    if (planned === undefined) return []
    const { end, isLast } = planned
    const status = typeof end === "number" ? end : null
    const cause = typeof end === "number" ? causeOf({ phase: "done", status, code: null, tls: "none" }) : end
    const attempt = attemptOf(delivery, {
      startedAt: at,
      status,
      cause,
      error: cause === null ? null : "It failed",
      ...(status === null && { phase: "connect", responseBody: null })
    })
    const verdict =
      cause === null
        ? ({ _tag: "Delivered" } as const)
        : isLast
          ? ({ _tag: "Dead" } as const)
          : ({ _tag: "Retry", nextAttemptAt: later } as const)
    return [{ accountId: sender.accountId, attempt, verdict }]
  })
  yield* store.settle(settlements, at)
})

/** When those are due again that failed. */
export const later = second(1_000)

/** Deliveries that were tried once and ended so. */
export const tried = Effect.fnUntraced(function* (
  sender: Sender,
  outcomes: ReadonlyArray<{ readonly end: End; readonly isLast?: true; readonly url?: string }>
) {
  const deliveries = yield* Effect.forEach(outcomes, ({ url = "https://one.example/hook" }, index) =>
    makeDelivery(sender, { url, createdAt: second(index) })
  )
  const ends = deliveries.flatMap(({ id }, index) =>
    outcomes.slice(index, index + 1).map(({ end, isLast = false }) => [id, { end, isLast }] as const)
  )
  yield* attemptAll(sender, new Map(ends), second(outcomes.length))
  return deliveries.map(({ id }) => id)
})
