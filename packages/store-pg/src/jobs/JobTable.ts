/** What the statements of all jobs have in common: `j` is a row of the table of one kind. */
import { AccountId } from "@runhook/core/shared/Ids"
import type { JobName, JobQueue } from "@runhook/core/jobs/JobQueue"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { integer, smallint, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst, idempotentOrDefect, upkeepOrDefect } from "../sql/SqlErrors.ts"

/** Below every id. */
export const beginning = "00000000-0000-0000-0000-000000000000"

const MomentRow = Schema.Struct({ now: Schema.DateTimeUtc })

export const makeJobTable = Effect.fnUntraced(function* <Id extends string>(
  name: "cancel_jobs" | "webhook_replays",
  id: Schema.Codec<Id, string>
) {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const look = yield* makeLook
  const timeSqlAt = yield* makeTimeSqlAt
  const table = sql.literal(name)
  const NameRow = Schema.Struct({ accountId: AccountId, id })

  const isJob = (bucket: number, job: JobName<Id>) =>
    sql`j.bucket = ${smallint(bucket)} AND j.account_id = ${uuid(job.accountId)} AND j.id = ${uuid(job.id)}`

  const queue: JobQueue<Id> = {
    due: ({ at, limit }) =>
      look((within) =>
        decoded(NameRow)(sql`
          SELECT j.account_id AS "accountId", j.id
          FROM ${table} j
          WHERE j.status = 'running' AND (j.retry_at IS NULL OR j.retry_at <= ${timeSqlAt(at).now})
            AND ${within("j")}
          ORDER BY j.updated_at, j.id
          LIMIT ${integer(limit)}`)
      ).pipe(
        Effect.map(({ found }) => found),
        upkeepOrDefect
      ),

    putOff: Effect.fnUntraced(function* (job, { at, by }) {
      const bucket = yield* buckets.of(job.accountId)
      yield* sql`UPDATE ${table} j SET retry_at = ${timeSqlAt(at).after(by)} WHERE ${isJob(bucket, job)}`
    }, idempotentOrDefect)
  }

  return {
    isJob,
    queue,

    /** Locks a running job for a bite, and answers the time; not if another process advances it. */
    lock: (bucket: number, job: JobName<Id>, at: DateTime.Utc) =>
      Effect.map(
        decodedFirst(MomentRow)(sql`
          SELECT ${timeSqlAt(at).now}::timestamptz AS now
          FROM ${table} j
          WHERE ${isJob(bucket, job)} AND j.status = 'running'
          FOR UPDATE SKIP LOCKED`),
        (locked) => locked?.now
      ),

    /** Ends a running job; answers whether it did. */
    callOff: (bucket: number, job: JobName<Id>, at: DateTime.Utc) => {
      const { now } = timeSqlAt(at)
      const called = sql`
        UPDATE ${table} j
        SET status = 'cancelled', updated_at = ${now}, finished_at = ${now}
        WHERE ${isJob(bucket, job)} AND j.status = 'running'
        RETURNING j.id`
      return Effect.map(called, ({ length }) => length > 0)
    }
  }
})
