/**
 * Prunes idempotency keys, sessions and jobs in bounded batches: finds them in all buckets without a lock,
 * then runs one statement per bucket.
 */
import { jobRemembered } from "@runhook/core/domain/Job"
import { silenceMax } from "@runhook/core/domain/run/RunnerSession"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { byBucket } from "../accounts/EachBucket.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { keyRows } from "../executions/create/IdempotencyKeys.ts"
import { integer, smallint, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"

const BucketRow = Schema.Struct({ bucket: Schema.Int })

const KeyRow = Schema.Struct({ ...BucketRow.fields, apiKeyId: Schema.String, key: Schema.String })

const JobRow = Schema.Struct({ ...BucketRow.fields, accountId: Schema.String, id: Schema.String })

export const makePrune = Effect.gen(function* () {
  const sql = yield* SqlClient
  const timeSqlAt = yield* makeTimeSqlAt
  const look = yield* makeLook

  /** Prunes expired idempotency keys; answers how many. */
  const keys = Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const { now } = timeSqlAt(at)
    const { found: seen } = yield* look((within) =>
      decoded(KeyRow)(sql`
        SELECT bucket, api_key_id AS "apiKeyId", key
        FROM idempotency_keys k
        WHERE expires_at <= ${now} AND ${within("k")}
        ORDER BY expires_at
        LIMIT ${integer(limit)}`)
    )
    let count = 0
    for (const ofBucket of byBucket(seen)) {
      const { bucket } = ofBucket[0]
      // A renewed key stays, so each end is looked at again; but never in the index of ends.
      const pruned = yield* sql`
        DELETE FROM idempotency_keys k
        USING ${keyRows("seen", ofBucket)}
        WHERE k.bucket = ${smallint(bucket)} AND k.api_key_id = seen.api_key_id AND k.key = seen.key
          AND greatest(k.expires_at) <= ${now}
        RETURNING k.bucket`
      count += pruned.length
    }
    return count
  })

  /** Prunes sessions that were silent for too long; answers how many. */
  const sessions = Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const silentSince = timeSqlAt(at).before(silenceMax)
    const { found: buckets } = yield* look((within) =>
      decoded(BucketRow)(sql`
        SELECT DISTINCT bucket FROM runner_sessions s WHERE last_seen_at <= ${silentSince} AND ${within("s")}`)
    )
    let count = 0
    for (const { bucket } of buckets) {
      const pruned = yield* sql`
        -- Silent sessions, locked. One that is locked already is not silent.
        WITH silent AS (
          SELECT account_id, id
          FROM runner_sessions
          WHERE bucket = ${smallint(bucket)} AND last_seen_at <= ${silentSince}
          LIMIT ${integer(limit - count)}
          FOR UPDATE SKIP LOCKED
        )
        DELETE FROM runner_sessions s
        USING silent
        WHERE s.bucket = ${smallint(bucket)} AND s.account_id = silent.account_id AND s.id = silent.id
        RETURNING s.bucket`
      count += pruned.length
    }
    return count
  })

  /** Prunes jobs of one kind that ended long ago; answers how many. */
  const jobsOf = Effect.fnUntraced(function* (
    name: "cancel_jobs" | "webhook_replays",
    { at, limit }: SweepRound
  ) {
    const table = sql.literal(name)
    const endedBy = timeSqlAt(at).before(jobRemembered)
    const { found: seen } = yield* look((within) =>
      decoded(JobRow)(sql`
        SELECT bucket, account_id AS "accountId", id
        FROM ${table} j
        WHERE finished_at <= ${endedBy} AND ${within("j")}
        ORDER BY finished_at
        LIMIT ${integer(limit)}`)
    )
    let count = 0
    for (const ofBucket of byBucket(seen)) {
      const [{ bucket }] = ofBucket
      const ids = uuids(ofBucket.map(({ id }) => id))
      const pruned = yield* sql`
        -- The outcomes that they have counted: only replays do, and no two jobs have one id.
        WITH outcomes AS (
          DELETE FROM webhook_replay_outcomes
          WHERE bucket = ${smallint(bucket)} AND account_id = ANY (${uuids(ofBucket.map(({ accountId }) => accountId))})
            AND replay_id = ANY (${ids})
        )
        DELETE FROM ${table}
        WHERE bucket = ${smallint(bucket)} AND id = ANY (${ids})
          AND finished_at <= ${endedBy}
        RETURNING bucket`
      count += pruned.length
    }
    return count
  })

  /** Prunes jobs of all kinds that ended long ago; answers how many. */
  const jobs = Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const replays = yield* jobsOf("webhook_replays", { at, limit })
    return replays + (yield* jobsOf("cancel_jobs", { at, limit: limit - replays }))
  })

  return { jobs, keys, sessions }
})
