/** Accounts: all of them for operators, their own for members. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { AdminCaller } from "@runhook/contract/Authorization"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { Accounts } from "@runhook/core/Accounts"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { pageBody, pageRequest } from "../Paging.ts"
import { accountItem } from "./KeyToWire.ts"

export const AccountHandlers = HttpApiBuilder.group(
  AdminApi,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const account = yield* accounts.create(payload.name)
        return { ...accountItem(account), request_id: yield* CurrentRequestId }
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
      })
    })
  })
)
