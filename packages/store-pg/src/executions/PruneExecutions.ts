/**
 * Prunes executions that ended long enough ago, one account and one bounded bite
 * at a time. Ids carry the time of creation, so the list of an account finds old
 * ones, and no index on their end is needed. What has to stay is passed once per walk.
 */
import { AccountId, ExecutionId, lowestIdAt } from "@runhook/core/domain/Ids"
import { executionsKeptSince, prunableWith, type Retention } from "@runhook/core/domain/Retention"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { firstAccount } from "../accounts/OldRows.ts"
import { boolean, integer, smallint, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { makeRemoveExecutions } from "./RemoveExecutions.ts"

const AccountRow = Schema.Struct({
  bucket: Schema.Int,
  id: AccountId,
  retentionDays: Schema.NullOr(Schema.Int)
})

const IdRow = Schema.Struct({ id: ExecutionId })

/** Accounts that one turn passes in which nothing is old. */
const accountsMax = 100

/** How far a walk has come: the account before or at which it is, and the last execution that it has seen there. */
interface Walk {
  readonly account: string
  readonly at: typeof AccountRow.Type | null
  readonly execution: string
}

const beginning: Walk = { account: firstAccount, at: null, execution: firstAccount }

export const makePruneExecutions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const removeExecutions = yield* makeRemoveExecutions
  let walk = beginning

  const nextAccount = Effect.fnUntraced(function* ({ executions }: Retention) {
    const [account] = yield* decoded(AccountRow)(sql`
      SELECT bucket, id, retention_days AS "retentionDays"
      FROM accounts
      WHERE id > ${uuid(walk.account)} AND (retention_days IS NOT NULL OR ${boolean(executions !== undefined)})
      ORDER BY id
      LIMIT 1`)
    return account
  })

  /** Removes what may go of the next old executions of an account. */
  const bite = Effect.fnUntraced(function* (options: {
    readonly account: typeof AccountRow.Type
    readonly until: DateTime.Utc
    readonly limit: number
  }) {
    const { limit, until } = options
    const { bucket, id: accountId } = options.account
    // What ended by then was made before.
    const before = lowestIdAt(DateTime.add(until, { milliseconds: 1 }))
    const old = yield* decoded(IdRow)(sql`
      SELECT r.id
      FROM execution_requests r
      WHERE r.account_id = ${uuid(accountId)} AND r.id > ${uuid(walk.execution)} AND r.id < ${uuid(before)}
        AND ${buckets.within(bucket)("r")}
      ORDER BY r.id
      LIMIT ${integer(limit)}`)
    if (old.length === 0) return { pruned: 0, last: undefined }
    const removed = yield* decoded(IdRow)(sql`
      -- What somebody else has locked is left for the next walk.
      SELECT e.id
      FROM executions e
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ANY (${uuids(old.map(({ id }) => id))})
        AND e.stopped_at <= ${timestamptz(until)}
      FOR UPDATE SKIP LOCKED`).pipe(
      Effect.flatMap((locked) =>
        removeExecutions({ bucket, accountId, ids: locked.map(({ id }) => id), settled: prunableWith })
      ),
      sql.withTransaction
    )
    return { pruned: removed.length, last: old.length < limit ? undefined : old.at(-1)?.id }
  })

  return Effect.fnUntraced(function* (round: SweepRound & { readonly retention: Retention }) {
    for (let passed = 0; passed < accountsMax; passed++) {
      const account = walk.at ?? (yield* nextAccount(round.retention))
      const until = account && executionsKeptSince(round.retention, account, round.at)
      if (!account || !until) {
        walk = beginning
        return { pruned: 0, hasMore: false }
      }
      const { last, pruned } = yield* bite({ account, until, limit: round.limit })
      walk =
        last === undefined
          ? { ...beginning, account: account.id }
          : { account: account.id, at: account, execution: last }
      if (pruned > 0 || last !== undefined) return { pruned, hasMore: true }
    }
    return { pruned: 0, hasMore: true }
  })
})
