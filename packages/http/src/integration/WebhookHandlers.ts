/** Test webhooks of integration callers. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { Deliveries } from "@runhook/core/Deliveries"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { callerWith } from "../CallerWith.ts"
import { testQueued } from "../DeliveryToWire.ts"
import { toApiError } from "../ErrorTable.ts"

export const WebhookHandlers = HttpApiBuilder.group(
  IntegrationApi,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const deliveries = yield* Deliveries

    return handlers.handleAll({
      test: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, id } = yield* callerWith("webhooks:test")
        const requestId = yield* CurrentRequestId
        const callbackUrl = payload.callback_url
        return testQueued(
          yield* deliveries.test({ accountId, apiKeyId: id, callbackUrl, requestId }),
          requestId
        )
      }, toApiError)
    })
  })
)
