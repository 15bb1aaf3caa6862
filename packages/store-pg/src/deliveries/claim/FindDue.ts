/**
 * The statement that finds what may be claimed, over all buckets and without a
 * lock. It walks from receiver to receiver along the key of the queue and takes
 * from each no more than there is room for: half a million deliveries for a
 * receiver that is down cost as much as one.
 */
import { recoverySeconds } from "@runhook/core/domain/delivery/Receiver"
import { AccountId, EventId } from "@runhook/core/domain/Ids"
import type { ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { boolean, integer, smallint, text, uuid } from "../../sql/Parameters.ts"
import { rows } from "../../sql/Rows.ts"

/** A place in the queue: its key. */
export const Place = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  origin: Schema.String,
  isRetry: Schema.Boolean,
  dueAt: Schema.DateTimeUtcFromString,
  id: EventId,
  /** How often the breaker of the receiver has opened: above 0, this is to be its probe. */
  openings: Schema.Int,
  /** Whether somebody wants it tried, whatever the receiver is held for. */
  isTried: Schema.Boolean
})
export type Place = typeof Place.Type

/** Where a walk over the receivers ended, when it did not come to the last one. */
export const Milestone = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  origin: Schema.String,
  isRetry: Schema.Boolean
})
export type Milestone = typeof Milestone.Type

/** One for each place that was found; one without a place when there is none. */
export const FoundRow = Schema.Struct({
  /** The moment of the look. */
  at: Schema.DateTimeUtc,
  /** Since when the oldest has been due of what there is room for. */
  oldestDueAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When to look again. */
  nextDueAt: Schema.NullOr(Schema.DateTimeUtc),
  endedAt: Schema.NullOr(Schema.fromJsonString(Milestone)),
  place: Schema.NullOr(Schema.fromJsonString(Place))
})

/** Stops on the way of one look: receivers with something pending, twice if that includes retries. The next look goes on from there. */
export const stopsMax = 2_000

/** Before every receiver. */
const start: Milestone = {
  bucket: -1,
  accountId: AccountId.make("00000000-0000-0000-0000-000000000000"),
  origin: "",
  isRetry: false
}

export interface FindDueOptions {
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly now: Fragment
  readonly after: Milestone | null
}

const recovery = `interval '${recoverySeconds} seconds'`

/** The second of the recovery in which a delivery comes forward: `sliceOf`, in SQL. */
const sliceOf = (id: string): string =>
  `('x' || right(${id}::text, 4))::bit(16)::integer % ${recoverySeconds} * interval '1 second'`

/** The rows of a relation, as far as the claimer has room for their receiver and account, with how the receiver fares. */
const withRoom = (sql: SqlClient, room: ClaimRoom, relation: string): Fragment => {
  const accounts = [...room.accounts]
  return sql`
    SELECT w.*, coalesce(r.openings, 0) AS openings, r.held_until, r.closed_at,
      least(coalesce(of_receiver.room, ${integer(room.receiver)}), ${integer(room.total)}) AS room,
      coalesce(of_account.room, ${integer(room.account)}) AS account_room
    FROM ${sql.literal(relation)} w
    LEFT JOIN LATERAL (
      SELECT * FROM webhook_receivers r
      WHERE r.bucket = w.bucket AND r.account_id = w.account_id AND r.origin = w.origin
      LIMIT 1
    ) AS r ON TRUE
    LEFT JOIN ${rows("of_receiver", room.receivers, {
      account_id: uuid(({ accountId }) => accountId),
      origin: text(({ origin }) => origin),
      room: integer((each) => each.room)
    })}
      ON of_receiver.account_id = w.account_id AND of_receiver.origin = w.origin
    LEFT JOIN ${rows("of_account", accounts, { account_id: uuid(([accountId]) => accountId), room: integer(([, left]) => left) })} ON of_account.account_id = w.account_id
    WHERE (NOT w.is_retry OR ${integer(room.retries)} > 0)
      AND coalesce(of_receiver.room, ${integer(room.receiver)}) > 0
      AND coalesce(of_account.room, ${integer(room.account)}) > 0`
}

