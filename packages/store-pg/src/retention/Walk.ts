/**
 * A walk over all accounts, bite by bite, which a process continues where it was. Ids carry the time of creation, so what
 * is old comes first in each account, and no index on an end is needed. What has to stay is passed once per walk.
 */
import type { PruneCount, PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import type { AccountInBucket } from "./OldRows.ts"

/** Before every id. */
export const beginning = "00000000-0000-0000-0000-000000000000"

/** Bites in which nothing is pruned that one turn takes. */
const idleMax = 100

export const makeWalk = <Account extends AccountInBucket, E, R>({
  bite,
  next
}: {
  /** The first account after this id in which something may be old. */
  readonly next: (after: string, round: Required<PruneRound>) => Effect.Effect<Account | undefined, E, R>
  /** Prunes among the next rows of an account after this id; answers the last it has looked at, null at the end. */
  readonly bite: (
    account: Account,
    after: string,
    round: Required<PruneRound>
  ) => Effect.Effect<{ readonly pruned: number; readonly last: string | null }, E, R>
}) => {
  let passed = beginning
  let at: { readonly account: Account; readonly row: string } | undefined

  return Effect.fnUntraced(function* (round: Required<PruneRound>) {
    for (let idle = 0; idle < idleMax; idle++) {
      const account = at?.account ?? (yield* next(passed, round))
      if (account === undefined) {
        passed = beginning
        return { pruned: 0, hasMore: false } satisfies PruneCount
      }
      const { last, pruned } = yield* bite(account, at?.row ?? beginning, round)
      passed = account.accountId
      at = last === null ? undefined : { account, row: last }
      if (pruned > 0 || last !== null) return { pruned, hasMore: true } satisfies PruneCount
    }
    return { pruned: 0, hasMore: true } satisfies PruneCount
  })
}
