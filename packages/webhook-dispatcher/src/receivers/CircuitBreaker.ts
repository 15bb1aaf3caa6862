/**
 * The rules of a receiver's circuit breaker. Closed: everything is sent. Open:
 * nothing is. Half-open, once its time is over: one delivery probes the
 * receiver, and closes the breaker or opens it for longer.
 */
import * as Duration from "effect/Duration"
import type { AttemptSignal } from "./AttemptSignal.ts"

/** Failures in a row that open the breaker. */
export const failuresToOpen = 5

const openFirst = Duration.seconds(10)
const openLongest = Duration.minutes(5)

/** An open time varies by this much in both directions, so that receivers that failed together are not probed together. */
const jitter = 0.2

/** Whether the receiver could not do its work: what a breaker counts. */
export const isFailure = (signal: AttemptSignal): boolean => signal === "broken" || signal === "overloaded"

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
