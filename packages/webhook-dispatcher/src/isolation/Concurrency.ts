/** How many deliveries one receiver gets at once from this process: a little more while it goes well, much less when it does not. */
import type { ReceiverSign } from "./ReceiverSign.ts"

export interface Concurrency {
  readonly limit: number
  /** Successes since the limit last changed. */
  readonly successes: number
}

/** What a receiver begins with, and has no more than. */
export const concurrencyStart = 4
export const concurrencyMax = 16

/** Successes that earn one more. */
const successesPerStep = 20

export const initialConcurrency: Concurrency = { limit: concurrencyStart, successes: 0 }

/** The concurrency after one more attempt. */
export const concurrencyAfter = (concurrency: Concurrency, sign: ReceiverSign): Concurrency => {
  switch (sign) {
    case "well":
      return afterSuccess(concurrency)
    case "overwhelmed":
      return { limit: Math.max(1, Math.floor(concurrency.limit / 2)), successes: 0 }
    default:
      return concurrency
  }
}

const afterSuccess = ({ limit, successes }: Concurrency): Concurrency =>
  successes + 1 < successesPerStep
    ? { limit, successes: successes + 1 }
    : { limit: Math.min(concurrencyMax, limit + 1), successes: 0 }
