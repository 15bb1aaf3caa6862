/** What every move stores of its run: the state for which it was judged, and the one from now on. */
import { historyTypeOf } from "@runhook/core/executions/history/HistoryEvent"
import { isUnstarted } from "@runhook/core/runs/Run"
import * as DateTime from "effect/DateTime"
import { boolean, integer, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import type { Step } from "./Move.ts"

const after = ({ change }: Step) => change.run
const execution = ({ change }: Step) => change.run.execution

/** Whether the lease continues: its end is then the one that heartbeats have stored. */
const keepsLease = ({ before, change }: Step): boolean => {
  const [was, is] = [before.run.lease, change.run.lease]
  return was !== null && is !== null && DateTime.Equivalence(was.expiresAt, is.expiresAt)
}

export const runColumns: Columns<Step> = {
  id: uuid((step) => execution(step).id),
  revision: integer(({ before }) => before.run.revision),
  // Heartbeats raise no revision: who ends a lease for its end names the end that it saw.
  lease_seen: timestamptz(({ before, move }) =>
    move.urgency === "swept" && before.run.lease !== null ? before.run.lease.expiresAt : null
  ),
  account_id: uuid((step) => execution(step).accountId),
  agent_id: uuid((step) => execution(step).agentId),
  api_key_id: uuid((step) => execution(step).apiKeyId),
  status: text((step) => execution(step).status),
  status_reason: text((step) => execution(step).statusReason),
  error_message: text((step) => execution(step).errorMessage),
  attempt: smallint((step) => execution(step).attempt),
  epoch: integer((step) => execution(step).epoch),
  updated_at: timestamptz((step) => execution(step).updatedAt),
  started_at: timestamptz((step) => execution(step).startedAt),
  stopped_at: timestamptz((step) => execution(step).stoppedAt),
  due_at: timestamptz((step) => after(step).dueAt),
  slot: integer((step) => (after(step).lease === null ? null : step.before.slot)),
  session_id: uuid((step) => after(step).lease?.sessionId ?? null),
  claim_id: text((step) => after(step).lease?.claimId ?? null),
  lease_expires_at: timestamptz((step) => after(step).lease?.expiresAt ?? null),
  keeps_lease: boolean((step) => keepsLease(step) || null),
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
