/**
 * How many deliveries one receiver gets at once from this process. The limit
 * adapts by AIMD, as TCP's does: additive increase while the receiver accepts,
 * multiplicative decrease when it is overloaded.
 */
import type { AttemptSignal } from "./AttemptSignal.ts"

export interface AdaptiveConcurrency {
  readonly limit: number
  /** Successes since the limit last changed. */
  readonly successes: number
}

/** The concurrency of a new receiver, and its maximum. */
export const concurrencyStart = 4
export const concurrencyMax = 16

/** Successes that earn one more. */
const successesPerStep = 20

export const initialConcurrency: AdaptiveConcurrency = { limit: concurrencyStart, successes: 0 }

/** The concurrency after one more attempt. */
export const concurrencyAfter = (
  concurrency: AdaptiveConcurrency,
  signal: AttemptSignal
): AdaptiveConcurrency => {
  switch (signal) {
    case "accepted":
      return increased(concurrency)
    case "overloaded":
      return { limit: Math.max(1, Math.floor(concurrency.limit / 2)), successes: 0 }
    default:
      return concurrency
  }
}

const increased = ({ limit, successes }: AdaptiveConcurrency): AdaptiveConcurrency =>
  successes + 1 < successesPerStep
    ? { limit, successes: successes + 1 }
    : { limit: Math.min(concurrencyMax, limit + 1), successes: 0 }
