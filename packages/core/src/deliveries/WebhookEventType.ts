/** The types of webhook events, and which status emits which. */
import * as Schema from "effect/Schema"
import type { ExecutionStatus } from "../executions/ExecutionStatus.ts"

export const ExecutionEventType = Schema.Literals([
  "execution.queued",
  "execution.started",
  "execution.completed",
  "execution.failed",
  "execution.aborted"
])
export type ExecutionEventType = typeof ExecutionEventType.Type

export const WebhookEventType = Schema.Literals([...ExecutionEventType.literals, "webhook.test"])
export type WebhookEventType = typeof WebhookEventType.Type

const eventOfStatus: { readonly [Status in ExecutionStatus]: ExecutionEventType | null } = {
  pending: null,
  queued: "execution.queued",
  running: "execution.started",
  awaiting_input: null,
  completed: "execution.completed",
  error: "execution.failed",
  cancelled: "execution.aborted",
  aborted: "execution.aborted"
}

/** The event that entering a status emits; null if it emits none. */
export const eventOnEntering = (status: ExecutionStatus): ExecutionEventType | null => eventOfStatus[status]
