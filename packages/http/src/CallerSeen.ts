/** Tells whoever stands around a request whose it turned out to be: an account's, or, null, the operator's. */
import type { AccountId } from "@runhook/core/domain/Ids"
import * as Context from "effect/Context"

export const CallerSeen = Context.Reference<(accountId: AccountId | null) => void>(
  "@runhook/http/CallerSeen",
  {
    defaultValue: () => () => {}
  }
)
