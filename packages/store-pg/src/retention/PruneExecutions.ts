/** Prunes executions that ended long enough ago: the list of an account finds the old ones. */
import { AccountId, ExecutionId, lowestIdAt } from "@runhook/core/shared/Ids"
import { executionsKeptSince, prunableWith } from "@runhook/core/sweeps/Retention"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { boolean, integer, smallint, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"
import { ExecutionRemoval } from "./ExecutionRemoval.ts"
import { makeWalk } from "./Walk.ts"

const AccountRow = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  retentionDays: Schema.NullOr(Schema.Int)
})

const IdRow = Schema.Struct({ id: ExecutionId })

export const makePruneExecutions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const removal = yield* ExecutionRemoval

  return makeWalk({
    next: (after, { retention: { executions } }) =>
      decodedFirst(AccountRow)(sql`
        SELECT bucket, id AS "accountId", retention_days AS "retentionDays"
        FROM accounts
        WHERE id > ${uuid(after)} AND (retention_days IS NOT NULL OR ${boolean(executions !== undefined)})
        ORDER BY id
        LIMIT 1`),
    bite: Effect.fnUntraced(function* (account, after, { at, limit, retention }) {
      const { accountId, bucket } = account
      const until = executionsKeptSince(retention, account, at)
      if (until === null) return { pruned: 0, last: null }
      // What ended by then was made before.
      const before = lowestIdAt(DateTime.add(until, { milliseconds: 1 }))
      const old = yield* decoded(IdRow)(sql`
        SELECT r.id
        FROM execution_requests r
        WHERE r.account_id = ${uuid(accountId)} AND r.id > ${uuid(after)} AND r.id < ${uuid(before)}
          AND ${buckets.within(bucket)("r")}
        ORDER BY r.id
        LIMIT ${integer(limit)}`)
      if (old.length === 0) return { pruned: 0, last: null }
      const removed = yield* decoded(IdRow)(sql`
        -- What somebody else has locked is left for the next walk.
        SELECT e.id
        FROM executions e
        WHERE e.bucket = ${smallint(bucket)} AND e.id = ANY (${uuids(old.map(({ id }) => id))})
          AND e.stopped_at <= ${timestamptz(until)}
        FOR UPDATE SKIP LOCKED`).pipe(
        Effect.flatMap((locked) =>
          removal.remove({ bucket, accountId, ids: locked.map(({ id }) => id), settled: prunableWith })
        ),
        sql.withTransaction
      )
      return { pruned: removed.length, last: old.length < limit ? null : (old.at(-1)?.id ?? null) }
    })
  })
})
