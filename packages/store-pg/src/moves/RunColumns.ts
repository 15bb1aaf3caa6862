/** What every step stores of its run: the columns of `executions` that moves change. */
import { historyTypeOf } from "@runhook/core/domain/execution/HistoryEvent"
import { isUnstarted } from "@runhook/core/domain/run/Run"
import * as DateTime from "effect/DateTime"
import { columnsOf } from "../sql/AskedRelation.ts"
import type { Step } from "./Move.ts"

const { flag, instant, integer, text, uuid, words } = columnsOf<Step>()

const after = ({ change }: Step) => change.run
const execution = ({ change }: Step) => change.run.execution

/** Whether the lease goes on as it was: its end is then what heartbeats have made of it. */
const keepsLease = ({ before, change }: Step): boolean => {
  const [was, is] = [before.run.lease, change.run.lease]
  return was !== null && is !== null && DateTime.Equivalence(was.expiresAt, is.expiresAt)
}

/** Which execution it is, and how it was when the move was judged. */
export const guardColumns = [
  uuid("id", (step) => execution(step).id),
  integer("revision", ({ before }) => before.run.revision),
  // Heartbeats raise no revision: who ends a lease for its end names the end that it saw.
  instant("lease_seen", ({ before, move }) =>
    move.urgency === "swept" && before.run.lease !== null ? before.run.lease.expiresAt : null
  )
]

export const runColumns = [
  uuid("account_id", (step) => execution(step).accountId),
  uuid("agent_id", (step) => execution(step).agentId),
  text("status", (step) => execution(step).status),
  text("status_reason", (step) => execution(step).statusReason),
  text("error_message", (step) => execution(step).errorMessage),
  integer("attempt", (step) => execution(step).attempt),
  integer("epoch", (step) => execution(step).epoch),
  words("announced", (step) => execution(step).announced),
  instant("updated_at", (step) => execution(step).updatedAt),
  instant("started_at", (step) => execution(step).startedAt),
  instant("stopped_at", (step) => execution(step).stoppedAt),
  instant("due_at", (step) => after(step).dueAt),
  integer("slot", (step) => (after(step).lease === null ? null : step.before.slot)),
  uuid("session_id", (step) => after(step).lease?.sessionId ?? null),
  text("claim_id", (step) => after(step).lease?.claimId ?? null),
  instant("lease_expires_at", (step) => after(step).lease?.expiresAt ?? null),
  flag("keeps_lease", keepsLease),
  integer("attempt_epoch", (step) => after(step).attemptEpoch),
  // Only what was never started can expire.
  instant("start_by", (step) => (isUnstarted(after(step)) ? execution(step).expiresAt : null)),
  instant("deadline_at", (step) => after(step).deadlineAt),
  instant("input_expires_at", (step) => execution(step).inputRequest?.expiresAt ?? null),
  integer("completion_epoch", (step) => after(step).completion?.epoch ?? null),
  text("completion_fingerprint", (step) => after(step).completion?.fingerprint ?? null),
  text("completion_status", (step) => after(step).completion?.status ?? null),
  text("happening", ({ before, change }) => historyTypeOf(before.run, change.run))
]

/** What the columns are assigned, of `executions` e, from the step `n`. */
export const runAssignments = `
    revision = n.revision + 1, updated_at = n.updated_at, status = n.status,
    status_reason = n.status_reason, error_message = n.error_message, attempt = n.attempt, epoch = n.epoch,
    announced = n.announced, started_at = n.started_at, stopped_at = n.stopped_at, due_at = n.due_at,
    slot = n.slot, session_id = n.session_id, claim_id = n.claim_id, attempt_epoch = n.attempt_epoch,
    lease_expires_at = CASE WHEN n.keeps_lease THEN e.lease_expires_at ELSE n.lease_expires_at END,
    start_by = n.start_by, deadline_at = n.deadline_at, input_expires_at = n.input_expires_at,
    completion_epoch = n.completion_epoch, completion_fingerprint = n.completion_fingerprint,
    completion_status = n.completion_status`
