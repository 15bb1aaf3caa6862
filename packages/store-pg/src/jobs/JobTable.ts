/** What the statements of all jobs have in common: `j` is a row of the table of one kind. */
import type { AccountId } from "@runhook/core/domain/Ids"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { smallint, uuid } from "../sql/Parameters.ts"
import { decodedFirst } from "../sql/SqlErrors.ts"

/** Below every id. */
export const beginning = "00000000-0000-0000-0000-000000000000"

const MomentRow = Schema.Struct({ now: Schema.DateTimeUtc })

interface Bite {
  readonly bucket: number
  readonly job: { readonly accountId: AccountId; readonly id: string; readonly lastSeenId: string | null }
  readonly at: DateTime.Utc
}

export const makeJobTable = Effect.fnUntraced(function* (name: "cancel_jobs" | "webhook_replays") {
  const sql = yield* SqlClient
  const timeSqlAt = yield* makeTimeSqlAt
  const table = sql.literal(name)
  const isJob = ({ bucket, job: { accountId, id } }: Omit<Bite, "at">) =>
    sql`j.bucket = ${smallint(bucket)} AND j.account_id = ${uuid(accountId)} AND j.id = ${uuid(id)}`

  return {
    isJob,

    /** Locks a job for a bite, and answers the time; not if it is elsewhere by now, or another process advances it. */
    lock: ({ at, ...bite }: Bite) =>
      Effect.map(
        decodedFirst(MomentRow)(sql`
          SELECT ${timeSqlAt(at).now}::timestamptz AS now
          FROM ${table} j
          WHERE ${isJob(bite)} AND j.status = 'running'
            AND coalesce(j.last_seen_id, ${uuid(beginning)}) = ${uuid(bite.job.lastSeenId ?? beginning)}
          FOR UPDATE SKIP LOCKED`),
        (locked) => locked?.now
      ),

    /** Ends a running job; answers whether it did. */
    callOff: ({ at, ...bite }: Omit<Bite, "job"> & { readonly job: Omit<Bite["job"], "lastSeenId"> }) => {
      const { now } = timeSqlAt(at)
      const called = sql`
        UPDATE ${table} j
        SET status = 'cancelled', updated_at = ${now}, finished_at = ${now}
        WHERE ${isJob({ ...bite, job: { ...bite.job, lastSeenId: null } })} AND j.status = 'running'
        RETURNING j.id`
      return Effect.map(called, ({ length }) => length > 0)
    }
  }
})