/**
 * Finds deliveries to claim, over all buckets.
 *
 * - **Answers** a `FoundRow` for each place, the oldest first, and one without a
 *   place when there is none: each says the moment of the look, when to look
 *   again and, if not all receivers were visited, where the next look goes on.
 * - **Locks** nothing, so what it finds may be gone by the time it is leased.
 * - **May be missing**: receivers behind `stopsMax`, and all that is beyond the
 *   room of the claimer.
 */
export const findDue = (sql: SqlClient, { after, lease, now, room }: FindDueOptions) => {
  const from = after ?? start
  const leaseEnd = sql`moment.at + ${integer(Duration.toMillis(lease))} * interval '1 millisecond'`
  return sql`
    -- What counts as now, carried through the statement.
    WITH RECURSIVE moment AS MATERIALIZED (SELECT ${now} AS at),
    -- The receivers with something in the queue, one by one: each step is one probe of the index, for the first key behind
    -- the last one. Retries of a receiver come as a stop of their own.
    walk AS (
      (
        SELECT bucket, account_id, origin, is_retry
        FROM webhook_queue
        WHERE (bucket, account_id, origin, is_retry)
          > (${smallint(from.bucket)}, ${uuid(from.accountId)}, ${text(from.origin)}, ${boolean(from.isRetry)})
        ORDER BY bucket, account_id, origin, is_retry
        LIMIT 1
      )
      UNION ALL
      SELECT next.*
      FROM walk
      CROSS JOIN LATERAL (
        SELECT q.bucket, q.account_id, q.origin, q.is_retry
        FROM webhook_queue q
        WHERE (q.bucket, q.account_id, q.origin, q.is_retry)
          > (walk.bucket, walk.account_id, walk.origin, walk.is_retry)
        ORDER BY q.bucket, q.account_id, q.origin, q.is_retry
        LIMIT 1
      ) AS next
    ),
    -- As many of them as one look visits, numbered. The walk goes no further than it is read.
    stops AS MATERIALIZED (
      SELECT *, row_number() OVER () AS number FROM (SELECT * FROM walk LIMIT ${integer(stopsMax)}) AS walked
    ),
    -- Of these, those that the claimer has room for, with the state of their breaker.
    receivers AS MATERIALIZED (${withRoom(sql, room, "stops")}),
    -- Deliveries that somebody wants tried now, whatever their receiver is held for. They are few and have an index.
    tried AS (
      SELECT q.bucket, q.account_id, q.origin, q.is_retry, q.due_at, q.delivery_id
      FROM moment
      CROSS JOIN LATERAL (
        SELECT * FROM webhook_queue q WHERE q.is_tried AND q.due_at <= moment.at LIMIT ${integer(room.total)}
      ) AS q
    ),
    -- When each receiver has its first delivery due, and when the first that is not due yet.
    waiting AS (
      SELECT r.*, first.due_at AS first_due_at, future.due_at AS future_due_at
      FROM receivers r
      CROSS JOIN moment
      LEFT JOIN LATERAL (
        SELECT q.due_at FROM webhook_queue q
        WHERE q.bucket = r.bucket AND q.account_id = r.account_id AND q.origin = r.origin AND q.is_retry = r.is_retry
        ORDER BY q.due_at
        LIMIT 1
      ) AS first ON TRUE
      LEFT JOIN LATERAL (
        SELECT q.due_at FROM webhook_queue q
        WHERE q.bucket = r.bucket AND q.account_id = r.account_id AND q.origin = r.origin AND q.is_retry = r.is_retry
          AND q.due_at > moment.at
        ORDER BY q.due_at
        LIMIT 1
      ) AS future ON TRUE
    ),
    -- The deliveries that are due, of each receiver no more than there is room for: one, as a probe, where its breaker is
    -- open; after it has closed, those whose second of the recovery has come; and those that are wanted now.
    due AS (
      SELECT r.bucket, r.account_id, r.origin, r.is_retry, r.openings, r.account_room, q.due_at, q.delivery_id,
        CASE WHEN r.openings > 0 THEN 1 ELSE r.room END AS room, FALSE AS is_tried
      FROM receivers r
      CROSS JOIN moment
      CROSS JOIN LATERAL (
        SELECT q.due_at, q.delivery_id
        FROM webhook_queue q
        WHERE q.bucket = r.bucket AND q.account_id = r.account_id AND q.origin = r.origin AND q.is_retry = r.is_retry
          AND q.due_at <= moment.at AND NOT q.is_tried
          AND (
            r.closed_at IS NULL OR q.due_at > r.closed_at
            OR r.closed_at + ${sql.literal(sliceOf("q.delivery_id"))} <= moment.at
          )
        ORDER BY q.due_at, q.delivery_id
        LIMIT CASE WHEN r.openings > 0 THEN 1 ELSE r.room END
      ) AS q
      WHERE r.held_until IS NULL OR r.held_until <= moment.at
      UNION ALL
      SELECT bucket, account_id, origin, is_retry, openings, account_room, due_at, delivery_id, room, TRUE
      FROM (${withRoom(sql, room, "tried")}) AS tried
    ),
    -- Numbered by receiver: what is wanted now goes first, then the oldest.
    of_receivers AS (
      SELECT *, row_number() OVER (
        PARTITION BY bucket, account_id, origin ORDER BY is_tried DESC, due_at, delivery_id
      ) AS number
      FROM due
    ),
    -- Numbered by kind, since retries have a bound of their own.
    of_kinds AS (
      SELECT *, row_number() OVER (PARTITION BY is_retry ORDER BY due_at, delivery_id) AS of_kind
      FROM of_receivers
      WHERE number <= room
    ),
    -- Numbered by account, so that none takes the room of the others.
    of_accounts AS (
      SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY due_at, delivery_id) AS of_account
      FROM of_kinds
      WHERE NOT is_retry OR of_kind <= ${integer(room.retries)}
    ),
    -- What remains within all bounds, the oldest first.
    chosen AS MATERIALIZED (
      SELECT * FROM of_accounts WHERE of_account <= account_room ORDER BY due_at, delivery_id LIMIT ${integer(room.total)}
    ),
    -- When to look again. At once, if the room was used up. Else when the first receiver has something: when its hold ends,
    -- when a probe that is out now would be lost, in the next second of a recovery, or when its next delivery is due.
    again AS (
      SELECT CASE
        WHEN (SELECT count(*) FROM chosen) >= ${integer(room.total)} THEN (SELECT at FROM moment)
        ELSE (
          SELECT min(
            CASE
              WHEN w.held_until > moment.at THEN greatest(w.held_until, w.first_due_at)
              WHEN w.openings > 0 AND w.first_due_at <= moment.at THEN ${leaseEnd}
              WHEN w.first_due_at <= w.closed_at AND w.closed_at + ${sql.literal(recovery)} > moment.at
                THEN least(
                  w.closed_at + (floor(extract(epoch FROM moment.at - w.closed_at)) + 1) * interval '1 second',
                  w.future_due_at
                )
              ELSE w.future_due_at
            END
          )
          FROM waiting w
          CROSS JOIN moment
        )
      END AS at
    )
    SELECT moment.at::timestamptz AS at, (SELECT min(due_at) FROM due)::timestamptz AS "oldestDueAt",
      least(again.at, CASE WHEN c.delivery_id IS NOT NULL THEN ${leaseEnd} END)::timestamptz AS "nextDueAt",
      (
        SELECT json_build_object(
          'bucket', s.bucket, 'accountId', s.account_id, 'origin', s.origin, 'isRetry', s.is_retry
        )::text
        FROM stops s
        WHERE s.number = ${integer(stopsMax)}
      ) AS "endedAt",
      CASE WHEN c.delivery_id IS NOT NULL THEN json_build_object(
        'bucket', c.bucket, 'accountId', c.account_id, 'origin', c.origin, 'isRetry', c.is_retry,
        'dueAt', c.due_at, 'id', c.delivery_id, 'openings', c.openings, 'isTried', c.is_tried
      )::text END AS place
    FROM moment
    CROSS JOIN again
    LEFT JOIN chosen c ON TRUE
    ORDER BY c.due_at, c.delivery_id`
}
