/** Operators who follow the changes of an account. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { Changes } from "@runhook/core/accounts/Changes"
import * as Effect from "effect/Effect"
import { stillOpen } from "../authentication/CurrentCaller.ts"
import { eventStream } from "../documents/EventStream.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { eventsOf } from "./ChangesToWire.ts"

export const ChangeHandlers = handlersOf(
  AdminApi,
  "changes",
  Effect.fnUntraced(function* (handle) {
    const changes = yield* Changes

    return handle({
      follow: Effect.fnUntraced(function* ({ headers, params, query }) {
        const accountId = params.account_id
        const following = yield* changes.follow({
          accountId,
          // A browser that reconnects asks for the same URL again, and says here how far it has come.
          after: headers["last-event-id"] || query.after || null,
          key: yield* stillOpen
        })
        return yield* eventStream(eventsOf(following, { accountId, requestId: yield* CurrentRequestId }))
      }, toApiError)
    })
  })
)
