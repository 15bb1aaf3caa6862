/** Accounts in memory. */
import { Account } from "@runhook/core/domain/account/Account"
import { AccountNotFound, AccountStore } from "@runhook/core/ports/AccountStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const stored = storedAs(Account)

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const { accounts } = yield* MemoryDatabase
    const audited = yield* makeAudited

    return AccountStore.of({
      create: (account, audit) =>
        audited((note) => {
          const row = stored(account)
          note(audit?.(row))
          accounts.set(row.id, row)
          return Result.void
        }),

      get: (id) =>
        transaction(() => Result.fromNullishOr(accounts.get(id), () => new AccountNotFound({ id }))),

      update: ({ audit, change, id }) =>
        audited((note) =>
          Result.map(
            Result.fromNullishOr(accounts.get(id), () => new AccountNotFound({ id })),
            (before) => {
              const row = stored({ ...before, ...change })
              note(audit?.(before, row))
              accounts.set(id, row)
              return row
            }
          )
        ),

      list: (page) => Effect.sync(() => pageOf(accounts.values(), page))
    })
  })
)
