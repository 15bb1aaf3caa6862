/** What callers with a key and members of an account do with webhook deliveries. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { adminDeliveryQuery } from "@runhook/contract/deliveries/DeliveryWire"
import type { AccountId, ApiKeyId, EventId } from "@runhook/core/shared/Ids"
import type { Capability } from "@runhook/core/keys/ApiKeyRecord"
import { CurlCommands } from "@runhook/core/deliveries/CurlCommands"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import * as Effect from "effect/Effect"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { filterOf } from "./DeliveryFilters.ts"
import {
  deadLetterList,
  deliveryDetail,
  deliveryItem,
  deliveryReplayed,
  deliveryTried,
  testQueued
} from "./DeliveryToWire.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import {
  type Audience,
  keyHolder,
  makeMembers,
  type Of,
  type OfOne,
  type Queried
} from "../shared/Audience.ts"

const deliveryHandlers = Effect.fnUntraced(function* <Path, R>(who: Audience<Path, never, R>) {
  const deliveries = yield* Deliveries

  const refOf = (params: OfOne<Path, EventId>["params"], capability: Capability) =>
    Effect.map(who.ownerOf(params, capability), (owner) => ({ ...owner, id: params.id }))

  return {
    list: Effect.fnUntraced(function* ({ params, query }: Of<Path> & Queried<typeof adminDeliveryQuery>) {
      const { accountId, apiKeyId } = yield* who.ownerOf(params, "webhooks:read")
      const { callback, hidesQueries } = yield* who.visibilityOf(accountId)
      const asked = filterOf(query)
      const filter = { ...asked, apiKeyId: apiKeyId ?? asked.apiKeyId, hidesQueries }
      const page = yield* deliveries.list(accountId, filter, pageRequest(query))
      return yield* pageBody(page, (item) => callback(deliveryItem(item)))
    }, toApiError),

    get: Effect.fnUntraced(function* ({ params }: OfOne<Path, EventId>) {
      const ref = yield* refOf(params, "webhooks:read")
      const found = yield* deliveries.get(ref)
      const { delivery } = yield* who.visibilityOf(ref.accountId)
      return delivery(deliveryDetail(found))
    }, toApiError),

    replay: Effect.fnUntraced(function* ({ params }: OfOne<Path, EventId>) {
      return deliveryReplayed(yield* deliveries.replay(yield* refOf(params, "webhooks:replay")))
    }, toApiError),

    /** Sends a test in the name of a key. */
    testOf: Effect.fnUntraced(function* (
      key: { readonly accountId: AccountId; readonly id: ApiKeyId },
      callbackUrl: string
    ) {
      const requestId = yield* CurrentRequestId
      const { accountId, id: apiKeyId } = key
      const queued = yield* deliveries.test({ accountId, apiKeyId, callbackUrl, requestId })
      return { ...testQueued(queued), callback_url: queued.delivery.url }
    })
  }
})

export const WebhookHandlers = handlersOf(
  IntegrationApi,
  "webhooks",
  Effect.fnUntraced(function* (handle) {
    const { testOf, ...shared } = yield* deliveryHandlers(keyHolder)
    return handle({
      ...shared,

      test: Effect.fnUntraced(function* ({ payload }) {
        return yield* testOf(yield* callerWith("webhooks:test"), payload.callback_url)
      }, toApiError)
    })
  })
)

export const DeliveryHandlers = handlersOf(
  AdminApi,
  "deliveries",
  Effect.fnUntraced(function* (handle) {
    const commands = yield* CurlCommands
    const deliveries = yield* Deliveries
    const { testOf, ...shared } = yield* deliveryHandlers(yield* makeMembers)
    return handle({
      ...shared,

      deadLetters: Effect.fnUntraced(function* ({ params }) {
        return deadLetterList(yield* deliveries.deadLetters(params.account_id))
      }),

      try: Effect.fnUntraced(function* ({ params: { account_id: accountId, id } }) {
        return deliveryTried(yield* deliveries.tryNow({ accountId, apiKeyId: null, id }))
      }, toApiError),

      curl: Effect.fnUntraced(function* ({ params }) {
        const { command, expiresAt } = yield* commands.make(params.account_id, params.id)
        return { command, expires_at: expiresAt }
      }, toApiError),

      test: ({ params: { account_id: accountId }, payload }) =>
        toApiError(testOf({ accountId, id: payload.key_id }, payload.callback_url))
    })
  })
)
