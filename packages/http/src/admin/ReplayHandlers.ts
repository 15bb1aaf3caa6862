/** Operators and the replays of an account's deliveries. */
import { AdminApi } from "@runhook/contract/AdminApi"
import type { AccountId, ReplayId } from "@runhook/core/domain/Ids"
import type { ReplayRef } from "@runhook/core/ports/ReplayStore"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { Replays } from "@runhook/core/usecases/Replays"
import * as Effect from "effect/Effect"
import { changing } from "../authentication/MemberAccess.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../wire/Paging.ts"
import { isDryRun, replayFilter, replayItem, wouldReplay } from "../wire/ReplayToWire.ts"
import { visibilityOf } from "./Visibility.ts"

export const ReplayHandlers = handlersOf(
  AdminApi,
  "replays",
  Effect.fnUntraced(function* (handle) {
    const accounts = yield* Accounts
    const replays = yield* Replays

    return handle({
      begin: Effect.fnUntraced(function* ({ params, payload }) {
        const { id } = yield* accounts.get(params.account_id)
        const filter = replayFilter(payload, payload?.key_id ?? null)
        const { hidesQueries } = yield* visibilityOf(id)
        if (isDryRun(payload)) return wouldReplay(yield* replays.preview(id, { ...filter, hidesQueries }))
        yield* changing(id)
        return replayItem(yield* replays.begin(id, filter))
      }, toApiError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        const { id: accountId } = yield* accounts.get(params.account_id)
        const { replay } = yield* visibilityOf(accountId)
        const page = yield* replays.list({ accountId, apiKeyId: null }, pageRequest(query))
        return yield* pageBody(page, (job) => replay(replayItem(job)))
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const { replay } = yield* visibilityOf(params.account_id)
        return replay(replayItem(yield* replays.get(refOf(params))))
      }, toApiError),

      cancel: Effect.fnUntraced(function* ({ params }) {
        return replayItem(yield* replays.cancel(refOf(params)))
      }, toApiError)
    })
  })
)

const refOf = (params: { readonly account_id: AccountId; readonly id: ReplayId }): ReplayRef => ({
  accountId: params.account_id,
  apiKeyId: null,
  id: params.id
})
