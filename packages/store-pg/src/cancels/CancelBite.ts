/** Advances a job by one bite: looks at unfinished executions, cancels those that match, and stores how far it came. */
import { afterCancels, auditOf, cancelBy, type CancelJob } from "@runhook/core/cancels/CancelJob"
import { ExecutionId, JobId } from "@runhook/core/shared/Ids"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { beginning, makeJobTable } from "../jobs/JobTable.ts"
import { PgRuns } from "../runs/moves/PgRuns.ts"
import { integer, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { meant, walked } from "./FindUnfinished.ts"

const IdRow = Schema.Struct({ id: ExecutionId })

/** In the caller's transaction, which has locked the job. */
export const makeCancelBite = Effect.gen(function* () {
  const sql = yield* SqlClient
  const runs = yield* PgRuns
  const buckets = yield* Buckets
  const { isJob } = yield* makeJobTable("cancel_jobs", JobId)

  return Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly job: CancelJob
    readonly limit: number
    readonly seenMax: number
    readonly at: DateTime.Utc
    /** By the database's clock. */
    readonly now: DateTime.Utc
  }) {
    const { at, bucket, job, limit, now, seenMax } = options
    const after = job.lastSeenId ?? beginning
    const seen = yield* decoded(IdRow)(
      sql`${walked(sql, { bucket, within: buckets.within(bucket), job, after, limit: seenMax })}`
    )
    const ids = sql`SELECT id FROM unnest(${uuids(seen.map(({ id }) => id))}) AS seen (id) ORDER BY id`
    const chosen = yield* decoded(IdRow)(sql`
      SELECT x.id FROM ${meant(sql, ids, { bucket, job })} ORDER BY x.id LIMIT ${integer(limit + 1)}`)
    const isFull = chosen.length > limit
    const bitten = chosen.slice(0, limit)
    const moved = yield* runs.moveEach(
      { accountId: job.accountId, ids: bitten.map(({ id }) => id), at, audit: auditOf(job) },
      (run, moment) => Result.succeed(cancelBy(job)(run, moment))
    )
    const bite = {
      cancelled: moved.changes.length,
      failed: moved.failed,
      skipped: bitten.length - moved.changes.length - moved.failed,
      lastSeenId: (isFull ? bitten : seen).at(-1)?.id ?? null,
      isLast: !isFull && seen.length < seenMax
    }
    const done = afterCancels(job, bite, now)
    yield* sql`
      UPDATE cancel_jobs j
      SET status = ${text(done.status)}, cancelled = ${integer(done.cancelled)}, skipped = ${integer(done.skipped)},
        failed = ${integer(done.failed)}, last_seen_id = ${uuid(done.lastSeenId)},
        updated_at = ${timestamptz(done.updatedAt)}, finished_at = ${timestamptz(done.finishedAt)}
      WHERE ${isJob(bucket, job)}`
    return { job: done, changes: moved.changes }
  })
})
