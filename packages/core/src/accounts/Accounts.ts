/** What operators do with accounts. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { accountCreated, accountRemoved, accountUpdated } from "../audit/KeyEvents.ts"
import { AccountId, instantOf, makeIds } from "../shared/Ids.ts"
import type { PageRequest } from "../shared/Page.ts"
import { type AccountSettings, AccountStore } from "./AccountStore.ts"
import { Signals } from "../signals/Signals.ts"
import { audited } from "../audit/Audited.ts"
import { makeLimitsOfAccounts } from "./LimitsOfAccounts.ts"
import { useCase } from "../engine/UseCase.ts"

export class Accounts extends Context.Service<Accounts>()("@runhook/core/accounts/Accounts", {
  make: Effect.gen(function* () {
    const store = yield* AccountStore
    const newId = yield* makeIds
    const signals = yield* Signals

    const create = useCase("Accounts.create")(function* (name: string) {
      const id = yield* newId(AccountId)
      const account = {
        id,
        name,
        rateLimit: null,
        maxLive: null,
        retentionDays: null,
        createdAt: instantOf(id)
      }
      yield* store.create(account, yield* audited(accountCreated))
      return account
    })

    /** What its keys may ask for together. */
    const limitsOf = yield* makeLimitsOfAccounts

    const update = Effect.fnUntraced(function* (id: AccountId, change: AccountSettings) {
      return yield* store.update({ id, change, audit: yield* audited(accountUpdated) })
    })

    /** Removes it with all that is its: at once for everybody who asks, and within hours in the store. */
    const remove = useCase("Accounts.remove")(function* (id: AccountId) {
      const ended = yield* store.remove({
        id,
        at: yield* DateTime.now,
        audit: yield* audited(accountRemoved)
      })
      yield* signals.notify(ended.map((each) => `key:${each}` as const))
    })

    /** The accounts with these ids, as a page in the same order. */
    const listOf = Effect.fnUntraced(function* (
      ids: ReadonlyArray<AccountId>,
      { after, limit }: PageRequest
    ) {
      const behind = ids
        .filter((id) => after === null || id < after)
        .toSorted()
        .toReversed()
      const items = yield* Effect.forEach(behind.slice(0, limit), (id) => store.get(id))
      return { items, hasMore: behind.length > limit }
    }, Effect.orDie)

    const get = store.get
    const list = store.list

    return { create, get, limitsOf, update, remove, list, listOf }
  })
}) {
  static readonly layer = Layer.effect(Accounts, Accounts.make)
}
