/** Standing endpoints: what members of an account and callers with a key do with them alike. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type {
  AcknowledgeBody,
  EndpointChangeBody,
  messagesQuery,
  NewEndpointBody,
  RotateEndpointBody
} from "@runhook/contract/endpoints/EndpointWire"
import { overlapSecondsDefault } from "@runhook/contract/keys/KeyWire"
import { tellingCapabilities } from "@runhook/core/endpoints/Subscription"
import type { EndpointId } from "@runhook/core/shared/Ids"
import { pageSizeDefault } from "@runhook/core/shared/Page"
import { EndpointMessages } from "@runhook/core/endpoints/EndpointMessages"
import { WebhookEndpoints } from "@runhook/core/endpoints/WebhookEndpoints"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { stillOpen } from "../authentication/CurrentCaller.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { testQueued } from "../deliveries/DeliveryToWire.ts"
import { endpointChange, endpointItem, messageItem } from "./EndpointToWire.ts"
import {
  type Audience,
  keyHolder,
  makeMembers,
  type Of,
  type OfOne,
  type Queried,
  type Sent
} from "../shared/Audience.ts"

type OfEndpoint<Path> = OfOne<Path, EndpointId>

const endpointHandlers = Effect.fnUntraced(function* <Path, R>(who: Audience<Path, never, R>) {
  const endpoints = yield* WebhookEndpoints
  const messages = yield* EndpointMessages

  const ownerOf = (path: Path) =>
    Effect.map(who.ownerOf(path, "endpoints:manage"), ({ accountId, apiKeyId }) => ({ accountId, apiKeyId }))

  const refOf = (params: OfEndpoint<Path>["params"]) =>
    Effect.map(ownerOf(params), (owner) => ({ ...owner, id: params.id }))

  /** Fails for a key that may not see what its endpoints are told. */
  const seeing = (path: Path) =>
    Effect.forEach(tellingCapabilities, (capability) => who.ownerOf(path, capability), { discard: true })

  return {
    list: Effect.fnUntraced(function* ({ params }: Of<Path>) {
      const found = yield* endpoints.list(yield* ownerOf(params))
      return { data: found.map(endpointItem) }
    }, toApiError),

    create: Effect.fnUntraced(function* ({ params, payload }: Of<Path> & Sent<typeof NewEndpointBody>) {
      yield* seeing(params)
      const { endpoint, secret } = yield* endpoints.create({
        ...(yield* ownerOf(params)),
        kind: payload.kind,
        url: payload.url ?? null,
        description: payload.description ?? "",
        eventTypes: payload.event_types ?? null,
        taskIds: payload.task_ids ?? null,
        agentIds: payload.agent_ids ?? null,
        isEnabled: payload.enabled ?? true,
        removeAfterSeconds: payload.remove_after_seconds ?? null
      })
      return { ...endpointItem(endpoint), signing_secret: Redacted.value(secret) }
    }, toApiError),

    get: Effect.fnUntraced(function* ({ params }: OfEndpoint<Path>) {
      return endpointItem(yield* endpoints.get(yield* refOf(params)))
    }, toApiError),

    update: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfEndpoint<Path> & Sent<typeof EndpointChangeBody>) {
      return endpointItem(yield* endpoints.update(yield* refOf(params), endpointChange(payload)))
    }, toApiError),

    remove: Effect.fnUntraced(function* ({ params }: OfEndpoint<Path>) {
      yield* endpoints.remove(yield* refOf(params))
    }, toApiError),

    rotate: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfEndpoint<Path> & { readonly payload: typeof RotateEndpointBody.Type | null }) {
      const overlap = Duration.seconds(payload?.overlap_seconds ?? overlapSecondsDefault)
      const { previousExpiresAt, secret } = yield* endpoints.rotate(yield* refOf(params), overlap)
      return { signing_secret: Redacted.value(secret), previous_expires_at: previousExpiresAt }
    }, toApiError),

    test: Effect.fnUntraced(function* ({ params }: OfEndpoint<Path>) {
      const queued = yield* endpoints.test(yield* refOf(params), yield* CurrentRequestId)
      return { ...testQueued(queued), endpoint_id: params.id }
    }, toApiError),

    messages: Effect.fnUntraced(function* ({
      params,
      query
    }: OfEndpoint<Path> & Queried<typeof messagesQuery>) {
      yield* seeing(params)
      const found = yield* messages.fetch({
        ref: yield* refOf(params),
        limit: query.limit ?? pageSizeDefault,
        wait: Duration.seconds(query.wait ?? 0),
        key: yield* stillOpen
      })
      return { data: found.map(messageItem) }
    }, toApiError),

    ack: Effect.fnUntraced(function* ({ params, payload }: OfEndpoint<Path> & Sent<typeof AcknowledgeBody>) {
      return { acknowledged: yield* messages.acknowledge(yield* refOf(params), payload.message_ids) }
    }, toApiError)
  }
})

export const EndpointHandlers = handlersOf(
  IntegrationApi,
  "endpoints",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* endpointHandlers(keyHolder))
  })
)

export const AdminEndpointHandlers = handlersOf(
  AdminApi,
  "endpoints",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* endpointHandlers(yield* makeMembers))
  })
)
