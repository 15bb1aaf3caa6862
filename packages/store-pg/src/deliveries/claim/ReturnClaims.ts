/** The statement that returns claimed deliveries whose dispatcher will not send them. */
import { AccountId, DispatcherId, EventId } from "@runhook/core/domain/Ids"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { boolean, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { rows } from "../../sql/Rows.ts"

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
 * Returns claimed deliveries of one bucket to the queue.
 *
 * - **Answers** the ids of those that are due now. The attempt of what is
 *   `unsent` no longer counts.
 * - **Locks** deliveries with SKIP LOCKED, then places, then receivers.
 * - **May be missing**: what was settled or claimed again meanwhile.
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
    -- What counts as now, carried through the statement.
    WITH moment AS MATERIALIZED (SELECT ${now} AS at),
    -- The claims as a look without a lock saw them.
    seen AS (
      SELECT *
      FROM ${rows("seen", places, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin), is_retry: boolean(({ isRetry }) => isRetry), lease_end: timestamptz(({ leaseEnd }) => leaseEnd), id: uuid(({ id }) => id), dispatcher_id: uuid(({ dispatcherId }) => dispatcherId) })}
    ),
    -- Those that are still claimed until then, locked. What somebody else has locked is being settled or claimed, and is
    -- passed by. Whoever has locked a delivery may change its place in the queue too.
    locked AS (
      SELECT seen.*, d.attempts, least(seen.lease_end, moment.at) AS due_at
      FROM seen
      CROSS JOIN moment
      CROSS JOIN LATERAL (
        SELECT d.attempts - CASE WHEN ${text(attempts)} = 'unsent' THEN 1 ELSE 0 END AS attempts
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.account_id = seen.account_id AND d.id = seen.id
          AND d.next_attempt_at = seen.lease_end
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) AS d
    ),
    -- Their places are due now, and nobody's.
    requeued AS (
      UPDATE webhook_queue q
      SET due_at = l.due_at, is_retry = l.attempts > 0, dispatcher_id = NULL
      FROM locked l
      WHERE q.bucket = ${smallint(bucket)} AND q.account_id = l.account_id AND q.origin = l.origin
        AND q.is_retry = l.is_retry AND q.due_at = l.lease_end AND q.delivery_id = l.id
        AND q.dispatcher_id = l.dispatcher_id
      RETURNING l.*
    ),
    -- A receiver that was held for one of them as its probe may be probed again.
    unprobed AS (
      UPDATE webhook_receivers r
      SET held_until = l.due_at
      FROM requeued l
      WHERE r.bucket = ${smallint(bucket)} AND r.account_id = l.account_id AND r.origin = l.origin
        AND r.openings > 0 AND r.held_until = l.lease_end
    )
    UPDATE webhook_deliveries d
    SET attempts = l.attempts, next_attempt_at = l.due_at,
      attempted_at = CASE WHEN ${text(attempts)} = 'unsent' THEN NULL ELSE d.attempted_at END
    FROM requeued l
    WHERE d.bucket = ${smallint(bucket)} AND d.account_id = l.account_id AND d.id = l.id
    RETURNING d.id`
}
