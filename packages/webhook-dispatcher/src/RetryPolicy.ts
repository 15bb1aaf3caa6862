/** Judges an attempt: the delivery has arrived, is tried again later, or is dead. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import { nextAttemptDelay } from "@runhook/core/domain/delivery/DeliveryBackoff"
import type { Verdict } from "@runhook/core/domain/delivery/DeliveryMoves"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { retryAfterOf } from "./RetryAfter.ts"
import type { Attempted } from "./SendAttempt.ts"
import type { AttemptResult } from "./Sender.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

/** What is to be stored of an attempt, with what follows from it for its delivery. */
export const judge = Effect.fnUntraced(function* (attempted: Attempted): Effect.fn.Return<Settlement> {
  const { delivery, endedAt, isRetryable, result, startedAt } = attempted
  const random = yield* Random.next
  const settlement: Settlement = {
    accountId: delivery.accountId,
    attempt: {
      ...result,
      deliveryId: delivery.id,
      round: delivery.round,
      number: delivery.attempts,
      startedAt,
      durationMs: Math.max(0, Math.round(Duration.toMillis(DateTime.distance(startedAt, endedAt))))
    },
    sent: delivery,
    verdict: isRetryable ? verdictOn({ delivery, result, at: endedAt, random }) : { _tag: "Dead" }
  }
  yield* WebhookMetrics.attemptEnded(settlement)
  return settlement
})

export const verdictOn = (options: {
  readonly delivery: Delivery
  readonly result: AttemptResult
  /** When the attempt ended. */
  readonly at: DateTime.Utc
  /** A random number, at least 0 and below 1, that spreads retries. */
  readonly random: number
}): Verdict => {
  const { at, delivery, random, result } = options
  if (result.error === null) return { _tag: "Delivered" }
  const delay = nextAttemptDelay({ attempt: delivery.attempts, random, retryAfter: retryAfterOf(result, at) })
  if (delay === undefined) return { _tag: "Dead" }
  const nextAttemptAt = DateTime.addDuration(at, delay)
  return DateTime.isLessThan(nextAttemptAt, delivery.expiresAt)
    ? { _tag: "Retry", nextAttemptAt }
    : { _tag: "Dead" }
}
