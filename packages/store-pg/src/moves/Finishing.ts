/** The moves that end a run, as `core/domain/Finishing` has them. */
import { type ExecutionStatus, sourcesOf } from "@runhook/core/domain/ExecutionStatus"
import type { Outcome } from "@runhook/core/domain/Finishing"
import type * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Moments } from "../clock/StoreClock.ts"
import { entering, lettingGo, requeueing, stopping } from "./Assignments.ts"
import type { Step } from "./Frame.ts"
import { isHeld } from "./Leasing.ts"

/** The runner's report. The first of the steps that applies is the one: a failure may be tried again. */
export const finish = (
  sql: SqlClient,
  options: {
    readonly epoch: number
    readonly outcome: Outcome
    readonly fingerprint: string
    readonly moments: Moments
    /** After how long a failure is tried again, if it may be. */
    readonly retryWait: Duration.Duration
  }
): ReadonlyArray<Step> => {
  const { epoch, fingerprint, moments, outcome, retryWait } = options
  const { to, told } = endOf(sql, outcome)
  const mayEnd = sql`${isHeld(sql, epoch)} AND e.status <> 'queued' AND ${mayEnter(sql, to)}`
  const completed = (status: ExecutionStatus) => sql`
    completion_epoch = ${epoch}::integer, completion_fingerprint = ${fingerprint}::text,
    completion_status = ${status}::text`
  const end: Step = {
    moments,
    condition: mayEnd,
    assignments: sql`${entering(sql, to)}, ${lettingGo(sql)}, ${told}, ${completed(to)}`,
    result: outcome._tag === "Completed" ? outcome.result : null
  }
  const retry: Step = {
    moments,
    condition: sql`${mayEnd} AND e.attempt < r.max_attempts`,
    assignments: sql`${requeueing(sql, moments.after(retryWait))}, ${completed("queued")}`
  }
  return outcome._tag === "Failed" && outcome.isRetryable ? [retry, end] : [end]
}

const endOf = (
  sql: SqlClient,
  outcome: Outcome
): { readonly to: ExecutionStatus; readonly told: Fragment } => {
  switch (outcome._tag) {
    case "Completed":
      return { to: "completed", told: sql`error_message = NULL` }
    case "Failed":
      return { to: "error", told: sql`error_message = ${outcome.message}::text` }
    case "Cancelled":
      return { to: "cancelled", told: sql`status_reason = ${outcome.reason}::text` }
  }
}

const mayEnter = (sql: SqlClient, to: ExecutionStatus): Fragment =>
  sql`e.status = ANY (${sourcesOf(to)}::text[])`

export const stop = (
  sql: SqlClient,
  {
    moments,
    reason,
    to
  }: { readonly to: "aborted" | "cancelled"; readonly reason: string | null; readonly moments: Moments }
): Step => ({
  moments,
  condition: mayEnter(sql, to),
  assignments: sql`${stopping(sql, to)}, status_reason = ${reason}::text`
})

/** Cancels what was not started in time. `start_by` is set only until the first start. */
export const expire = (sql: SqlClient, moments: Moments): ReadonlyArray<Step> => {
  const cancelled = stop(sql, { to: "cancelled", reason: "not started before expires_at", moments })
  return [{ ...cancelled, condition: sql`e.start_by <= ${moments.now}` }]
}

export const timeOut = (sql: SqlClient, moments: Moments): ReadonlyArray<Step> => [
  {
    moments,
    condition: sql`e.status = 'running' AND e.deadline_at <= ${moments.now}`,
    assignments: sql`
      ${stopping(sql, "error")},
      error_message = 'timed out after ' || b.timeout_seconds || ' seconds'`
  }
]

/** Queues a held execution. */
export const release = (sql: SqlClient, moments: Moments): Step => ({
  moments,
  condition: sql`e.status = 'pending'`,
  assignments: sql`${entering(sql, "queued")}, due_at = greatest(${moments.now}, b.scheduled_at)`
})
