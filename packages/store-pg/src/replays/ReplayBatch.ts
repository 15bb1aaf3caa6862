/** Advances a replay job by one batch: looks at deliveries, starts those that match, and stores how far it came. */
import { replay } from "@runhook/core/deliveries/steps/DeliverySteps"
import type { ReplayJob } from "@runhook/core/replays/ReplayJob"
import { EventId, ReplayId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { summaryTable } from "../deliveries/DeliveryRow.ts"
import { DeliverySteps } from "../deliveries/steps/DeliverySteps.ts"
import { beginning, makeJobTable } from "../jobs/JobTable.ts"
import { rowsOf } from "../rows/Rows.ts"
import { integer, smallint, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { meant, named, walked } from "./ReplayFilters.ts"

const SeenRow = Schema.Struct({ id: EventId })

/** In the caller's transaction, which has locked the job. */
export const makeReplayBatch = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const sql = yield* SqlClient
  const { isJob } = yield* makeJobTable("webhook_replays", ReplayId)

  return Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly job: ReplayJob
    readonly limit: number
    readonly at: DateTime.Utc
    /** By the database's clock. */
    readonly now: DateTime.Utc
  }) {
    const { at, bucket, job, limit, now } = options
    const { accountId, filter, id } = job
    const after = job.lastSeenId ?? beginning
    // The next deliveries by rising id, up to the job's own id: deliveries created after the job are not part of it.
    const seen = yield* decoded(SeenRow)(sql`
      SELECT x.id
      FROM ${walked(sql, filter)} x
      WHERE x.bucket = ${smallint(bucket)} AND x.account_id = ${uuid(accountId)}
        AND ${named(sql, filter)} AND x.id > ${uuid(after)} AND x.id <= ${uuid(id)}
      ORDER BY x.id
      LIMIT ${integer(limit)}`)
    const chosen = yield* rowsOf(summaryTable)(sql`
      SELECT ${sql.literal(summaryTable.columns)}
      FROM webhook_deliveries d
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)}
        AND d.id = ANY (${uuids(seen.map((row) => row.id))})
        AND d.settled_at <= ${timestamptz(job.createdAt)} AND ${meant(sql, { bucket, filter })}`)
    const round = { at: DateTime.min(at, now), replayId: id }
    // A delivery that someone else is replaying no longer matches.
    const replayed = yield* steps.store(
      bucket,
      chosen.map((delivery) => replay(delivery, round)),
      "waits"
    )
    const isLast = seen.length < limit
    yield* sql`
      UPDATE webhook_replays j
      SET last_seen_id = ${uuid(seen.at(-1)?.id ?? job.lastSeenId)}, replayed = j.replayed + ${integer(replayed.size)},
        status = ${text(isLast ? "completed" : "running")}, updated_at = ${timestamptz(now)},
        finished_at = ${timestamptz(isLast ? now : null)}
      WHERE ${isJob(bucket, job)}`
  })
})
