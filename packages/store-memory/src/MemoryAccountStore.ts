/** Accounts in memory. */
import { Account } from "@runhook/core/domain/Account"
import { AccountNotFound, AccountStore } from "@runhook/core/ports/AccountStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { pageOf } from "./Paging.ts"
import { storedAs } from "./StoredAs.ts"
import { transaction } from "./Transaction.ts"

const stored = storedAs(Account)

export const layer: Layer.Layer<AccountStore, never, MemoryDatabase> = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const { accounts } = yield* MemoryDatabase

    return AccountStore.of({
      create: (account) => Effect.sync(() => void accounts.set(account.id, stored(account))),

      get: (id) =>
        transaction(() => Result.fromNullishOr(accounts.get(id), () => new AccountNotFound({ id }))),

      list: (page) => Effect.sync(() => pageOf(accounts.values(), page))
    })
  })
)
