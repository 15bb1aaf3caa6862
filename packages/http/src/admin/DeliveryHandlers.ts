/** Operators and the webhook deliveries of an account. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { AccountId, EventId } from "@runhook/core/domain/Ids"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { CurlCommands } from "@runhook/core/usecases/CurlCommands"
import { Deliveries, type DeliveryRef } from "@runhook/core/usecases/Deliveries"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { filterOf } from "../wire/DeliveryFilters.ts"
import {
  deadLetterList,
  deliveryDetail,
  deliveryItem,
  deliveryReplayed,
  deliveryTried,
  testQueued
} from "../wire/DeliveryToWire.ts"
import { pageBody, pageRequest } from "../wire/Paging.ts"
import { visibilityOf } from "./Visibility.ts"

export const DeliveryHandlers = handlersOf(
  AdminApi,
  "deliveries",
  Effect.fnUntraced(function* (handle) {
    const accounts = yield* Accounts
    const commands = yield* CurlCommands
    const deliveries = yield* Deliveries

    return handle({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const { id } = yield* accounts.get(params.account_id)
        const { callback, hidesQueries } = yield* visibilityOf(id)
        const filter = { ...filterOf(query), hidesQueries }
        const page = yield* deliveries.list(id, filter, pageRequest(query))
        return yield* pageBody(page, (item) => callback(deliveryItem(item)))
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const found = yield* deliveries.get(refOf(params))
        const { delivery } = yield* visibilityOf(params.account_id)
        return delivery(deliveryDetail(found))
      }, toApiError),

      deadLetters: Effect.fnUntraced(function* ({ params }) {
        const { id } = yield* accounts.get(params.account_id)
        return deadLetterList(yield* deliveries.deadLetters(id))
      }, toApiError),

      replay: Effect.fnUntraced(function* ({ params }) {
        const replayed = yield* deliveries.replay(refOf(params))
        return deliveryReplayed(replayed)
      }, toApiError),

      try: Effect.fnUntraced(function* ({ params }) {
        const tried = yield* deliveries.tryNow(refOf(params))
        return deliveryTried(tried)
      }, toApiError),

      curl: Effect.fnUntraced(function* ({ params }) {
        const { command, expiresAt } = yield* commands.make(params.account_id, params.id)
        return { command, expires_at: expiresAt }
      }, toApiError),

      test: Effect.fnUntraced(function* ({ params, payload }) {
        const requestId = yield* CurrentRequestId
        const delivery = yield* deliveries.test({
          accountId: params.account_id,
          apiKeyId: payload.key_id,
          callbackUrl: payload.callback_url,
          requestId
        })
        return testQueued(delivery)
      }, toApiError)
    })
  })
)

const refOf = (params: { readonly account_id: AccountId; readonly id: EventId }): DeliveryRef => ({
  accountId: params.account_id,
  id: params.id
})
