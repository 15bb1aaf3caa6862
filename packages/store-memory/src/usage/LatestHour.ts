import { beginningOf } from "@runhook/core/usage/UsageCounts"
import type { LastAttempts } from "@runhook/core/usage/UsageIncrement"
import * as DateTime from "effect/DateTime"

/** The hour of the latest attempt. */
export const latestHour = ({ lastFailure, lastSuccessAt }: LastAttempts): DateTime.Utc | null => {
  const failedAt = lastFailure?.at ?? null
  const last = lastSuccessAt && failedAt ? DateTime.max(lastSuccessAt, failedAt) : (lastSuccessAt ?? failedAt)
  return last && beginningOf("hour", last)
}
