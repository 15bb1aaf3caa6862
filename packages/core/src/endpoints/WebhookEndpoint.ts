/** A standing endpoint: a receiver of events of many executions, beside the callback URL of each. */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { pollScheme } from "../deliveries/Delivery.ts"
import { ExecutionEventType } from "../deliveries/WebhookEventType.ts"
import { AccountId, AgentId, ApiKeyId, EndpointId, TaskId } from "../shared/Ids.ts"

/** Endpoints of an account: each event is stored once more for every one that wants it. */
export const endpointsMax = 20

/** `push`: events are sent to its URL. `poll`: its receiver fetches them as messages, and acknowledges each. */
export const EndpointKind = Schema.Literals(["push", "poll"])
export type EndpointKind = typeof EndpointKind.Type

export const WebhookEndpoint = Schema.Struct({
  id: EndpointId,
  accountId: AccountId,
  /** The key that made it, and whose tasks and agents bound what it is told of; null: all of the account. */
  apiKeyId: Schema.NullOr(ApiKeyId),
  kind: EndpointKind,
  url: Schema.String,
  description: Schema.String,
  /** Which events it wants, of which tasks and agents; null: all. */
  eventTypes: Schema.NullOr(Schema.Array(ExecutionEventType)),
  taskIds: Schema.NullOr(Schema.Array(TaskId)),
  agentIds: Schema.NullOr(Schema.Array(AgentId)),
  /** Nothing that happens while it is not enabled is ever told to it. */
  isEnabled: Schema.Boolean,
  /** A poll endpoint that nobody has fetched from for so long is removed; null: never. */
  removeAfterSeconds: Schema.NullOr(Schema.Int),
  /** When somebody fetched from it, give or take a quarter of that time. */
  fetchedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The sealed signing secret, and the one before it, which signs beside it until its end. */
  ciphertext: Schema.String,
  previousCiphertext: Schema.NullOr(Schema.String),
  previousExpiresAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/** What may be changed about an endpoint. */
export type EndpointChange = Partial<
  Pick<WebhookEndpoint, "agentIds" | "description" | "eventTypes" | "isEnabled" | "taskIds" | "url">
>

/** The URL of a poll endpoint, which only tells its deliveries from those of others. */
export const pollUrlOf = (id: EndpointId): string => `${pollScheme}//${id}`

/** An endpoint as it is first stored. */
export const newEndpoint = (
  given: Omit<
    WebhookEndpoint,
    "createdAt" | "fetchedAt" | "previousCiphertext" | "previousExpiresAt" | "updatedAt"
  >,
  at: DateTime.Utc
): WebhookEndpoint => ({
  ...given,
  fetchedAt: null,
  previousCiphertext: null,
  previousExpiresAt: null,
  createdAt: at,
  updatedAt: at
})

/** With another signing secret; the one before it signs until then as well. */
export const withSecret = (
  endpoint: WebhookEndpoint,
  options: {
    readonly ciphertext: string
    readonly previousExpiresAt: DateTime.Utc
    readonly at: DateTime.Utc
  }
): WebhookEndpoint => ({
  ...endpoint,
  ciphertext: options.ciphertext,
  previousCiphertext: endpoint.ciphertext,
  previousExpiresAt: options.previousExpiresAt,
  updatedAt: options.at
})
