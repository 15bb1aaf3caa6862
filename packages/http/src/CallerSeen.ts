/** Tells whoever stands around a request whose it turned out to be. Nobody listens unless it is provided. */
import type { AccountId } from "@runhook/core/domain/Ids"
import * as Context from "effect/Context"

export const CallerSeen = Context.Reference<(accountId: AccountId) => void>("@runhook/http/CallerSeen", {
  defaultValue: () => () => {}
})
