/** Whether and when a failed attempt is retried. */
import { isRepeatable, type RetryFacts } from "../requests/Request.ts"
import { bounded } from "./Bounds.ts"

/** What a failed attempt says about the next. */
export interface FailedAttempt {
  /** Null when there was no answer. */
  readonly status: number | null
}

/** Whether another attempt might succeed. */
export const isWorthRetrying = ({ status }: FailedAttempt, request: RetryFacts): boolean =>
  // A 429 means that nothing was done. Anything else may have taken effect unseen.
  status === 429 || (isRepeatable(request) && (status === null || status === 408 || status >= 500))

/**
 * Attempts that may follow the first, by default. An unavailable service may be restarting: ten retries take half a minute.
 * A fault or limit of a service that answers rarely passes soon.
 */
export const retriesAfter = ({ status }: FailedAttempt): number => (status === null || status > 501 ? 10 : 3)

/** Shortest time between two looks of a wait, for when the service answers at once. */
export const lookMs = 2_000

/** The longest pause before the second attempt; it doubles with each further one up to its cap. */
const firstPauseMs = 500
const pauseMaxMs = 8_000

/**
 * The pause after the attempt of this number, from 1: anything up to a bound
 * that doubles, so that clients that failed together do not return together.
 * What the service asked for comes first.
 */
export const pauseMs = (attempt: number, retryAfterMs: number | null, random: () => number): number =>
  (retryAfterMs ?? 0) + random() * Math.min(pauseMaxMs, firstPauseMs * 2 ** (attempt - 1))

/** Longest wait that is believed, an hour; whoever was asked for a longer one looks again after it. */
export const retryAfterMax = { least: 0, most: 3_600_000, otherwise: 0 }

/** `Retry-After` in milliseconds: seconds, or a date, which is compared with the service's own clock. */
export const retryAfterMs = (headers: Headers): number | null => {
  const text = (headers.get("retry-after") ?? "").trim()
  const wait = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1_000
    : // A date begins with the day: for the runtime "-5" is a date too.
      Date.parse(/^[a-z]/i.test(text) ? text : "") - Date.parse(headers.get("date") ?? "")
  return wait >= 0 ? bounded(wait, retryAfterMax) : null
}
