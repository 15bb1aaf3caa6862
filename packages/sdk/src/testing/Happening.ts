/** What happened to executions, as the service names it and counts it. */
import { isFinished } from "../requests/Finished.ts"
import type {
  ExecutionHistoryEvent,
  Json,
  KnownExecutionStatus,
  KnownHistoryEventType
} from "../wire/Integration.ts"
import type { KnownExecution } from "./World.ts"

const entered: { readonly [Status in KnownExecutionStatus]: KnownHistoryEventType } = {
  pending: "rescheduled",
  queued: "released",
  running: "started",
  awaiting_input: "input_requested",
  completed: "completed",
  error: "failed",
  cancelled: "cancelled",
  aborted: "aborted"
}

const typeOf = (before: KnownExecution | undefined, { fields }: KnownExecution): KnownHistoryEventType => {
  if (before === undefined) return "created"
  if (before.fields.status === fields.status) return "rescheduled"
  return before.fields.status === "awaiting_input" && !isFinished(fields)
    ? "input_answered"
    : entered[fields.status]
}

/** What else there is to say; null when there is nothing. */
const detailOf = (type: KnownHistoryEventType, { fields, inputs }: KnownExecution): Json => {
  switch (type) {
    case "failed":
      return { error_message: fields.error_message }
    case "aborted":
    case "cancelled":
      return { reason: fields.status_reason }
    case "input_requested":
    case "input_answered": {
      // Work asks one question at a time, so it is the last.
      const [input] = inputs.slice(-1)
      return input === undefined
        ? null
        : { input_id: input.input_id, input_key: input.input_key, prompt: input.prompt }
    }
    default:
      return null
  }
}

/** The execution with what has happened to it. A runner takes the work before it begins. */
export const noted = (before: KnownExecution | undefined, after: KnownExecution): KnownExecution => {
  const type = typeOf(before, after)
  const { attempt, status, updated_at: at } = after.fields
  const claim =
    type === "started"
      ? [{ type: "claimed" as const, at, status: "queued" as const, attempt: attempt - 1, data: null }]
      : []
  const events: ReadonlyArray<Omit<ExecutionHistoryEvent, "sequence">> = [
    ...claim,
    { type, at, status, attempt, data: detailOf(type, after) }
  ]
  const { length } = after.history
  const numbered = events.map((event, index) => ({ sequence: length + index + 1, ...event }))
  return { ...after, history: [...after.history, ...numbered] }
}
