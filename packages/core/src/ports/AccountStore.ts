/** Keeps accounts. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Account } from "../domain/account/Account.ts"
import type { Audit } from "../domain/audit/AuditEntry.ts"
import { AccountId } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"

/** No such account. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  id: AccountId
}) {
  override get message() {
    return `There is no account ${this.id}`
  }
}

/** What an operator may change about an account. */
export type AccountSettings = Partial<Pick<Account, "maxLive" | "name" | "rateLimit" | "retentionDays">>

export class AccountStore extends Context.Service<
  AccountStore,
  {
    create(account: Account, audit?: Audit<[created: Account]>): Effect.Effect<void>
    get(id: AccountId): Effect.Effect<Account, AccountNotFound>
    /** Changes the given fields. */
    update(options: {
      readonly id: AccountId
      readonly change: AccountSettings
      readonly audit?: Audit<[before: Account, after: Account]> | undefined
    }): Effect.Effect<Account, AccountNotFound>
    /** Newest first. */
    list(page: PageRequest): Effect.Effect<Page<Account>>
  }
>()("@runhook/core/ports/AccountStore") {}
