/** Assignments that several moves share, in the words of `core/domain/Run`: to columns of `e`, from the locked row `b`. */
import { type ExecutionStatus, isTerminal } from "@runhook/core/domain/ExecutionStatus"
import { eventOnEntering } from "@runhook/core/domain/WebhookEventType"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Enters a status, and notes its event unless that was noted before. */
export const entering = (sql: SqlClient, to: ExecutionStatus): Fragment => {
  const type = eventOnEntering(to)
  const announced =
    type === null
      ? sql`b.announced`
      : sql`CASE WHEN ${type}::text = ANY (b.announced) THEN b.announced ELSE b.announced || ${type}::text END`
  const stopped = isTerminal(to)
    ? sql`, stopped_at = b.moved_at, start_by = NULL, input_expires_at = NULL`
    : sql``
  return sql`status = ${to}::text, announced = ${announced}${stopped}`
}

/** Takes the lease away, and the time limit that went with it. The slot is freed by the frame. */
export const lettingGo = (sql: SqlClient): Fragment =>
  sql`slot = NULL, session_id = NULL, claim_id = NULL, lease_expires_at = NULL, deadline_at = NULL`

/** Puts the execution back into the queue at `dueAt`; whoever had it has it no more. */
export const requeueing = (sql: SqlClient, dueAt: Fragment): Fragment => sql`
  ${entering(sql, "queued")}, ${lettingGo(sql)}, epoch = b.epoch + 1, attempt_epoch = NULL,
  started_at = CASE WHEN b.status = 'queued' THEN b.started_at END, input_expires_at = NULL, due_at = ${dueAt}`

/** Ends the execution over the head of its runner. */
export const stopping = (sql: SqlClient, to: ExecutionStatus): Fragment =>
  sql`${entering(sql, to)}, ${lettingGo(sql)}, epoch = b.epoch + 1`
