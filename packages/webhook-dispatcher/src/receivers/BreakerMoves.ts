/** What an attempt means for the receiver: that it is left alone for a while, or is back. */
import { retryAfterMax } from "@runhook/core/domain/delivery/DeliveryBackoff"
import type { DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"
import type { ReceiverMove } from "@runhook/core/domain/delivery/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { retryAfterOf } from "../RetryAfter.ts"
import { failuresToOpen, isFailure, openFor } from "./CircuitBreaker.ts"
import { receiverSignOf } from "./AttemptSignal.ts"

export const moveAfter = (options: {
  readonly attempt: DeliveryAttempt
  /** Failures in a row, this attempt included. */
  readonly failures: number
  /** Times that the breaker had opened when this attempt was sent to probe the receiver; null when it was no probe. */
  readonly probeOf: number | null
  /** When the attempt ended. */
  readonly at: DateTime.Utc
  /** A random number, at least 0 and below 1, that spreads probes. */
  readonly random: number
}): ReceiverMove | undefined => {
  const { at, attempt, failures, probeOf, random } = options
  const sign = receiverSignOf(attempt)
  const wanted = retryAfterOf(attempt, at)
  const pausedUntil = wanted && DateTime.addDuration(at, Duration.min(wanted, retryAfterMax))

  const open = (openings: number): ReceiverMove => {
    const until = DateTime.addDuration(at, openFor({ openings, random }))
    return {
      _tag: "Open",
      openings: openings + 1,
      until: pausedUntil === null ? until : DateTime.max(until, pausedUntil)
    }
  }

  // A probe that never asked the receiver says nothing: the next one follows when its lease has ended.
  if (probeOf !== null && sign === "silent") return undefined
  if (probeOf !== null) return isFailure(sign) ? open(probeOf) : { _tag: "Close", openings: probeOf }
  if (failures >= failuresToOpen) return open(0)
  return pausedUntil === null ? undefined : { _tag: "Pause", until: pausedUntil }
}
