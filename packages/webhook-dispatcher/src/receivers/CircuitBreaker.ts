/**
 * The rules of a receiver's circuit breaker. Closed: everything is sent. Open:
 * nothing is. Half-open, once its time is over: one delivery probes the
 * receiver, and closes the breaker or opens it for longer.
 */
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import { retryAfterMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { retryAfterOf } from "../RetryPolicy.ts"
import { type AttemptSignal, signalOf } from "./AttemptSignal.ts"

/** Failures in a row that open the breaker. */
export const failuresToOpen = 5

const openFirst = Duration.seconds(10)
const openLongest = Duration.minutes(5)

/** An open time varies by this much in both directions, so that receivers that failed together are not probed together. */
const jitter = 0.2

/** Whether the receiver could not do its work: what a breaker counts. */
const isFailure = (signal: AttemptSignal): boolean => signal === "broken" || signal === "overloaded"

/** The failures in a row after one more attempt. An attempt that did not reach the receiver changes nothing. */
export const failuresAfter = (failures: number, signal: AttemptSignal): number => {
  if (signal === "unreached") return failures
  return isFailure(signal) ? failures + 1 : 0
}

/** How long a breaker stays open: 10 s, and twice as long each time that a probe fails, up to 5 min; ±20 %. */
export const openFor = (options: {
  /** Times that it opened before without closing since. */
  readonly openings: number
  /** A random number, at least 0 and below 1, that the jitter is made of. */
  readonly random: number
}): Duration.Duration => {
  const { openings, random } = options
  const base = Duration.min(Duration.times(openFirst, 2 ** Math.min(openings, 16)), openLongest)
  return Duration.times(base, 1 - jitter + 2 * jitter * random)
}

/** What an attempt does to the breaker: opens it, closes it, or pauses the receiver for a while. */
export const moveAfter = (options: {
  readonly attempt: DeliveryAttempt
  /** Failures in a row, this attempt included. */
  readonly failures: number
  /** Times that the breaker had opened when this attempt was sent to probe the receiver; null when it was no probe. */
  readonly probeOf: number | null
  /** Whether it was a test, which probes at its sender's wish, as often as that may be. */
  readonly isTest: boolean
  /** When the attempt ended. */
  readonly at: DateTime.Utc
  /** A random number, at least 0 and below 1, that spreads probes. */
  readonly random: number
}): ReceiverMove | undefined => {
  const { at, attempt, failures, isTest, probeOf, random } = options
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
    // Else whoever sends a test again and again would hold up all that waits for the receiver.
    if (isFailure(signal) && isTest) return undefined
    return isFailure(signal) ? open(probeOf) : { _tag: "Close", openings: probeOf }
  }
  if (failures >= failuresToOpen) return open(0)
  return pausedUntil === null ? undefined : { _tag: "Pause", until: pausedUntil }
}
