/** Audit events of standing endpoints. Of a URL only the origin is shown. */
import { destinationOf } from "../deliveries/Delivery.ts"
import type { WebhookEndpoint } from "../endpoints/WebhookEndpoint.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import { about, changed, event } from "./AuditedChange.ts"
import type { AuditEvent } from "./AuditEntry.ts"

export const endpointCreated = (endpoint: WebhookEndpoint): AuditEvent =>
  event(ofEndpoint(endpoint), "endpoint.created", stateOf(endpoint))

export const endpointUpdated = (before: WebhookEndpoint, after: WebhookEndpoint): AuditEvent | undefined =>
  changed(ofEndpoint(after), "endpoint.updated", stateOf(before), stateOf(after))

export const endpointRotated = (endpoint: WebhookEndpoint): AuditEvent =>
  event(ofEndpoint(endpoint), "endpoint.rotated", null)

export const endpointRemoved = (endpoint: WebhookEndpoint): AuditEvent =>
  event(ofEndpoint(endpoint), "endpoint.removed", null, stateOf(endpoint))

const ofEndpoint = ({ accountId, description, id, url }: WebhookEndpoint) =>
  about(accountId, { kind: "endpoint", id, name: description === "" ? destinationOf(url) : description })

const stateOf = (endpoint: WebhookEndpoint): JsonObject => ({
  kind: endpoint.kind,
  origin: destinationOf(endpoint.url),
  description: endpoint.description,
  event_types: endpoint.eventTypes,
  task_ids: endpoint.taskIds,
  agent_ids: endpoint.agentIds,
  enabled: endpoint.isEnabled
})
