/** What operators do with accounts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Account } from "../domain/account/Account.ts"
import type { AccountLimits } from "../domain/account/AccountLimits.ts"
import type { CurrentActor } from "../domain/account/Actor.ts"
import { accountCreated, accountUpdated } from "../domain/audit/KeyEvents.ts"
import { AccountId, instantOf, makeIds } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import { type AccountNotFound, type AccountSettings, AccountStore } from "../ports/AccountStore.ts"
import { audited } from "./Audited.ts"
import { makeLimitsOfAccounts } from "./LimitsOfAccounts.ts"
import { useCase } from "./UseCase.ts"

type Verbs = Accounts["Service"]

export class Accounts extends Context.Service<
  Accounts,
  {
    create(name: string): Effect.Effect<Account, never, CurrentActor>
    get(id: AccountId): Effect.Effect<Account, AccountNotFound>
    /** What its keys may ask for together. */
    limitsOf(id: AccountId): Effect.Effect<AccountLimits>
    update(id: AccountId, change: AccountSettings): Effect.Effect<Account, AccountNotFound, CurrentActor>
    list(page: PageRequest): Effect.Effect<Page<Account>>
    /** The accounts with these ids, as a page in the same order. */
    listOf(ids: ReadonlyArray<AccountId>, page: PageRequest): Effect.Effect<Page<Account>>
  }
>()("@runhook/core/usecases/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const store = yield* AccountStore
      const newId = yield* makeIds

      const create: Verbs["create"] = useCase("Accounts.create")(function* (name) {
        const id = yield* newId(AccountId)
        const account = { id, name, rateLimit: null, maxLive: null, createdAt: instantOf(id) }
        yield* store.create(account, yield* audited(accountCreated))
        return account
      })

      const get: Verbs["get"] = (id) => store.get(id)

      const limitsOf: Verbs["limitsOf"] = yield* makeLimitsOfAccounts

      const update: Verbs["update"] = Effect.fnUntraced(function* (id, change) {
        return yield* store.update({ id, change, audit: yield* audited(accountUpdated) })
      })

      const list: Verbs["list"] = (page) => store.list(page)

      const listOf: Verbs["listOf"] = Effect.fnUntraced(function* (ids, { after, limit }) {
        const behind = ids
          .filter((id) => after === null || id < after)
          .toSorted()
          .toReversed()
        const items = yield* Effect.forEach(behind.slice(0, limit), (id) => store.get(id))
        return { items, hasMore: behind.length > limit }
      }, Effect.orDie)

      return Accounts.of({ create, get, limitsOf, update, list, listOf })
    })
  )
}
