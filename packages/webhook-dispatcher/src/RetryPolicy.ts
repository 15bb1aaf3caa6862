/** Judges an attempt: the delivery has arrived, is tried again later, or is dead. */
import { type Delivery, deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { nextAttemptDelay, untriedDelay } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
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

/** When to look again at what could not be tried. At the end of its lifetime it is dead. */
export const retryUntried = (
  { expiresAt }: Pick<Delivery, "expiresAt">,
  at: DateTime.Utc
): Extract<Verdict, { _tag: "Retry" }> => {
  const waited = Duration.subtract(deliveryLifetime, DateTime.distance(at, expiresAt))
  const next = DateTime.addDuration(at, untriedDelay(waited))
  return { _tag: "Retry", nextAttemptAt: DateTime.min(next, expiresAt) }
}

/** The wait a 429 or 503 asks for, in seconds or until a date; null when it asks for none that can be read. */
export const retryAfterOf = (
  { responseHeaders, status }: Pick<AttemptResult, "responseHeaders" | "status">,
  at: DateTime.Utc
): Duration.Duration | null => {
  const wanted = responseHeaders["retry-after"]
  if (wanted === undefined || (status !== 429 && status !== 503)) return null
  if (/^\d{1,9}$/.test(wanted)) return Duration.seconds(Number(wanted))
  return Option.match(DateTime.make(wanted), {
    onNone: () => null,
    onSome: (until) => Duration.max(Duration.zero, DateTime.distance(at, until))
  })
}
