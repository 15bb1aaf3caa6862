/** The statement that leases deliveries to a dispatcher. */
import { expiredMessage } from "@runhook/core/domain/delivery/DeliveryMoves"
import { type DeliveryOrder, lostLookEvery } from "@runhook/core/domain/delivery/DeliveryOrder"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import { countsOutcomes, partOf } from "../../replays/ReplayOutcomes.ts"
import { boolean, integer, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { rows } from "../../sql/Rows.ts"
import { deliveryJoins, deliveryTable, expired } from "../DeliveryRow.ts"
import { hasUsedUpTurn, troubleEnd } from "../queue/EventOrder.ts"
import type { Place } from "./FindDue.ts"

/**
 * Leases the places of one bucket that a look has found.
 *
 * - **Answers** the deliveries as they are now: on their way, with an attempt
 *   counted; dead, if they have expired; due later, if an earlier event of
 *   their execution holds them back.
 * - **Locks** deliveries with SKIP LOCKED, then receivers that are probed, then
 *   places in the queue.
 * - **May be missing**: what another dispatcher has leased or locked meanwhile,
 *   and probes of receivers that another one probes.
 */
export const leaseDue = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly places: ReadonlyArray<Place>
    readonly at: DateTime.Utc
    readonly lease: Duration.Duration
    readonly order: DeliveryOrder
    readonly dispatcher: DispatcherId | undefined
  }
) => {
  const { at, bucket, dispatcher = null, lease, order, places } = options
  const now = timestamptz(at)
  const leaseEnd = timestamptz(DateTime.addDuration(at, lease))
  /** Whether `q` is the place of a row `l`. */
  const isPlace = sql`
    q.bucket = ${smallint(bucket)} AND q.account_id = l.account_id AND q.origin = l.origin
    AND q.is_retry = l.is_retry AND q.due_at = l.due_at AND q.delivery_id = l.id`
  return sql`
    -- The places as the look without a lock saw them.
    WITH seen AS (
      SELECT *
      FROM ${rows("seen", places, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin), is_retry: boolean(({ isRetry }) => isRetry), due_at: timestamptz(({ dueAt }) => dueAt), id: uuid(({ id }) => id), openings: integer(({ openings }) => openings), is_tried: boolean(({ isTried }) => isTried) })}
    ),
    -- Those whose delivery is still due when it was then, locked; what others have locked is passed by. The place in the
    -- queue needs no lock of its own: nobody changes one without having locked its delivery.
    locked AS (
      SELECT seen.*, d.type, d.last_cause, d.is_expired, d.unsent_execution_id, d.is_lost, d.revision, d.replay_id
      FROM seen
      CROSS JOIN LATERAL (
        SELECT d.replay_id, d.expires_at <= ${now} AS is_expired, d.revision,
          d.type, d.last_cause,
          CASE WHEN d.last_status IS NULL AND d.last_error IS NULL AND d.round = 1 THEN d.execution_id END
            AS unsent_execution_id,
          d.attempts > 0 AS is_lost
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.account_id = seen.account_id AND d.id = seen.id
          AND d.next_attempt_at = seen.due_at
        LIMIT 1
        FOR UPDATE SKIP LOCKED
      ) AS d
    ),
    -- Of deliveries that were never sent, those with an earlier event of the same execution pending, and until when they
    -- wait for it. Once the earlier one has used up its turn, only for as long as the receiver is in trouble.
    considered AS MATERIALIZED (
      SELECT l.*, earlier.until
      FROM locked l
      CROSS JOIN LATERAL (
        SELECT
          CASE
            WHEN has_used_up_turn THEN trouble_end
            WHEN l.is_lost THEN ${timestamptz(DateTime.addDuration(at, lostLookEvery))}
            ELSE greatest(${leaseEnd}, next_attempt_at)
          END AS until
        FROM (
          SELECT e.id, e.next_attempt_at, e.revision,
            ${hasUsedUpTurn(sql, { bucket, order })} AS has_used_up_turn, ${troubleEnd(sql)} AS trouble_end
          FROM webhook_deliveries e
          LEFT JOIN LATERAL (
            SELECT * FROM webhook_receivers r
            WHERE r.bucket = ${smallint(bucket)} AND r.account_id = l.account_id AND r.origin = l.origin
            LIMIT 1
          ) AS r ON TRUE
          WHERE ${text(order)} <> 'none' AND NOT l.is_expired
            AND e.bucket = ${smallint(bucket)} AND e.execution_id = l.unsent_execution_id
            AND e.state = 'pending' AND e.round = 1
        ) AS pending
        WHERE (revision, id) < (l.revision, l.id)
        ORDER BY has_used_up_turn, revision, id
        LIMIT 1
      ) AS earlier
    ),
    -- Those that wait. In a relation of its own: PostgreSQL expects few, and finds their places by the keys.
    held_back AS (
      SELECT * FROM considered WHERE until > ${now}
    ),
    -- All the others.
    in_turn AS (
      SELECT * FROM locked l WHERE NOT EXISTS (SELECT FROM held_back h WHERE h.id = l.id)
    ),
    -- Receivers whose breaker is open: the probe holds the receiver for as long as its lease. Of two dispatchers at once, the
    -- second finds it held.
    probed AS (
      UPDATE webhook_receivers r
      SET held_until = ${leaseEnd}
      FROM in_turn l
      WHERE l.openings > 0 AND NOT l.is_expired AND NOT l.is_tried
        AND r.bucket = ${smallint(bucket)} AND r.account_id = l.account_id AND r.origin = l.origin
        AND r.openings = l.openings AND (r.held_until IS NULL OR r.held_until <= ${now})
      RETURNING r.account_id, r.origin
    ),
    -- What is given out or has expired: everything in turn, but of a receiver with an open breaker only the probe.
    due AS (
      SELECT l.*
      FROM in_turn l
      WHERE l.openings = 0 OR l.is_expired OR l.is_tried OR EXISTS (
        SELECT FROM probed p WHERE p.account_id = l.account_id AND p.origin = l.origin
      )
    ),
    -- What has expired leaves the queue.
    left_queue AS (
      DELETE FROM webhook_queue q
      USING due l
      WHERE l.is_expired AND ${isPlace}
      RETURNING l.*
    ),
    -- What is given out stays in the queue, as a retry that is due when the lease ends: so it comes back by itself if the
    -- dispatcher is lost.
    leased AS (
      UPDATE webhook_queue q
      SET due_at = ${leaseEnd}, is_retry = TRUE, dispatcher_id = ${uuid(dispatcher)}
      FROM due l
      WHERE NOT l.is_expired AND ${isPlace}
      RETURNING l.*
    ),
    -- What waits is due when its wait ends.
    requeued AS (
      UPDATE webhook_queue q
      SET due_at = l.until
      FROM held_back l
      WHERE ${isPlace}
      RETURNING l.*
    ),
    -- What has expired is listed among the dead ones.
    buried AS (
      INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
      SELECT ${smallint(bucket)}, account_id, id, origin,
        coalesce(last_cause, ${text(expired)}), type
      FROM left_queue
    ),
    -- And no longer among those that fail and are tried again.
    failing_no_more AS (
      DELETE FROM webhook_failing f
      USING left_queue l
      WHERE f.bucket = ${smallint(bucket)} AND f.account_id = l.account_id AND f.delivery_id = l.id
    ),
    -- The replay jobs count what they have started and what expired.
    counted AS (${countsOutcomes(sql, { bucket, part: partOf(places[0]?.id), relation: "left_queue", state: sql`'dead'` })}),
    -- The deliveries themselves: dead,
    expired AS (
      UPDATE webhook_deliveries d
      SET state = 'dead', next_attempt_at = NULL, settled_at = ${now},
        last_status = CASE WHEN d.last_error IS NULL THEN NULL ELSE d.last_status END,
        last_cause = coalesce(d.last_cause, ${text(expired)}),
        last_error = coalesce(d.last_error, ${text(expiredMessage)})
      FROM left_queue l
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = l.account_id AND d.id = l.id
      RETURNING d.*
    ),
    -- on their way, with the attempt counted, so that a crash of the dispatcher uses it up too,
    taken AS (
      UPDATE webhook_deliveries d
      SET attempts = d.attempts + 1, attempted_at = ${now}, next_attempt_at = ${leaseEnd}
      FROM leased l
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = l.account_id AND d.id = l.id
      RETURNING d.*
    ),
    -- or put off.
    put_off AS (
      UPDATE webhook_deliveries d
      SET next_attempt_at = l.until
      FROM requeued l
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = l.account_id AND d.id = l.id
      RETURNING d.*
    )
    SELECT ${sql.literal(deliveryTable.columns)}
    FROM (SELECT * FROM expired UNION ALL SELECT * FROM taken UNION ALL SELECT * FROM put_off) d
    ${sql.literal(deliveryJoins)}`
}
