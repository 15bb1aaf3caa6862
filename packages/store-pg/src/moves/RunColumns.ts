/** What every step stores of its run: the columns of `executions` that moves change. */
import { historyTypeOf } from "@runhook/core/domain/execution/HistoryEvent"
import { isUnstarted } from "@runhook/core/domain/run/Run"
import * as DateTime from "effect/DateTime"
import { boolean, integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import type { Columns } from "../sql/Rows.ts"
import type { Step } from "./Move.ts"

const after = ({ change }: Step) => change.run
const execution = ({ change }: Step) => change.run.execution

/** Whether the lease continues: its end is then the one that heartbeats have stored. */
const keepsLease = ({ before, change }: Step): boolean => {
  const [was, is] = [before.run.lease, change.run.lease]
  return was !== null && is !== null && DateTime.Equivalence(was.expiresAt, is.expiresAt)
}

/** Which execution it is, and its state when the move was judged. */
export const guardColumns: Columns<Step> = {
  id: uuid((step) => execution(step).id),
  revision: integer(({ before }) => before.run.revision),
  revision_after: integer(({ before }) => before.run.revision + 1),
  // Heartbeats raise no revision: who ends a lease for its end names the end that it saw.
  lease_seen: timestamptz(({ before, move }) =>
    move.urgency === "swept" && before.run.lease !== null ? before.run.lease.expiresAt : null
  )
}

export const runColumns: Columns<Step> = {
  account_id: uuid((step) => execution(step).accountId),
  agent_id: uuid((step) => execution(step).agentId),
  status: text((step) => execution(step).status),
  status_reason: text((step) => execution(step).statusReason),
  error_message: text((step) => execution(step).errorMessage),
  attempt: integer((step) => execution(step).attempt),
  epoch: integer((step) => execution(step).epoch),
  updated_at: timestamptz((step) => execution(step).updatedAt),
  started_at: timestamptz((step) => execution(step).startedAt),
  stopped_at: timestamptz((step) => execution(step).stoppedAt),
  due_at: timestamptz((step) => after(step).dueAt),
  slot: integer((step) => (after(step).lease === null ? null : step.before.slot)),
  session_id: uuid((step) => after(step).lease?.sessionId ?? null),
  claim_id: text((step) => after(step).lease?.claimId ?? null),
  lease_expires_at: timestamptz((step) => after(step).lease?.expiresAt ?? null),
  keeps_lease: boolean(keepsLease),
  attempt_epoch: integer((step) => after(step).attemptEpoch),
  // Only an execution that never started can expire.
  start_by: timestamptz((step) => (isUnstarted(after(step)) ? execution(step).expiresAt : null)),
  deadline_at: timestamptz((step) => after(step).deadlineAt),
  input_expires_at: timestamptz((step) => execution(step).inputRequest?.expiresAt ?? null),
  completion_epoch: integer((step) => after(step).completion?.epoch ?? null),
  completion_fingerprint: text((step) => after(step).completion?.fingerprint ?? null),
  completion_status: text((step) => after(step).completion?.status ?? null),
  happening: text(({ before, change }) => historyTypeOf(before.run, change.run))
}

/** Assignments to `executions` e, from the step `n`. */
export const runAssignments = `
    revision = n.revision_after, updated_at = n.updated_at, status = n.status,
    status_reason = n.status_reason, error_message = n.error_message, attempt = n.attempt, epoch = n.epoch,
    started_at = n.started_at, stopped_at = n.stopped_at, due_at = n.due_at,
    slot = n.slot, session_id = n.session_id, claim_id = n.claim_id, attempt_epoch = n.attempt_epoch,
    lease_expires_at = CASE WHEN n.keeps_lease THEN e.lease_expires_at ELSE n.lease_expires_at END,
    start_by = n.start_by, deadline_at = n.deadline_at, input_expires_at = n.input_expires_at,
    completion_epoch = n.completion_epoch, completion_fingerprint = n.completion_fingerprint,
    completion_status = n.completion_status`
