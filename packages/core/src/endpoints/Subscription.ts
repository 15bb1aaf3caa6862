/** Who is told of a change: which standing endpoints want its event. Pure; stores ask it after the change was stored. */
import type * as DateTime from "effect/DateTime"
import type { Delivery } from "../deliveries/Delivery.ts"
import { newDelivery } from "../deliveries/Delivery.ts"
import { type EventExecution, renderExecutionEvent } from "../deliveries/WebhookPayload.ts"
import type { ExecutionEventType } from "../deliveries/WebhookEventType.ts"
import type { Execution } from "../executions/Execution.ts"
import type { AgentId, TaskId } from "../shared/Ids.ts"
import { type ApiKeyRecord, type Capability, isCapable, isUsable } from "../keys/ApiKeyRecord.ts"
import { isInScope, scopeOf } from "../keys/KeyScope.ts"
import type { Change } from "../runs/Run.ts"
import type { EndpointEvent } from "./EndpointEvent.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"

/** What bounds an endpoint that a key has made: the key as it is now. */
export type EndpointKey = Pick<
  ApiKeyRecord,
  "allowedAgentIds" | "allowedTaskIds" | "capabilities" | "expiresAt" | "revokedAt"
>

/** What a key needs for its endpoints to be told of executions, and to fetch their messages: these show results. */
export const tellingCapabilities: ReadonlyArray<Capability> = ["endpoints:manage", "executions:read"]

/** A change as endpoints choose it. */
export interface Announcement {
  readonly type: ExecutionEventType
  readonly agentId: AgentId
  readonly taskId: TaskId
  readonly at: DateTime.Utc
}

/** An endpoint as it is when it is to be told of a change. */
export interface Subscription extends Pick<
  WebhookEndpoint,
  "agentIds" | "apiKeyId" | "eventTypes" | "id" | "isEnabled" | "taskIds" | "url"
> {
  /** Null if no key has made it. */
  readonly key: EndpointKey | null
}

const includes = <Id>(ids: ReadonlyArray<Id> | null, id: Id): boolean => ids === null || ids.includes(id)

/** Whether a key lets the endpoints that it has made be told of anything. What waits for the others is cancelled. */
export const isTelling = (
  key: Omit<EndpointKey, "allowedAgentIds" | "allowedTaskIds">,
  at: DateTime.Utc
): boolean => isUsable(key, at) && tellingCapabilities.every((capability) => isCapable(key, capability))

/** Whether an endpoint that was enabled when a change was stored is told of it. */
export const isToldOf = (
  { agentIds, eventTypes, isEnabled, key, taskIds }: Subscription,
  { agentId, at, taskId, type }: Announcement
): boolean => {
  if (!isEnabled || !includes(eventTypes, type)) return false
  if (!includes(taskIds, taskId) || !includes(agentIds, agentId)) return false
  return key === null || (isTelling(key, at) && isInScope(scopeOf(key), { agentId, taskId }))
}

/** What a change announces; null if that is nothing. */
export const announcementOf = ({ announced: type, run: { execution } }: Change): Announcement | null => {
  const { agentId, taskId, updatedAt: at } = execution
  return type && { type, agentId, taskId, at }
}

/** An execution as it was after a change, and the number of that change. */
interface ChangedExecution {
  readonly execution: EventExecution & Pick<Execution, "traceparent">
  readonly revision: number
}

/** The delivery of an event that announces a change. */
export const toldBy = (
  { type, at }: Pick<Announcement, "at" | "type">,
  { execution, revision }: ChangedExecution,
  event: EndpointEvent
): Delivery => {
  const { accountId, id: executionId, reference, requestId, traceparent } = execution
  const body = renderExecutionEvent({ id: event.id, type, occurredAt: at, execution })
  const subject = { accountId, executionId, revision, type, requestId, reference, body, traceparent }
  return newDelivery({ ...subject, ...event }, at)
}
