/**
 * The body of a webhook. It is made of what never changes about the event, so every
 * attempt sends the same bytes.
 */
import * as DateTime from "effect/DateTime"
import type { Execution } from "../executions/Execution.ts"
import { stripReserved } from "../executions/Metadata.ts"
import type { EventId } from "../shared/Ids.ts"
import type { ExecutionEventType } from "./WebhookEventType.ts"

/** The message in the body of a `webhook.test`. */
const testMessage = "This is a test webhook. Your endpoint is reachable."

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

/** The body of an execution's event, with the execution as it was after the change. */
export const renderExecutionEvent = (event: {
  readonly id: EventId
  readonly type: ExecutionEventType
  readonly occurredAt: DateTime.Utc
  readonly execution: EventExecution
}): string => {
  const { execution } = event
  const { agentId, id, reference, requestId, status, taskId, taskVersionId } = execution
  const result = event.type === "execution.completed" ? execution.result : null
  const errorMessage = event.type === "execution.failed" ? execution.errorMessage : null
  // Spelled out by hand, since stored text goes in as it is; our own ids and words need no escaping.
  return (
    `{"event_id":"${event.id}","type":"${event.type}","occurred_at":"${DateTime.formatIso(event.occurredAt)}",` +
    `"request_id":${JSON.stringify(requestId)},"reference":${JSON.stringify(reference)},` +
    `"metadata":${stripReserved(execution.metadata).text},"execution":{"id":"${id}",` +
    `"account_id":"${execution.accountId}","agent_id":"${agentId}","task_id":"${taskId}",` +
    `"task_version_id":"${taskVersionId}","status":"${status}","result":${result?.text ?? "null"},` +
    `"error_message":${JSON.stringify(errorMessage)},"started_at":${formatted(execution.startedAt)},` +
    `"stopped_at":${formatted(execution.stoppedAt)},"created_at":${formatted(execution.createdAt)},` +
    `"updated_at":${formatted(execution.updatedAt)}}}`
  )
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

const formatted = (instant: DateTime.Utc | null): string =>
  instant === null ? "null" : `"${DateTime.formatIso(instant)}"`
