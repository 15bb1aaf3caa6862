/** Test webhooks of integration callers, and the history of their deliveries. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { EventId } from "@runhook/core/domain/Ids"
import type { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import { Deliveries, type DeliveryRef } from "@runhook/core/usecases/Deliveries"
import * as Effect from "effect/Effect"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { filterOf } from "../wire/DeliveryFilters.ts"
import { deliveryDetail, deliveryItem, deliveryReplayed, testQueued } from "../wire/DeliveryToWire.ts"
import { pageBody, pageRequest } from "../wire/Paging.ts"

export const WebhookHandlers = handlersOf(
  IntegrationApi,
  "webhooks",
  Effect.fnUntraced(function* (handle) {
    const deliveries = yield* Deliveries

    return handle({
      test: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, id } = yield* callerWith("webhooks:test")
        const callbackUrl = payload.callback_url
        const requestId = yield* CurrentRequestId
        return testQueued(yield* deliveries.test({ accountId, apiKeyId: id, callbackUrl, requestId }))
      }, toApiError),

      list: Effect.fnUntraced(function* ({ query }) {
        const { accountId, id } = yield* callerWith("webhooks:read")
        const filter = { ...filterOf(query), apiKeyId: id }
        return yield* pageBody(yield* deliveries.list(accountId, filter, pageRequest(query)), deliveryItem)
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* callerWith("webhooks:read")
        const found = yield* deliveries.get(ownRef(caller, params.id))
        return deliveryDetail(found)
      }, toApiError),

      replay: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* callerWith("webhooks:replay")
        const replayed = yield* deliveries.replay(ownRef(caller, params.id))
        return deliveryReplayed(replayed)
      }, toApiError)
    })
  })
)

/** Deliveries of other keys are as unknown as those of other accounts. */
const ownRef = ({ accountId, id: apiKeyId }: ApiKeyRecord, id: EventId): DeliveryRef => ({
  accountId,
  apiKeyId,
  id
})
