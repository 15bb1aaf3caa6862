/** The moves of a lease, as `core/domain/Leasing` has them. */
import { runnerLostMessage } from "@runhook/core/domain/Leasing"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instant } from "../Instants.ts"
import { entering, requeueing, stopping } from "./Assignments.ts"
import type { Step } from "./Frame.ts"

/** Whether the lease of this epoch is held. */
export const isHeld = (sql: SqlClient, epoch: number): Fragment =>
  sql`e.slot IS NOT NULL AND e.epoch = ${epoch}::integer`

export const start = (
  sql: SqlClient,
  {
    at,
    epoch,
    lease
  }: { readonly at: DateTime.Utc; readonly epoch: number; readonly lease: Duration.Duration }
): Step => ({
  at,
  condition: sql`${isHeld(sql, epoch)} AND e.status = 'queued'`,
  assignments: sql`
    ${entering(sql, "running", at)}, started_at = ${instant(at)}::timestamptz,
    attempt = CASE WHEN b.started_at IS NULL THEN b.attempt + 1 ELSE b.attempt END,
    lease_expires_at = ${instant(DateTime.addDuration(at, lease))}::timestamptz, start_by = NULL,
    deadline_at = ${instant(at)}::timestamptz + make_interval(secs => b.timeout_seconds)`
})

export const giveBack = (
  sql: SqlClient,
  {
    at,
    delay,
    epoch
  }: { readonly at: DateTime.Utc; readonly epoch: number; readonly delay: Duration.Duration }
): Step => ({
  at,
  condition: sql`${isHeld(sql, epoch)} AND e.status = 'queued'`,
  assignments: requeueing(sql, {
    at,
    dueAt: sql`${instant(DateTime.addDuration(at, delay))}::timestamptz`
  })
})

/** Gives claimed work back that a session has not started. */
export const leave = (
  sql: SqlClient,
  { at, sessionId }: { readonly at: DateTime.Utc; readonly sessionId: string }
): Step => ({
  at,
  condition: sql`e.slot IS NOT NULL AND e.session_id = ${sessionId}::uuid AND e.status = 'queued'`,
  assignments: requeueing(sql, { at, dueAt: sql`b.due_at` })
})

/** What becomes of leases that ran out: not started, to be tried again, or lost for good. */
export const loseLease = (
  sql: SqlClient,
  { at, retryAt }: { readonly at: DateTime.Utc; readonly retryAt: DateTime.Utc }
): ReadonlyArray<Step> => {
  const isOver = sql`e.slot IS NOT NULL AND e.lease_expires_at <= ${instant(at)}::timestamptz`
  return [
    {
      at,
      condition: sql`${isOver} AND e.status = 'queued'`,
      assignments: requeueing(sql, { at, dueAt: sql`b.due_at` })
    },
    {
      at,
      condition: sql`${isOver} AND e.status <> 'queued' AND e.attempt < r.max_attempts`,
      assignments: requeueing(sql, { at, dueAt: sql`${instant(retryAt)}::timestamptz` })
    },
    {
      at,
      condition: sql`${isOver} AND e.status <> 'queued' AND e.attempt >= r.max_attempts`,
      assignments: sql`${stopping(sql, "error", at)}, error_message = ${runnerLostMessage}::text`
    }
  ]
}
