/** One bite of a replay job: what it looks at, what it starts anew and how far it came, in one statement. */
import type { ReplayJob } from "@runhook/core/domain/delivery/ReplayJob"
import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import { instant } from "../sql/Instants.ts"
import { meant, named, walked } from "./ReplayFilters.ts"
import { type Clock, nowOf } from "../clock/StoreClock.ts"
import { newRound } from "../deliveries/queue/DeliveryQueue.ts"

/** Below every id. */
const beginning = "00000000-0000-0000-0000-000000000000"

/**
 * Answers the id of the job. Nothing when it is not as it was looked at,
 * or somebody else is at it: of two at once, one takes this bite.
 */
export const replayBatch = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly job: ReplayJob
    readonly limit: number
    readonly at: DateTime.Utc
    readonly clock: Clock
  }
) => {
  const { at, bucket, clock, job, limit } = options
  const { accountId, filter, id } = job
  const now = nowOf(sql, { at, clock })
  const after = job.lastSeenId ?? beginning
  const isLast = sql`(SELECT count(*) FROM seen) < ${limit}::integer`
  return sql`
    WITH job AS (
      SELECT
      FROM webhook_replays j
      WHERE j.bucket = ${bucket}::smallint AND j.account_id = ${accountId}::uuid AND j.id = ${id}::uuid
        AND j.status = 'running' AND coalesce(j.last_seen_id, ${beginning}::uuid) = ${after}::uuid
      FOR UPDATE SKIP LOCKED
    ),
    seen AS MATERIALIZED (
      SELECT x.id
      FROM ${walked(sql, filter)} x
      WHERE x.bucket = ${bucket}::smallint AND x.account_id = ${accountId}::uuid
        AND ${named(sql, filter)} AND x.id > ${after}::uuid AND x.id <= ${id}::uuid AND EXISTS (SELECT FROM job)
      ORDER BY x.id
      LIMIT ${limit}::integer
    ),
    chosen AS MATERIALIZED (
      SELECT d.id
      FROM webhook_deliveries d
      WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid
        AND d.id = ANY (ARRAY(SELECT id FROM seen))
        AND d.settled_at <= ${instant(job.createdAt)}::timestamptz AND ${meant(sql, { bucket, filter })}
      ORDER BY d.id
      FOR UPDATE OF d
    ),
    ${newRound(sql, { bucket, accountId, replayId: id, at, clock })}
    UPDATE webhook_replays j
    SET last_seen_id = coalesce((SELECT id FROM seen ORDER BY id DESC LIMIT 1), j.last_seen_id),
      replayed = j.replayed + (SELECT count(*) FROM replayed)::integer,
      status = CASE WHEN ${isLast} THEN 'completed' ELSE 'running' END,
      updated_at = ${now},
      finished_at = CASE WHEN ${isLast} THEN ${now} END
    WHERE j.bucket = ${bucket}::smallint AND j.account_id = ${accountId}::uuid AND j.id = ${id}::uuid
      AND EXISTS (SELECT FROM job)
    RETURNING j.id`
}
