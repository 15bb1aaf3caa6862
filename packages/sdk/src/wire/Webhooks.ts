/** The events of webhooks, and the test of a receiver. */
import type { Answer } from "./Envelope.ts"
import type { ExecutionStatus } from "./Executions.ts"
import type { JsonObject } from "./Json.ts"

export type KnownExecutionEventType =
  | "execution.queued"
  | "execution.started"
  | "execution.completed"
  | "execution.failed"
  | "execution.aborted"

interface EventFields {
  /** The same on every attempt, and in `X-Webhook-Event-Id`: what to deduplicate by. */
  readonly event_id: string
  readonly occurred_at: string
  readonly request_id: string
  readonly reference: string
  readonly metadata: JsonObject
}

/** An execution as it was when its event occurred. */
export interface EventExecution {
  readonly id: string
  readonly account_id: string
  readonly agent_id: string
  readonly task_id: string
  readonly task_version_id: string
  readonly status: ExecutionStatus
  /** What the work produced; null unless completed. */
  readonly result: JsonObject | null
  /** Null unless the run has failed. */
  readonly error_message: string | null
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** An execution entered a status. */
export interface ExecutionEvent<Type extends string = KnownExecutionEventType> extends EventFields {
  readonly type: Type
  readonly execution: EventExecution
}

/** A test of the receiver, about no execution. */
export interface TestEvent extends EventFields {
  readonly type: "webhook.test"
  readonly execution: null
  readonly message: string
}

/** Every event of today, told apart by `type`. Keep a `default` branch: later versions may send other types. */
export type WebhookEvent =
  | ExecutionEvent<"execution.queued">
  | ExecutionEvent<"execution.started">
  | ExecutionEvent<"execution.completed">
  | ExecutionEvent<"execution.failed">
  | ExecutionEvent<"execution.aborted">
  | TestEvent

export interface TestWebhook {
  /** Where the test is sent. */
  readonly callback_url: string
}

/** The test event is queued for delivery. */
export interface TestWebhookQueued extends Answer {
  readonly event_id: string
  readonly delivery_id: string
  readonly status: "queued"
  readonly callback_url: string
}
