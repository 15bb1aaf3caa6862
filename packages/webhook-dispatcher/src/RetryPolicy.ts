/** What follows from an attempt: delivered, tried again later, or dead. */
import { nextAttemptDelay } from "@runhook/core/domain/delivery/DeliveryBackoff"
import type { Verdict } from "@runhook/core/domain/delivery/DeliveryMoves"
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import * as DateTime from "effect/DateTime"
import { retryAfterOf } from "./RetryAfter.ts"
import type { AttemptResult } from "./Sender.ts"

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
