/** Which items of a batch are sent again, and when: as a create of each would be. */
import type { BatchItemAnswer } from "../wire/Integration.ts"
import { bounded } from "./Bounds.ts"
import { isWorthRetrying, pauseMs, retriesAfter, retryAfterMax } from "./Retry.ts"

/** Share of the time left that a pause may take. The rest is for the answer, since what is known already would be lost. */
const pauseShare = 0.75

/** What decides about another request. */
export interface Repeating {
  /** Of the last request, from 1. */
  readonly attempt: number
  readonly leftMs: number
  readonly random: number
  readonly retries?: number | undefined
}

/** The places of the items to send again, and the pause after which each may get in; null if there are none. */
export const refusedItems = (
  data: ReadonlyArray<BatchItemAnswer>,
  { attempt, leftMs, random, retries }: Repeating
): { readonly places: ReadonlyArray<number>; readonly delayMs: number } | null => {
  const places: Array<number> = []
  let delayMs = 0
  data.forEach((answer, place) => {
    if (!isWorthRetrying(answer, { method: "POST", repeatable: true })) return
    if (attempt > (retries ?? retriesAfter(answer))) return
    const waitMs = pauseMs(attempt, retryAfterOf(answer), () => random)
    if (waitMs > leftMs * pauseShare) return
    places.push(place)
    delayMs = Math.max(delayMs, waitMs)
  })
  return places.length > 0 ? { places, delayMs } : null
}

const retryAfterOf = ({ error }: BatchItemAnswer): number =>
  bounded(Object(error?.details).retry_after_seconds * 1_000, retryAfterMax)

/** The answers, with those to the items that were sent again in their places. */
export const answeredAgain = (
  data: ReadonlyArray<BatchItemAnswer>,
  places: ReadonlyArray<number>,
  again: ReadonlyArray<BatchItemAnswer>
): ReadonlyArray<BatchItemAnswer> => {
  const later = new Map(places.map((place, index) => [place, again[index]]))
  return data.map((answer, index) => ({ ...answer, ...later.get(index), index }))
}
