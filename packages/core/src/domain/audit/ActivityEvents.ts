/** Audit events of interventions in an account's work: executions, deliveries and replays. */
import * as DateTime from "effect/DateTime"
import { type Delivery, type DeliverySummary, destinationOf } from "../delivery/Delivery.ts"
import { type ReplayFilter, type ReplayJob, searchWithoutQuery } from "../delivery/ReplayJob.ts"
import type { Execution } from "../execution/Execution.ts"
import type { InputId } from "../Ids.ts"
import type { JsonObject } from "../json/Json.ts"
import type { AuditEvent } from "./AuditEntry.ts"

/** It was queued, or held, in the name of a key. */
export const executionCreated = (execution: Execution): AuditEvent => ({
  ...ofExecution(execution),
  action: "execution.created",
  before: null,
  after: {
    status: execution.status,
    key_id: execution.apiKeyId,
    task_id: execution.taskId,
    rerun_of: execution.rerunOf
  }
})

/** The new place in the queue. */
export const executionRescheduled = (execution: Execution): AuditEvent => ({
  ...ofExecution(execution),
  action: "execution.rescheduled",
  before: null,
  after: {
    priority: execution.priority,
    scheduled_at: execution.scheduledAt && DateTime.formatIso(execution.scheduledAt),
    expires_at: execution.expiresAt && DateTime.formatIso(execution.expiresAt)
  }
})

/** It became `aborted` or `cancelled`. */
export const executionStopped = (execution: Execution): AuditEvent => ({
  ...ofExecution(execution),
  action: "execution.stopped",
  before: null,
  after: { status: execution.status, status_reason: execution.statusReason }
})

export const executionReleased = (execution: Execution): AuditEvent => ({
  ...ofExecution(execution),
  action: "execution.released",
  before: { status: "pending" },
  after: { status: execution.status }
})

/** Which question was answered, but not how: the answer belongs to the work. */
export const inputAnswered = (execution: Execution, inputId: InputId): AuditEvent => ({
  ...ofExecution(execution),
  action: "execution.input_answered",
  before: null,
  after: { input_id: inputId }
})

export const deliveryReplayed = (
  before: Pick<DeliverySummary, "round" | "state">,
  after: DeliverySummary
): AuditEvent => ({
  ...ofDelivery(after),
  action: "delivery.replayed",
  before: { state: before.state, round: before.round },
  after: { state: after.state, round: after.round }
})

export const deliveryTried = (before: DeliverySummary, after: DeliverySummary): AuditEvent => ({
  ...ofDelivery(after),
  action: "delivery.tried",
  before: { next_attempt_at: textOf(before.nextAttemptAt) },
  after: { next_attempt_at: textOf(after.nextAttemptAt) }
})

/** The delivery was shown as a command, which receivers accept until then. */
export const copiedAsCurl = (delivery: DeliverySummary, expiresAt: DateTime.Utc): AuditEvent => ({
  ...ofDelivery(delivery),
  action: "delivery.copied_as_curl",
  before: null,
  after: { expires_at: textOf(expiresAt) }
})

/** Only the origin of the URL: the rest may contain what only the receiver should know. */
export const testQueued = (delivery: Delivery): AuditEvent => ({
  ...ofDelivery(delivery),
  action: "delivery.test_queued",
  before: null,
  after: { key_id: delivery.apiKeyId, url_origin: destinationOf(delivery.url) }
})

export const replayBegun = (job: ReplayJob): AuditEvent => ({
  ...ofReplay(job),
  action: "replay.begun",
  before: null,
  after: { ...filterState(job.filter), expected: job.expected }
})

/** Undefined if it had already ended. */
export const replayCancelled = (before: ReplayJob, after: ReplayJob): AuditEvent | undefined =>
  before.status === after.status
    ? undefined
    : {
        ...ofReplay(after),
        action: "replay.cancelled",
        before: { status: before.status },
        after: { status: after.status, replayed: after.replayed }
      }

const textOf = (instant: DateTime.Utc | null): string | null => instant && DateTime.formatIso(instant)

const ofExecution = ({ accountId, id, reference }: Execution) => ({
  accountId,
  subject: { kind: "execution", id, name: reference } as const
})

const ofDelivery = ({ accountId, id, type }: DeliverySummary) => ({
  accountId,
  subject: { kind: "delivery", id, name: type } as const
})

const ofReplay = ({ accountId, id }: ReplayJob) => ({
  accountId,
  subject: { kind: "replay", id, name: null } as const
})

/** What was asked for, by the names of the request. Open fields are left out. */
const filterState = (filter: ReplayFilter): JsonObject => {
  const asked = {
    status: filter.states,
    type: filter.type,
    key_id: filter.apiKeyId,
    execution_id: filter.executionId,
    q: filter.text && searchWithoutQuery(filter.text),
    from: filter.from && DateTime.formatIso(filter.from),
    to: filter.to && DateTime.formatIso(filter.to),
    ids: filter.ids,
    last_only: filter.lastOnly || null
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null))
}
