/** The statement that advances a replay job: what it looks at, what it starts anew, how far it came. */
import type { ReplayJob } from "@runhook/core/domain/delivery/ReplayJob"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Moments } from "../clock/StoreClock.ts"
import { newRound } from "../deliveries/queue/DeliveryQueue.ts"
import { integer, smallint, timestamptz, uuid } from "../sql/Parameters.ts"
import { meant, named, walked } from "./ReplayFilters.ts"

/** Below every id. */
const beginning = "00000000-0000-0000-0000-000000000000"

/**
 * Advances a replay job by one batch of at most `limit` deliveries.
 *
 * - **Answers** the id of the job.
 * - **Locks** the job with SKIP LOCKED, then deliveries in the order of their ids.
 * - **Answers nothing** when the job is not where it was when it was looked at, or
 *   somebody else advances it: of two at once, one takes this batch.
 */
export const replayBatch = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly job: ReplayJob
    readonly limit: number
    readonly moments: Moments
  }
) => {
  const { bucket, job, limit, moments } = options
  const { accountId, filter, id } = job
  const after = job.lastSeenId ?? beginning
  const isLast = sql`(SELECT count(*) FROM seen) < ${integer(limit)}`
  return sql`
    -- The job, locked, if it is as far as it was when it was looked at.
    WITH job AS (
      SELECT
      FROM webhook_replays j
      WHERE j.bucket = ${smallint(bucket)} AND j.account_id = ${uuid(accountId)} AND j.id = ${uuid(id)}
        AND j.status = 'running' AND coalesce(j.last_seen_id, ${uuid(beginning)}) = ${uuid(after)}
      FOR UPDATE SKIP LOCKED
    ),
    -- The next deliveries in its way, by rising id, up to its own id: what came after the job is not meant.
    seen AS MATERIALIZED (
      SELECT x.id
      FROM ${walked(sql, filter)} x
      WHERE x.bucket = ${smallint(bucket)} AND x.account_id = ${uuid(accountId)}
        AND ${named(sql, filter)} AND x.id > ${uuid(after)} AND x.id <= ${uuid(id)} AND EXISTS (SELECT FROM job)
      ORDER BY x.id
      LIMIT ${integer(limit)}
    ),
    -- Those that it means, locked in the order of their ids.
    chosen AS MATERIALIZED (
      SELECT d.id
      FROM webhook_deliveries d
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)}
        AND d.id = ANY (ARRAY(SELECT id FROM seen))
        AND d.settled_at <= ${timestamptz(job.createdAt)} AND ${meant(sql, { bucket, filter })}
      ORDER BY d.id
      FOR UPDATE OF d
    ),
    ${newRound(sql, { bucket, accountId, replayId: id, moments })}
    UPDATE webhook_replays j
    SET last_seen_id = coalesce((SELECT id FROM seen ORDER BY id DESC LIMIT 1), j.last_seen_id),
      replayed = j.replayed + (SELECT count(*) FROM replayed)::integer,
      status = CASE WHEN ${isLast} THEN 'completed' ELSE 'running' END,
      updated_at = ${moments.now},
      finished_at = CASE WHEN ${isLast} THEN ${moments.now} END
    WHERE j.bucket = ${smallint(bucket)} AND j.account_id = ${uuid(accountId)} AND j.id = ${uuid(id)}
      AND EXISTS (SELECT FROM job)
    RETURNING j.id`
}
