/** What an attempt does to the circuit breaker of its receiver: opens it, closes it, or pauses the receiver for a while. */
import type { DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"
import { retryAfterMax } from "@runhook/core/domain/delivery/DeliveryBackoff"
import type { ReceiverMove } from "@runhook/core/domain/delivery/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { retryAfterOf } from "../RetryAfter.ts"
import { signalOf } from "./AttemptSignal.ts"
import { failuresToOpen, isFailure, openFor } from "./CircuitBreaker.ts"

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
  const signal = signalOf(attempt)
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

  if (probeOf !== null) {
    // Half-open. A probe that did not reach the receiver says nothing: the next one follows when its lease has ended.
    if (signal === "unreached") return undefined
    return isFailure(signal) ? open(probeOf) : { _tag: "Close", openings: probeOf }
  }
  if (failures >= failuresToOpen) return open(0)
  return pausedUntil === null ? undefined : { _tag: "Pause", until: pausedUntil }
}
