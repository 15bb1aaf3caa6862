/** Accounts: all of them for operators, their own for members. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { AdminCaller } from "@runhook/contract/Authorization"
import { Accounts } from "@runhook/core/accounts/Accounts"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import { accountChange, accountItem } from "../keys/KeyToWire.ts"

export const AccountHandlers = handlersOf(
  AdminApi,
  "accounts",
  Effect.fnUntraced(function* (handle) {
    const accounts = yield* Accounts

    return handle({
      create: Effect.fnUntraced(function* ({ payload }) {
        const account = yield* accounts.create(payload.name)
        return accountItem(account)
      }),

      list: Effect.fnUntraced(function* ({ query }) {
        const caller = yield* AdminCaller
        const page = pageRequest(query)
        const found =
          caller._tag === "Operator"
            ? accounts.list(page)
            : accounts.listOf(
                caller.memberships.map(({ accountId }) => accountId),
                page
              )
        return yield* pageBody(yield* found, accountItem)
      }),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        return accountItem(yield* accounts.update(params.account_id, accountChange(payload)))
      }, toApiError),

      remove: ({ params }) => toApiError(accounts.remove(params.account_id))
    })
  })
)
