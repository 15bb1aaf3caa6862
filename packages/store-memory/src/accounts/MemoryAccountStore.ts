/** Accounts in memory. */
import { Account } from "@runhook/core/accounts/Account"
import type { AccountId } from "@runhook/core/shared/Ids"
import { AccountNotFound } from "@runhook/core/shared/Refusals"
import { AccountInUse, AccountStore, inUseCountMax } from "@runhook/core/accounts/AccountStore"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { cancelAbandoned } from "../endpoints/FetchMessages.ts"
import { removeCredentials } from "./EraseAccounts.ts"
import { pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"

const stored = storedAs(Account)

export const layer = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { accounts } = tables
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

      remove: ({ at, audit, id }) =>
        audited((note) => {
          const account = removable(tables, id)
          if (Result.isFailure(account)) return Result.fail(account.failure)
          note(audit?.(account.success))
          const waiting = [...tables.deliveries.values()].filter(
            (each) => each.accountId === id && each.state === "pending" && !tables.claimers.has(each.id)
          )
          cancelAbandoned(tables, waiting, at)
          accounts.delete(id)
          tables.removedAccounts.set(id, at)
          return Result.succeed(removeCredentials(tables, id))
        }),

      list: (page) => Effect.sync(() => pageOf(accounts.values(), page))
    })
  })
)

/** The account, unless something of it is yet to come. */
const removable = (
  { accounts, runs }: Tables,
  id: AccountId
): Result.Result<Account, AccountInUse | AccountNotFound> => {
  const account = accounts.get(id)
  if (account === undefined) return Result.fail(new AccountNotFound({ id }))
  const unfinished = Iterable.take(runs.index.unfinishedOfAccount.of(id), inUseCountMax)
  const count = Iterable.size(unfinished)
  return count > 0 ? Result.fail(new AccountInUse({ id, count })) : Result.succeed(account)
}
