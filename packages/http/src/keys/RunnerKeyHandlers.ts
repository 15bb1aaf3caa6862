/** Operators and runner keys. The key is revealed only here, in the answer that makes it. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import { runnerKeyItem } from "./KeyToWire.ts"

export const RunnerKeyHandlers = handlersOf(
  AdminApi,
  "runnerKeys",
  Effect.fnUntraced(function* (handle) {
    const runnerKeys = yield* RunnerKeys

    return handle({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        const { key, record } = yield* runnerKeys.create({
          accountId: params.account_id,
          name: payload.name,
          agentIds: payload.agent_ids ?? null
        })
        return { ...runnerKeyItem(record), key: Redacted.value(key) }
      }, toApiError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pageBody(yield* runnerKeys.list(params.account_id, pageRequest(query)), runnerKeyItem)
      }, toApiError),

      revoke: Effect.fnUntraced(function* ({ params }) {
        yield* runnerKeys.revoke({ accountId: params.account_id, id: params.key_id })
      }, toApiError)
    })
  })
)
