/** When a receiver is left alone because it fails, and for how long. */
import * as Duration from "effect/Duration"
import type { AttemptSignal } from "./AttemptSignal.ts"

/** Failures in a row that open the breaker. */
export const failuresToOpen = 5

const openFirst = Duration.seconds(10)
const openLongest = Duration.minutes(5)

/** An open time varies by as much in both directions, so that many receivers that fell together are not all probed together. */
const jitter = 0.2

/** Whether the receiver could not do its work: what a breaker counts. */
export const isFailure = (sign: AttemptSignal): boolean => sign === "failing" || sign === "overwhelmed"

/** The failures in a row after one more attempt. One that did not ask the receiver changes nothing. */
export const failuresAfter = (failures: number, sign: AttemptSignal): number => {
  if (sign === "silent") return failures
  return isFailure(sign) ? failures + 1 : 0
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
