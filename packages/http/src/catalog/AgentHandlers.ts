/** Operators and agents. */
import { AdminApi } from "@runhook/contract/AdminApi"
import type { AccountId, AgentId } from "@runhook/core/shared/Ids"
import { type AgentRef, Agents } from "@runhook/core/catalog/Agents"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { agentItem } from "./CatalogToWire.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"

/** The defaults of an agent: it runs one execution at a time. */
const unlessGiven = { description: "", labels: {}, capacity: 1 }

export const AgentHandlers = handlersOf(
  AdminApi,
  "agents",
  Effect.fnUntraced(function* (handle) {
    const agents = yield* Agents

    return handle({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        const view = yield* agents.create({ ...unlessGiven, ...payload, accountId: params.account_id })
        return agentItem(view)
      }, toApiError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        const all = { accountId: params.account_id, ids: null }
        return yield* pageBody(yield* agents.list(all, pageRequest(query)), agentItem)
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        return agentItem(yield* agents.get(refOf(params)))
      }, toApiError),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        const view = yield* agents.update(refOf(params), payload)
        return agentItem(view)
      }, toApiError),

      remove: Effect.fnUntraced(function* ({ params }) {
        yield* agents.remove(refOf(params))
      }, toApiError)
    })
  })
)

const refOf = (params: { readonly account_id: AccountId; readonly agent_id: AgentId }): AgentRef => ({
  accountId: params.account_id,
  id: params.agent_id
})
