/** What happened to an execution: one event for each of its changes, numbered by the revision it led to. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Json } from "../../shared/json/Json.ts"
import type { InputRequest } from "../../runs/InputRequest.ts"
import type { Run } from "../../runs/Run.ts"
import { ExecutionStatus } from "../ExecutionStatus.ts"

/**
 * - `created`, `released`: accepted; queued after it was held.
 * - `claimed`, `given_back`: a runner claimed it; it went back before it started.
 * - `started`: a runner started it, or continues it after an answer to a question
 *   that had released the runner.
 * - `input_requested`, `input_answered`: the work asked a question; it was
 *   answered.
 * - `requeued`: the attempt ended, and another will follow.
 * - `rescheduled`: its place in the queue was changed.
 * - `completed`, `failed`, `cancelled`, `aborted`: how it ended.
 */
export const HistoryEventType = Schema.Literals([
  "created",
  "released",
  "claimed",
  "given_back",
  "started",
  "input_requested",
  "input_answered",
  "requeued",
  "rescheduled",
  "completed",
  "failed",
  "cancelled",
  "aborted"
])
export type HistoryEventType = typeof HistoryEventType.Type

export const HistoryEvent = Schema.Struct({
  sequence: Schema.Int,
  type: HistoryEventType,
  at: Schema.DateTimeUtc,
  status: ExecutionStatus,
  /** How often the work had been started. */
  attempt: Schema.Int
})
export type HistoryEvent = typeof HistoryEvent.Type

/** An event with its details. */
export interface ToldEvent extends HistoryEvent {
  readonly data: Json
}

/** The name of a run's change; `before` is undefined for its creation. */
export const historyTypeOf = (before: Run | undefined, after: Run): HistoryEventType => {
  if (before === undefined) return "created"
  const { status } = after.execution
  if (status !== before.execution.status) return typeOnEntering[status](before, after)
  if (before.lease === null && after.lease !== null) return "claimed"
  return before.lease !== null && after.lease === null ? "given_back" : "rescheduled"
}

type OnEntering = (before: Run, after: Run) => HistoryEventType

const typeOnEntering: { readonly [Status in ExecutionStatus]: OnEntering } = {
  pending: () => "rescheduled",
  queued: (before, after) => {
    if (before.execution.status === "pending") return "released"
    // Taking the work from its runner raises the epoch; an answer does not.
    return before.execution.epoch === after.execution.epoch ? "input_answered" : "requeued"
  },
  running: ({ execution }) => (execution.status === "queued" ? "started" : "input_answered"),
  awaiting_input: () => "input_requested",
  completed: () => "completed",
  error: () => "failed",
  cancelled: () => "cancelled",
  aborted: () => "aborted"
}

/** The event of a change. */
export const historyEventOf = (before: Run | undefined, after: Run): HistoryEvent => ({
  sequence: after.revision,
  type: historyTypeOf(before, after),
  at: after.execution.updatedAt,
  status: after.execution.status,
  attempt: after.execution.attempt
})

/** Details of an event, read from the run as it is now; null if there are none. */
export const detailOf = ({ at, type }: HistoryEvent, { execution, inputs }: Run): Json => {
  switch (type) {
    case "failed":
      return { error_message: execution.errorMessage }
    case "aborted":
    case "cancelled":
      return { reason: execution.statusReason }
    case "input_requested":
      return questionOf(inputs.find(({ askedAt }) => DateTime.Equivalence(askedAt, at)))
    case "input_answered":
      return questionOf(
        inputs.find(({ answeredAt }) => answeredAt !== null && DateTime.Equivalence(answeredAt, at))
      )
    default:
      return null
  }
}

const questionOf = (input: InputRequest | undefined): Json =>
  input === undefined ? null : { input_id: input.id, input_key: input.key, prompt: input.prompt }
