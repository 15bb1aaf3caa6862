/** What a runner reports at the end of its work, and the outcome it means. */
import * as Result from "effect/Result"
import type { JsonObject } from "../shared/json/Json.ts"
import { StoredJson } from "../shared/json/StoredJson.ts"
import { InvalidField } from "../shared/Refusals.ts"
import type { Outcome } from "./EndMoves.ts"

/** As it comes over the wire: the forms do not say which fields belong together. Null means absent. */
export interface OutcomeReport {
  readonly outcome: "completed" | "error" | "cancelled"
  readonly result?: JsonObject | null
  readonly error?: {
    readonly message: string
    readonly retryable?: boolean
    /** Milliseconds to wait before the next attempt. */
    readonly delay_ms?: number
  } | null
}

/**
 * - `completed` may have a result and has no error.
 * - `error` has an error, whose message callers see; it may be retried only if it
 *   says so, and may say when.
 * - `cancelled` may have an error, whose message is the reason.
 */
export const outcomeOf = (report: OutcomeReport): Result.Result<Outcome, InvalidField> => {
  const { outcome } = report
  const [error, result] = [report.error ?? undefined, report.result ?? null]
  if (result !== null && outcome !== "completed")
    return broken(["result"], "is for the outcome completed only")
  switch (outcome) {
    case "completed":
      return error === undefined
        ? Result.succeed({ _tag: "Completed", result: result && StoredJson.of(result) })
        : broken(["error"], "is not for the outcome completed")
    case "error":
      return error === undefined
        ? broken(["error", "message"], "is required with the outcome error")
        : failedWith(error)
    case "cancelled":
      return Result.succeed({ _tag: "Cancelled", reason: error?.message ?? null })
  }
}

const failedWith = ({
  delay_ms,
  message,
  retryable = false
}: NonNullable<OutcomeReport["error"]>): Result.Result<Outcome, InvalidField> => {
  if (delay_ms === undefined) return Result.succeed({ _tag: "Failed", message, isRetryable: retryable })
  return retryable
    ? Result.succeed({ _tag: "Failed", message, isRetryable: true, retryDelayMillis: delay_ms })
    : broken(["error", "delay_ms"], "is for an error that is retryable only")
}

const broken = (path: ReadonlyArray<string>, rule: string) => Result.fail(new InvalidField({ path, rule }))
