/** How many deliveries one receiver gets at once from this process: a little more while it goes well, much less when it does not. */
import type { AttemptSignal } from "./AttemptSignal.ts"

export interface AdaptiveConcurrency {
  readonly limit: number
  /** Successes since the limit last changed. */
  readonly successes: number
}

/** What a receiver begins with, and has no more than. */
export const concurrencyStart = 4
export const concurrencyMax = 16

/** Successes that earn one more. */
const successesPerStep = 20

export const initialConcurrency: AdaptiveConcurrency = { limit: concurrencyStart, successes: 0 }

/** The concurrency after one more attempt. */
export const concurrencyAfter = (
  concurrency: AdaptiveConcurrency,
  sign: AttemptSignal
): AdaptiveConcurrency => {
  switch (sign) {
    case "well":
      return afterSuccess(concurrency)
    case "overwhelmed":
      return { limit: Math.max(1, Math.floor(concurrency.limit / 2)), successes: 0 }
    default:
      return concurrency
  }
}

const afterSuccess = ({ limit, successes }: AdaptiveConcurrency): AdaptiveConcurrency =>
  successes + 1 < successesPerStep
    ? { limit, successes: successes + 1 }
    : { limit: Math.min(concurrencyMax, limit + 1), successes: 0 }
