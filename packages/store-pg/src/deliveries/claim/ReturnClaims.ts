/** Brings claimed deliveries of one bucket back, as far as nobody has settled them or claimed them again meanwhile. */
import { AccountId, DispatcherId, EventId } from "@runhook/core/domain/Ids"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { booleans, instants, texts, uuids } from "../../sql/Arrays.ts"

/** A place in the queue that a dispatcher has claimed. */
export const ClaimedPlace = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  origin: Schema.String,
  isRetry: Schema.Boolean,
  leaseEnd: Schema.DateTimeUtc,
  id: EventId,
  dispatcherId: DispatcherId
})
export type ClaimedPlace = typeof ClaimedPlace.Type

/**
 * Answers the ids of what is due now. Its attempt is counted no more when it is
 * `unsent`. A receiver that was held for one of them as its probe may be probed.
 */
export const returnClaims = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly places: ReadonlyArray<ClaimedPlace>
    readonly attempts: "made" | "unsent"
    readonly now: Fragment
  }
) => {
  const { attempts, bucket, now, places } = options
  return sql`
    WITH moment AS MATERIALIZED (SELECT ${now} AS at),
    seen AS (
      SELECT *
      FROM unnest(
        ${uuids(places.map(({ accountId }) => accountId))}::uuid[],
        ${texts(places.map(({ origin }) => origin))}::text[],
        ${booleans(places.map(({ isRetry }) => isRetry))}::boolean[],
        ${instants(places.map(({ leaseEnd }) => leaseEnd))}::timestamptz[],
        ${uuids(places.map(({ id }) => id))}::uuid[],
        ${uuids(places.map(({ dispatcherId }) => dispatcherId))}::uuid[]
      ) AS seen (account_id, origin, is_retry, lease_end, id, dispatcher_id)
    ),
    -- What is locked is being settled or claimed, and needs nothing. Who has locked a delivery has its place too.
    locked AS (
      SELECT seen.*, d.attempts, least(seen.lease_end, moment.at) AS due_at
      FROM seen
      CROSS JOIN moment
      CROSS JOIN LATERAL (
        SELECT d.attempts - CASE WHEN ${attempts}::text = 'unsent' THEN 1 ELSE 0 END AS attempts
        FROM webhook_deliveries d
        WHERE d.bucket = ${bucket}::smallint AND d.account_id = seen.account_id AND d.id = seen.id
          AND d.next_attempt_at = seen.lease_end
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) AS d
    ),
    requeued AS (
      UPDATE webhook_queue q
      SET due_at = l.due_at, is_retry = l.attempts > 0, dispatcher_id = NULL
      FROM locked l
      WHERE q.bucket = ${bucket}::smallint AND q.account_id = l.account_id AND q.origin = l.origin
        AND q.is_retry = l.is_retry AND q.due_at = l.lease_end AND q.delivery_id = l.id
        AND q.dispatcher_id = l.dispatcher_id
      RETURNING l.*
    ),
    unprobed AS (
      UPDATE webhook_receivers r
      SET held_until = l.due_at
      FROM requeued l
      WHERE r.bucket = ${bucket}::smallint AND r.account_id = l.account_id AND r.origin = l.origin
        AND r.openings > 0 AND r.held_until = l.lease_end
    )
    UPDATE webhook_deliveries d
    SET attempts = l.attempts, next_attempt_at = l.due_at,
      attempted_at = CASE WHEN ${attempts}::text = 'unsent' THEN NULL ELSE d.attempted_at END
    FROM requeued l
    WHERE d.bucket = ${bucket}::smallint AND d.account_id = l.account_id AND d.id = l.id
    RETURNING d.id`
}
