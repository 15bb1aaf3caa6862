/** Replays of the deliveries of integration callers. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import type { ReplayId } from "@runhook/core/domain/Ids"
import { Replays } from "@runhook/core/usecases/Replays"
import * as Effect from "effect/Effect"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../wire/Paging.ts"
import { isDryRun, replayFilter, replayItem, wouldReplay } from "../wire/ReplayToWire.ts"

export const ReplayHandlers = handlersOf(
  IntegrationApi,
  "replays",
  Effect.fnUntraced(function* (handle) {
    const replays = yield* Replays

    return handle({
      begin: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, id } = yield* callerWith("webhooks:replay")
        const filter = replayFilter(payload, id)
        if (isDryRun(payload)) return wouldReplay(yield* replays.preview(accountId, filter))
        return replayItem(yield* replays.begin(accountId, filter))
      }, toApiError),

      list: Effect.fnUntraced(function* ({ query }) {
        const { accountId, id: apiKeyId } = yield* callerWith("webhooks:replay")
        return yield* pageBody(yield* replays.list({ accountId, apiKeyId }, pageRequest(query)), replayItem)
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const job = yield* replays.get(yield* ownRef(params.id))
        return replayItem(job)
      }, toApiError),

      cancel: Effect.fnUntraced(function* ({ params }) {
        const job = yield* replays.cancel(yield* ownRef(params.id))
        return replayItem(job)
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
