/** Standing endpoints: what members of an account and callers with a key do with them alike. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import {
  type AcknowledgeBody,
  type EndpointChangeBody,
  type NewEndpointBody,
  type RotateEndpointBody
} from "@runhook/contract/wire/EndpointWire"
import { overlapSecondsDefault } from "@runhook/contract/wire/KeyWire"
import type { AccountId, EndpointId } from "@runhook/core/domain/Ids"
import { pageSizeDefault } from "@runhook/core/domain/Page"
import type { MissingCapability } from "@runhook/core/domain/Refusals"
import type { EndpointOwner } from "@runhook/core/ports/EndpointStore"
import { EndpointMessages } from "@runhook/core/usecases/EndpointMessages"
import { WebhookEndpoints } from "@runhook/core/usecases/WebhookEndpoints"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { callerWith, stillOpen } from "../authentication/CurrentCaller.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { endpointChange, endpointItem, messageItem } from "../wire/EndpointToWire.ts"

interface Of<Path> {
  readonly params: Path
}

interface OfOne<Path> {
  readonly params: Path & { readonly id: EndpointId }
}

/** `ownerOf` answers whose endpoints the path is about, if the caller may ask for them. */
const endpointHandlers = Effect.fnUntraced(function* <Path, R>(
  ownerOf: (path: Path) => Effect.Effect<EndpointOwner, MissingCapability, R>
) {
  const endpoints = yield* WebhookEndpoints
  const messages = yield* EndpointMessages

  const refOf = (params: OfOne<Path>["params"]) =>
    Effect.map(ownerOf(params), (owner) => ({ ...owner, id: params.id }))

  return {
    list: Effect.fnUntraced(function* ({ params }: Of<Path>) {
      const found = yield* endpoints.list(yield* ownerOf(params))
      return { data: found.map(endpointItem) }
    }, toApiError),

    create: Effect.fnUntraced(function* ({
      params,
      payload
    }: Of<Path> & { readonly payload: typeof NewEndpointBody.Type }) {
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

    get: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      return endpointItem(yield* endpoints.get(yield* refOf(params)))
    }, toApiError),

    update: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: typeof EndpointChangeBody.Type }) {
      return endpointItem(yield* endpoints.update(yield* refOf(params), endpointChange(payload)))
    }, toApiError),

    remove: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      yield* endpoints.remove(yield* refOf(params))
    }, toApiError),

    rotate: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: typeof RotateEndpointBody.Type | null }) {
      const overlap = Duration.seconds(payload?.overlap_seconds ?? overlapSecondsDefault)
      const { previousExpiresAt, secret } = yield* endpoints.rotate(yield* refOf(params), overlap)
      return { signing_secret: Redacted.value(secret), previous_expires_at: previousExpiresAt }
    }, toApiError),

    test: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      const { id } = yield* endpoints.test(yield* refOf(params), yield* CurrentRequestId)
      return { event_id: id, delivery_id: id, status: "queued" as const, endpoint_id: params.id }
    }, toApiError),

    messages: Effect.fnUntraced(function* ({
      params,
      query
    }: OfOne<Path> & { readonly query: { readonly limit?: number; readonly wait?: number } }) {
      const found = yield* messages.fetch({
        ref: yield* refOf(params),
        limit: query.limit ?? pageSizeDefault,
        wait: Duration.seconds(query.wait ?? 0),
        key: yield* stillOpen
      })
      return { data: found.map(messageItem) }
    }, toApiError),

    ack: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: typeof AcknowledgeBody.Type }) {
      return { acknowledged: yield* messages.acknowledge(yield* refOf(params), payload.message_ids) }
    }, toApiError)
  }
})

/** A key sees and changes what it has made. */
const ownedByKey = () =>
  Effect.map(callerWith("endpoints:manage"), ({ accountId, id }) => ({ accountId, apiKeyId: id }))

export const EndpointHandlers = handlersOf(
  IntegrationApi,
  "endpoints",
  Effect.fnUntraced(function* (handle) {
    return handle(yield* endpointHandlers(ownedByKey))
  })
)

export const AdminEndpointHandlers = handlersOf(
  AdminApi,
  "endpoints",
  Effect.fnUntraced(function* (handle) {
    const ofAccount = (path: { readonly account_id: AccountId }) =>
      Effect.succeed({ accountId: path.account_id, apiKeyId: null })
    return handle(yield* endpointHandlers(ofAccount))
  })
)
