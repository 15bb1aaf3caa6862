/** Operators and the executions of an account. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { Accounts } from "@runhook/core/Accounts"
import { Artifacts } from "@runhook/core/Artifacts"
import type { AccountId, ExecutionId } from "@runhook/core/domain/Ids"
import { type ExecutionRef, Executions } from "@runhook/core/Executions"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../ErrorTable.ts"
import { filterOf } from "../ExecutionFilters.ts"
import { executionDetail, executionItem, executionStopped, executionText } from "../ExecutionToWire.ts"
import { pageAnswer, pageRequest } from "../Paging.ts"

export const ExecutionHandlers = HttpApiBuilder.group(
  AdminApi,
  "executions",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const artifacts = yield* Artifacts
    const baseUrl = yield* BaseUrl
    const executions = yield* Executions

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const { id } = yield* accounts.get(params.account_id)
        return yield* pageAnswer(pageRequest(query), {
          list: (page) => executions.list(id, filterOf(query), page),
          toWire: executionItem,
          toText: executionText
        })
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const execution = yield* executions.get(refOf(params))
        const captured = yield* artifacts.list(refOf(params))
        const request_id = yield* CurrentRequestId
        return { ...executionDetail({ execution, artifacts: captured, baseUrl }), request_id }
      }, toApiError),

      cancel: Effect.fnUntraced(function* ({ params, payload }) {
        const reason = payload?.reason ?? null
        const change = yield* executions.stop({ ...refOf(params), to: "cancelled", reason })
        return { ...executionStopped(change), request_id: yield* CurrentRequestId }
      }, toApiError)
    })
  })
)

const refOf = (params: { readonly account_id: AccountId; readonly id: ExecutionId }): ExecutionRef => ({
  accountId: params.account_id,
  id: params.id
})
