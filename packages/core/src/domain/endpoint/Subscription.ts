/** Who is told of a change: which standing endpoints want its event. Pure; stores ask it as they store a change. */
import type * as DateTime from "effect/DateTime"
import type { Delivery } from "../delivery/Delivery.ts"
import { newDelivery } from "../delivery/Delivery.ts"
import { renderExecutionEvent } from "../delivery/WebhookPayload.ts"
import { type ApiKeyRecord, type Capability, isCapable, isUsable } from "../keys/ApiKeyRecord.ts"
import { isInScope, scopeOf } from "../keys/KeyScope.ts"
import type { Change } from "../run/Run.ts"
import type { EndpointEvent } from "./EndpointEvent.ts"
import type { WebhookEndpoint } from "./WebhookEndpoint.ts"

/** What bounds an endpoint that a key has made: the key as it is now. */
export type EndpointKey = Pick<
  ApiKeyRecord,
  "allowedAgentIds" | "allowedTaskIds" | "capabilities" | "expiresAt" | "revokedAt"
>

/** What a key needs for its endpoints to be told of executions, and to fetch their messages: these show results. */
export const tellingCapabilities: ReadonlyArray<Capability> = ["endpoints:manage", "executions:read"]

/** An endpoint as a change asks for it. */
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

/** Whether an endpoint is told of a change. */
export const isToldOf = (
  { agentIds, eventTypes, isEnabled, key, taskIds }: Subscription,
  { announced, run: { execution } }: Change
): boolean => {
  if (!isEnabled || announced === null || !includes(eventTypes, announced)) return false
  const { agentId, taskId, updatedAt } = execution
  if (!includes(taskIds, taskId) || !includes(agentIds, agentId)) return false
  return key === null || (isTelling(key, updatedAt) && isInScope(scopeOf(key), execution))
}

/** The delivery for an endpoint; null if the change announces nothing. */
export const toldBy = (
  { announced: type, run: { execution, revision } }: Change,
  telling: EndpointEvent
): Delivery | null => {
  if (type === null) return null
  const { accountId, id: executionId, reference, requestId, traceparent, updatedAt } = execution
  const body = renderExecutionEvent({ id: telling.id, type, occurredAt: updatedAt, execution })
  const subject = { accountId, executionId, revision, type, requestId, reference, body, traceparent }
  return newDelivery({ ...subject, ...telling }, updatedAt)
}
