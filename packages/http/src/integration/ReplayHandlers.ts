/** Replays of the deliveries of integration callers. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { ReplayId } from "@runhook/core/domain/Ids"
import { Replays } from "@runhook/core/Replays"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { callerWith } from "../CallerWith.ts"
import { toApiError } from "../ErrorTable.ts"
import { replayDetail, replayFilter } from "../ReplayToWire.ts"

export const ReplayHandlers = HttpApiBuilder.group(
  IntegrationApi,
  "replays",
  Effect.fnUntraced(function* (handlers) {
    const replays = yield* Replays

    return handlers.handleAll({
      begin: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, id } = yield* callerWith("webhooks:replay")
        const job = yield* replays.begin(accountId, replayFilter(payload, id))
        return replayDetail(job, yield* CurrentRequestId)
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const job = yield* replays.get(yield* ownRef(params.id))
        return replayDetail(job, yield* CurrentRequestId)
      }, toApiError),

      cancel: Effect.fnUntraced(function* ({ params }) {
        const job = yield* replays.cancel(yield* ownRef(params.id))
        return replayDetail(job, yield* CurrentRequestId)
      }, toApiError)
    })
  })
)

/** Replays of other keys are as unknown as those of other accounts. */
const ownRef = (id: ReplayId) =>
  Effect.map(callerWith("webhooks:replay"), (caller) => ({
    accountId: caller.accountId,
    apiKeyId: caller.id,
    id
  }))
