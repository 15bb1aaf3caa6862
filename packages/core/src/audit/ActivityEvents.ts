/** Audit events of interventions in an account's work: executions, deliveries and replays. */
import type * as DateTime from "effect/DateTime"
import { type Delivery, type DeliverySummary, destinationOf } from "../deliveries/Delivery.ts"
import { type ReplayFilter, type ReplayJob, searchWithoutQuery } from "../replays/ReplayJob.ts"
import type { Execution } from "../executions/Execution.ts"
import type { InputId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import { about, event, textOf } from "./AuditedChange.ts"

/** It was queued, or held, in the name of a key. */
export const executionCreated = (execution: Execution) =>
  event(ofExecution(execution), "execution.created", {
    status: execution.status,
    key_id: execution.apiKeyId,
    task_id: execution.taskId,
    rerun_of: execution.rerunOf
  })

/** The new place in the queue. */
export const executionRescheduled = (execution: Execution) =>
  event(ofExecution(execution), "execution.rescheduled", {
    priority: execution.priority,
    scheduled_at: textOf(execution.scheduledAt),
    expires_at: textOf(execution.expiresAt)
  })

/** It became `aborted` or `cancelled`. */
export const executionStopped = (execution: Execution) =>
  event(ofExecution(execution), "execution.stopped", {
    status: execution.status,
    status_reason: execution.statusReason
  })

export const executionReleased = (execution: Execution) =>
  event(ofExecution(execution), "execution.released", { status: execution.status }, { status: "pending" })

/** What it was is gone but for this. */
export const executionRemoved = (execution: Execution) =>
  event(ofExecution(execution), "execution.removed", null, {
    status: execution.status,
    key_id: execution.apiKeyId,
    task_id: execution.taskId,
    stopped_at: textOf(execution.stoppedAt)
  })

/** Which question was answered, but not how: the answer belongs to the work. */
export const inputAnswered = (execution: Execution, inputId: InputId) =>
  event(ofExecution(execution), "execution.input_answered", { input_id: inputId })

export const deliveryReplayed = (
  before: Pick<DeliverySummary, "round" | "state">,
  after: DeliverySummary
) => {
  const stateOf = ({ round, state }: typeof before) => ({ state, round })
  return event(ofDelivery(after), "delivery.replayed", stateOf(after), stateOf(before))
}

export const deliveryTried = (before: DeliverySummary, after: DeliverySummary) => {
  const stateOf = ({ nextAttemptAt }: DeliverySummary) => ({ next_attempt_at: textOf(nextAttemptAt) })
  return event(ofDelivery(after), "delivery.tried", stateOf(after), stateOf(before))
}

/** The delivery was shown as a command, which receivers accept until then. */
export const copiedAsCurl = (delivery: DeliverySummary, expiresAt: DateTime.Utc) =>
  event(ofDelivery(delivery), "delivery.copied_as_curl", { expires_at: textOf(expiresAt) })

/** Only the origin of the URL: the rest may contain what only the receiver should know. */
export const testQueued = (delivery: Delivery) =>
  event(ofDelivery(delivery), "delivery.test_queued", {
    key_id: delivery.apiKeyId,
    url_origin: destinationOf(delivery.url)
  })

export const replayBegun = (job: ReplayJob) =>
  event(ofReplay(job), "replay.begun", { ...filterState(job.filter), expected: job.expected })

/** Undefined if it had already ended. */
export const replayCancelled = (before: ReplayJob, after: ReplayJob) =>
  before.status === after.status
    ? undefined
    : event(
        ofReplay(after),
        "replay.cancelled",
        { status: after.status, replayed: after.replayed },
        { status: before.status }
      )

const ofExecution = ({ accountId, id, reference }: Execution) =>
  about(accountId, { kind: "execution", id, name: reference })

const ofDelivery = ({ accountId, id, type }: DeliverySummary) =>
  about(accountId, { kind: "delivery", id, name: type })

const ofReplay = ({ accountId, id }: ReplayJob) => about(accountId, { kind: "replay", id, name: null })

/** What was asked for, by the names of the request. Open fields are left out. */
const filterState = (filter: ReplayFilter): JsonObject => {
  const asked = {
    status: filter.states,
    type: filter.type,
    key_id: filter.apiKeyId,
    execution_id: filter.executionId,
    q: filter.text && searchWithoutQuery(filter.text),
    from: textOf(filter.from),
    to: textOf(filter.to),
    ids: filter.ids,
    last_only: filter.lastOnly || null
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null))
}
