/** Keeps accounts. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Account } from "./Account.ts"
import type { Audit, Audited } from "../audit/AuditEntry.ts"
import { AccountId, type ApiKeyId, type PersonSessionId, type RunnerKeyId } from "../shared/Ids.ts"
import type { AccountNotFound } from "../shared/Refusals.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** Executions of the account have not ended. */
export class AccountInUse extends Schema.TaggedError<AccountInUse>()("AccountInUse", {
  id: AccountId,
  /** At most `inUseCountMax`. */
  count: Schema.Int
}) {
  override get message() {
    const count = `${this.count === inUseCountMax ? "at least " : ""}${this.count}`
    return `Account ${this.id} has executions that have not ended (${count}): revoke its keys, and cancel these or wait`
  }
}

/** More is not counted. */
export const inUseCountMax = 1_000

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
    /**
     * Removes an account for good, unless it is in use. From now on it is unknown, and so
     * are its keys, sessions and sign-in links to those who present them, and no execution
     * is created in it. Answers which keys and sessions were valid. What waits to be told
     * is cancelled (`EndpointStore.prune`). All that it has is left to
     * `SweepStore.prune`, and so is what else somebody makes meanwhile who still
     * knows the account.
     */
    remove(
      options: Audited<[removed: Account]> & {
        readonly id: AccountId
      }
    ): Effect.Effect<ReadonlyArray<ApiKeyId | PersonSessionId | RunnerKeyId>, AccountNotFound | AccountInUse>
    /** Newest first. */
    list(page: PageRequest): Effect.Effect<Page<Account>>
  }
>()("@runhook/core/accounts/AccountStore") {}
