/** The moves of a lease, as `core/domain/Leasing` has them. */
import { runnerLostMessage } from "@runhook/core/domain/Leasing"
import type * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Moments } from "../clock/StoreClock.ts"
import { entering, requeueing, stopping } from "./Assignments.ts"
import type { Step } from "./Frame.ts"

/** Whether the lease of this epoch is held. */
export const isHeld = (sql: SqlClient, epoch: number): Fragment =>
  sql`e.slot IS NOT NULL AND e.epoch = ${epoch}::integer`

export const start = (
  sql: SqlClient,
  {
    epoch,
    lease,
    moments
  }: { readonly moments: Moments; readonly epoch: number; readonly lease: Duration.Duration }
): Step => ({
  moments,
  condition: sql`${isHeld(sql, epoch)} AND e.status = 'queued'`,
  assignments: sql`
    ${entering(sql, "running")}, started_at = b.moved_at,
    attempt = CASE WHEN b.started_at IS NULL THEN b.attempt + 1 ELSE b.attempt END,
    lease_expires_at = ${moments.after(lease)}, start_by = NULL,
    deadline_at = ${moments.now} + make_interval(secs => b.timeout_seconds)`
})

export const giveBack = (
  sql: SqlClient,
  {
    delay,
    epoch,
    moments
  }: { readonly moments: Moments; readonly epoch: number; readonly delay: Duration.Duration }
): Step => ({
  moments,
  condition: sql`${isHeld(sql, epoch)} AND e.status = 'queued'`,
  assignments: requeueing(sql, moments.after(delay))
})

/** Gives claimed work back that a session has not started. */
export const leave = (
  sql: SqlClient,
  { moments, sessionId }: { readonly moments: Moments; readonly sessionId: string }
): Step => ({
  moments,
  condition: sql`e.slot IS NOT NULL AND e.session_id = ${sessionId}::uuid AND e.status = 'queued'`,
  assignments: requeueing(sql, sql`b.due_at`)
})

/** What becomes of leases that ran out: not started, to be tried again, or lost for good. */
export const loseLease = (
  sql: SqlClient,
  { moments, retryWait }: { readonly moments: Moments; readonly retryWait: Duration.Duration }
): ReadonlyArray<Step> => {
  const isOver = sql`e.slot IS NOT NULL AND e.lease_expires_at <= ${moments.now}`
  return [
    {
      moments,
      condition: sql`${isOver} AND e.status = 'queued'`,
      assignments: requeueing(sql, sql`b.due_at`)
    },
    {
      moments,
      condition: sql`${isOver} AND e.status <> 'queued' AND e.attempt < r.max_attempts`,
      assignments: requeueing(sql, moments.after(retryWait))
    },
    {
      moments,
      condition: sql`${isOver} AND e.status <> 'queued' AND e.attempt >= r.max_attempts`,
      assignments: sql`${stopping(sql, "error")}, error_message = ${runnerLostMessage}::text`
    }
  ]
}
