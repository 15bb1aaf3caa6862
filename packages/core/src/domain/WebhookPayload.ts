/**
 * The body of a webhook: rendered once, when the event is stored with the
 * change that caused it, and sent byte for byte the same on every attempt.
 */
import * as DateTime from "effect/DateTime"
import type { Execution } from "./Execution.ts"
import type { EventId } from "./Ids.ts"
import { stripReserved } from "./Metadata.ts"
import type { ExecutionEventType } from "./WebhookEventType.ts"

/** Says what `webhook.test` is for, in its body. */
export const testMessage = "This is a test webhook. Your endpoint is reachable."

/** The reference of a test event, which belongs to no execution. */
export const testReference = "webhook-test"

/** What the body of an event shows of its execution. */
export type EventExecution = Pick<
  Execution,
  | "id"
  | "accountId"
  | "agentId"
  | "taskId"
  | "taskVersionId"
  | "requestId"
  | "reference"
  | "metadata"
  | "status"
  | "result"
  | "errorMessage"
  | "startedAt"
  | "stoppedAt"
  | "createdAt"
  | "updatedAt"
>

/** The body of an execution's event, with the execution as it is after the change. */
export const renderExecutionEvent = (event: {
  readonly id: EventId
  readonly type: ExecutionEventType
  readonly occurredAt: DateTime.Utc
  readonly execution: EventExecution
}): string => {
  const { execution } = event
  return JSON.stringify({
    event_id: event.id,
    type: event.type,
    occurred_at: DateTime.formatIso(event.occurredAt),
    request_id: execution.requestId,
    reference: execution.reference,
    metadata: stripReserved(execution.metadata),
    execution: {
      id: execution.id,
      account_id: execution.accountId,
      agent_id: execution.agentId,
      task_id: execution.taskId,
      task_version_id: execution.taskVersionId,
      status: execution.status,
      result: event.type === "execution.completed" ? execution.result : null,
      error_message: event.type === "execution.failed" ? execution.errorMessage : null,
      started_at: formatted(execution.startedAt),
      stopped_at: formatted(execution.stoppedAt),
      created_at: DateTime.formatIso(execution.createdAt),
      updated_at: DateTime.formatIso(execution.updatedAt)
    }
  })
}

/** The body of a `webhook.test` event. */
export const renderTestEvent = (event: {
  readonly id: EventId
  readonly occurredAt: DateTime.Utc
  readonly requestId: string
}): string =>
  JSON.stringify({
    event_id: event.id,
    type: "webhook.test",
    occurred_at: DateTime.formatIso(event.occurredAt),
    request_id: event.requestId,
    reference: testReference,
    metadata: {},
    execution: null,
    message: testMessage
  })

const formatted = (instant: DateTime.Utc | null): string | null =>
  instant === null ? null : DateTime.formatIso(instant)
