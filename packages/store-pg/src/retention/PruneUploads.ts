/**
 * Prunes artifacts that were never uploaded: finds them in all buckets without a lock, then runs one statement per
 * account.
 */
import { uploadAwaited } from "@runhook/core/artifacts/Artifact"
import { AccountId, ArtifactId, ExecutionId } from "@runhook/core/shared/Ids"
import type { PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { integer, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"

const SeenRow = Schema.Struct({ accountId: AccountId, executionId: ExecutionId, id: ArtifactId })

const CountRow = Schema.Struct({ pruned: Schema.Int })

export const makePruneUploads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const timeSqlAt = yield* makeTimeSqlAt

  /**
   * Prunes those of an account's found artifacts that can no longer become ready. Registering an artifact or making
   * it ready also locks its execution, so a locked execution is left for the next round. Accounts go one at a time,
   * so that no two sweeps wait for each other's usage rows.
   */
  const pruneOfAccount = Effect.fnUntraced(function* (
    seen: Array.NonEmptyReadonlyArray<typeof SeenRow.Type>,
    { at, retention: { finalize = Duration.zero } }: Required<PruneRound>
  ) {
    const [{ accountId }] = seen
    const bucket = yield* buckets.of(accountId)
    const timeSql = timeSqlAt(at)
    const endedBy = timeSql.before(finalize)
    const overdue = sql`
      a.bucket = ${smallint(bucket)} AND a.execution_id = e.id
      AND a.id = ANY (${uuids(seen.map(({ id }) => id))})
      AND NOT a.is_ready AND greatest(a.awaited_until) <= ${timeSql.now}`
    const row = yield* decodedFirst(CountRow)(sql`
      -- The executions of these artifacts, locked. One that is locked already is left for the next round.
      WITH locked AS (
        SELECT e.id, e.attempt_epoch, e.stopped_at
        FROM executions e
        WHERE e.bucket = ${smallint(bucket)}
          AND e.id = ANY (${uuids(Array.dedupe(seen.map(({ executionId }) => executionId)))})
        FOR UPDATE SKIP LOCKED
      ),
      -- Artifacts whose attempt is over, or whose execution ended too long ago: they can no longer be uploaded.
      pruned AS (
        DELETE FROM artifacts a
        USING locked e
        WHERE ${overdue} AND (a.epoch IS DISTINCT FROM e.attempt_epoch OR e.stopped_at < ${endedBy})
        RETURNING a.execution_id, a.id, a.size_bytes, a.storage_key
      ),
      -- Those that may still become ready get another deadline.
      awaited AS (
        UPDATE artifacts a
        SET awaited_until = ${timeSql.after(uploadAwaited)}
        FROM locked e
        WHERE ${overdue} AND a.epoch = e.attempt_epoch
          AND (e.stopped_at IS NULL OR e.stopped_at >= ${endedBy})
      ),
      -- The executions have fewer of them,
      uncounted AS (
        UPDATE executions e
        SET artifact_count = e.artifact_count - f.count
        FROM (SELECT execution_id, count(*)::integer AS count FROM pruned GROUP BY execution_id) AS f
        WHERE e.bucket = ${smallint(bucket)} AND e.id = f.execution_id
      ),
      -- and the account gets their bytes back.
      given_back AS (
        UPDATE artifact_usage u
        SET bytes = u.bytes - f.bytes
        FROM (SELECT sum(size_bytes)::bigint AS bytes FROM pruned HAVING count(*) > 0) AS f
        WHERE u.bucket = ${smallint(bucket)} AND u.account_id = ${uuid(accountId)}
      ),
      -- Their bytes may still be in the storage, until they are deleted there.
      left_over AS (
        INSERT INTO artifact_leftovers (bucket, account_id, id, storage_key)
        SELECT ${smallint(bucket)}, ${uuid(accountId)}, id, storage_key FROM pruned
      )
      SELECT count(*)::integer AS pruned FROM pruned`)
    return row?.pruned ?? 0
  })

  return Effect.fnUntraced(function* (round: Required<PruneRound>) {
    const seen = yield* decoded(SeenRow)(sql`
      SELECT account_id AS "accountId", execution_id AS "executionId", id
      FROM artifacts
      WHERE awaited_until <= ${timeSqlAt(round.at).now} AND NOT is_ready
      ORDER BY awaited_until
      LIMIT ${integer(round.limit)}`)
    const accounts = Object.values(Array.groupBy(seen, ({ accountId }) => accountId))
    const counts = yield* Effect.forEach(accounts, (ofAccount) => pruneOfAccount(ofAccount, round))
    return { pruned: counts.reduce((sum, count) => sum + count, 0), hasMore: seen.length === round.limit }
  })
})
