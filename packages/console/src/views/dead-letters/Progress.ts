/** The progress of a replay, for a bar and a sentence. Pure. */
import type { ReplayJob } from "@runhook/sdk/admin"
import { countOf, countWords, durationWords } from "../../format/Amounts.ts"

type ReplayCounts = Pick<
  ReplayJob,
  "created_at" | "delivered" | "expected" | "failed" | "finished_at" | "replayed" | "status"
>

export interface Progress {
  /** Deliveries that have an outcome. */
  readonly done: number
  /** Null while the total is unknown. */
  readonly total: number | null
  readonly left: number
  /** Whether deliveries are still without an outcome. */
  readonly isUnderWay: boolean
}

export const progressOf = ({ delivered, expected, failed, replayed, status }: ReplayCounts): Progress => {
  const done = delivered + failed
  const total = status === "running" ? expected && Math.max(expected, replayed) : replayed
  const left = Math.max(0, (total ?? replayed) - done)
  return { done, total, left, isUnderWay: status === "running" || left > 0 }
}

/** Fewest deliveries for an estimate, and how long it holds after the last delivery became due, in milliseconds. */
const guessFrom = 5
const guessHoldsMs = 60_000

/** The estimated time until all have an outcome; null if there is no basis for an estimate. */
export const leftMs = (job: ReplayCounts, now: number): number | null => {
  const { done, left, total } = progressOf(job)
  const elapsed = now - Date.parse(job.created_at)
  const isFresh = job.finished_at === null || now - Date.parse(job.finished_at) < guessHoldsMs
  return total === null || left === 0 || done < guessFrom || elapsed <= 0 || !isFresh
    ? null
    : (left * elapsed) / done
}

/** `291 delivered, 0 failed again, 97 to go, about 40 s` */
export const progressWords = (job: ReplayCounts, now: number): string => {
  const { isUnderWay, left, total } = progressOf(job)
  const takes = leftMs(job, now)
  return [
    `${countWords(job.delivered)} delivered`,
    `${countWords(job.failed)} failed again`,
    ...(isUnderWay ? [total === null ? "more to go" : `${countWords(left)} to go`] : []),
    ...(takes === null ? [] : [`about ${durationWords(Math.max(1_000, takes))}`])
  ].join(", ")
}

/** The words beside its numbers. */
export const jobWords = (job: ReplayCounts): string => {
  const { isUnderWay } = progressOf(job)
  if (job.status === "running") return "Replaying"
  if (job.status === "cancelled") return isUnderWay ? "Stopped, finishing the last ones" : "Stopped"
  if (isUnderWay) return "All queued again"
  return job.failed === 0 ? "All delivered" : `${countOf(job.failed, "delivery", "deliveries")} failed again`
}

/** The pace of one process with a receiver that keeps up, in deliveries a second. */
const usualPace = 100

export const guessWords = (count: number): string =>
  `about ${durationWords(Math.max(1_000, Math.ceil(count / usualPace) * 1_000))}, when the receiver keeps up`
