/**
 * How many deliveries of one receiver this process leases at once: those being sent, and those that wait in line for
 * their place. A line is as long as the receiver's answers are quick, and only while it does well: what waits there
 * is out of reach for other processes.
 */
import * as Duration from "effect/Duration"
import { type AdaptiveConcurrency } from "./AdaptiveConcurrency.ts"

/** What is leased is answered within this time, as the receiver has answered of late. */
export const answeredWithin = Duration.seconds(5)

/** Longest line, in deliveries sent at once. */
export const aheadMax = 16

/** How much the latest answer says about the time that a receiver needs. */
const weight = 1 / 8

export interface Pace {
  readonly concurrency: AdaptiveConcurrency
  /** Failures in a row. */
  readonly failures: number
  /** How long it takes to answer, on average; null until it has answered. */
  readonly answerMs: number | null
}

/** The average after one more answer. */
export const answerMsAfter = (before: number | null, answerMs: number): number =>
  before === null ? answerMs : before + weight * (answerMs - before)

/** Nothing waits for a receiver that has not answered yet, or whose latest attempt failed. */
export const windowOf = ({ answerMs, concurrency: { limit }, failures }: Pace): number => {
  if (answerMs === null || failures > 0) return limit
  const answeredSoon = Duration.toMillis(answeredWithin) / Math.max(1, answerMs)
  return Math.floor(limit * Math.min(aheadMax, Math.max(1, answeredSoon)))
}

/** How many may be left before more are leased, so that one claim brings many and no place stays empty. */
export const lowWaterOf = (pace: Pace): number =>
  Math.max(Math.floor(windowOf(pace) / 2), pace.concurrency.limit - 1)
