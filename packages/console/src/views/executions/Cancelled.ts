/** How far a cancel of many executions has come, for a bar and in words. Pure. */
import type { AdminCancelJob } from "@runhook/sdk/admin"
import { countOf, countWords } from "../../format/Amounts.ts"

type CancelCounts = Pick<AdminCancelJob, "cancelled" | "failed" | "matched" | "skipped" | "status">

export const cancelProgress = ({ cancelled, failed, matched, skipped, status }: CancelCounts) => {
  const done = cancelled + failed + skipped
  return { done, total: matched && Math.max(matched, done), isUnderWay: status === "running" }
}

export const cancelTitle = ({ cancelled, status }: CancelCounts): string =>
  status === "running"
    ? "Cancelling executions"
    : `${status === "cancelled" ? "Stopped: " : ""}${countOf(cancelled, "execution")} cancelled`

/** `59 cancelled, 1 had ended before, 40 to go` */
export const cancelWords = (job: CancelCounts): string => {
  const { done, isUnderWay, total } = cancelProgress(job)
  return [
    `${countWords(job.cancelled)} cancelled`,
    ...(job.skipped === 0 ? [] : [`${countWords(job.skipped)} had ended or changed`]),
    ...(job.failed === 0 ? [] : [`${countWords(job.failed)} could not be cancelled`]),
    ...(isUnderWay ? [total === null ? "more to go" : `${countWords(total - done)} to go`] : [])
  ].join(", ")
}
