/** Whether a signed-in person may make a call of the admin API. */
import { accessOf } from "@runhook/contract/Access"
import { AdminCaller } from "@runhook/contract/Authorization"
import { covers, type Membership, roleIn } from "@runhook/core/people/Membership"
import { AccountId } from "@runhook/core/shared/Ids"
import { AccountNotFound, RoleTooLow } from "@runhook/core/shared/Refusals"
import { Accounts } from "@runhook/core/accounts/Accounts"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { UrlParts } from "../pipeline/Call.ts"

/**
 * The account that a member calls the endpoint for; null for none. Fails if they
 * may not. Accounts of others do not exist for them, whatever the call.
 */
export const admit = Effect.fnUntraced(function* (
  memberships: ReadonlyArray<Membership>,
  endpoint: HttpApiEndpoint.Top,
  { params }: UrlParts
) {
  const access = accessOf(endpoint)
  if (access === "member") return null
  if (access === "operator") return yield* new RoleTooLow({ required: "operator" })
  const { account_id: named } = params
  if (named === undefined) return yield* new RoleTooLow({ required: "operator" })
  const accountId = decodeAccountId(named)
  // The endpoint itself says what is wrong with a malformed id.
  if (Option.isNone(accountId)) return null
  const role = roleIn(memberships, accountId.value)
  if (role === undefined) return yield* new AccountNotFound({ id: accountId.value })
  return covers(role, access) ? accountId.value : yield* new RoleTooLow({ required: "admin" })
})

/** Fails if the account that an operator calls the endpoint for is unknown, whatever the call. */
export const requireKnown = Effect.fnUntraced(function* ({ params }: UrlParts) {
  const named = decodeAccountId(params.account_id)
  if (Option.isSome(named)) yield* Accounts.use(({ get }) => get(named.value))
})

const decodeAccountId = Schema.decodeUnknownOption(AccountId)

/** Whether the caller may only look at the account. */
export const isViewer = (accountId: AccountId) =>
  Effect.map(
    AdminCaller,
    (caller) => caller._tag === "Member" && roleIn(caller.memberships, accountId) !== "admin"
  )

/**
 * Fails for a viewer. For endpoints that let viewers in because some of their
 * requests change nothing; all others are guarded by their method.
 */
export const changing = Effect.fnUntraced(function* (accountId: AccountId) {
  if (yield* isViewer(accountId)) return yield* new RoleTooLow({ required: "admin" })
})
