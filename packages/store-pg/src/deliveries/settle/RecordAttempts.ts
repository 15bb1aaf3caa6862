/** The statement that records attempts and settles their deliveries. */
import { attemptsWaited } from "@runhook/core/domain/delivery/DeliveryOrder"
import { EventId, ExecutionId } from "@runhook/core/domain/Ids"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { countsOutcomes, partOf } from "../../replays/ReplayOutcomes.ts"
import { boolean, integer, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { type Columns, rows } from "../../sql/Rows.ts"
import { exchangeText } from "../AttemptRow.ts"
import { firstAttemptText } from "../FirstAttempt.ts"
import { originOf } from "../queue/Origins.ts"

/** One for each attempt that was recorded: what somebody else has changed meanwhile is missing, though it may be the latest still. */
export const SettledRow = Schema.Struct({
  id: EventId,
  origin: Schema.String,
  /** The execution whose later events may have waited for this one, the turn of which may be over now. */
  releasedExecutionId: Schema.NullOr(ExecutionId)
})

const stateAfter = { Delivered: "delivered", Retry: "pending", Dead: "dead" } as const

/** Whether the attempt of a row `asked` of a relation is the latest of the pending delivery `d`. */
export const isLatest = (sql: SqlClient, relation: string): Fragment => {
  const asked = sql.literal(relation)
  return sql`(
    d.account_id = ${asked}.account_id AND d.id = ${asked}.id
    AND d.state = 'pending' AND d.round = ${asked}.round AND d.attempts = ${asked}.number
  )`
}

/** Whether the attempt has a row of its own. Those without one have settled their deliveries. */
export const isRecorded = (
  sql: SqlClient,
  { bucket, relation }: { readonly bucket: number; readonly relation: string }
): Fragment => {
  const asked = sql.literal(relation)
  return sql`EXISTS (
    SELECT FROM webhook_attempts a
    WHERE a.bucket = ${smallint(bucket)} AND a.delivery_id = ${asked}.id
      AND a.round = ${asked}.round AND a.number = ${asked}.number
  )`
}

interface Asked extends Settlement {
  readonly firstAttempt: string | null
  /** Until the next attempt. */
  readonly delayMillis: number | null
}

const columns: Columns<Asked> = {
  account_id: uuid(({ accountId }) => accountId),
  id: uuid(({ attempt }) => attempt.deliveryId),
  round: integer(({ attempt }) => attempt.round),
  number: integer(({ attempt }) => attempt.number),
  started_at: timestamptz(({ attempt }) => attempt.startedAt),
  duration_ms: integer(({ attempt }) => attempt.durationMs),
  phase: text(({ attempt }) => attempt.phase),
  status: integer(({ attempt }) => attempt.status),
  error: text(({ attempt }) => attempt.error),
  cause: text(({ attempt }) => attempt.cause),
  remote_address: text(({ attempt }) => attempt.remoteAddress),
  // What only an attempt says that has a row of its own.
  exchange: text(({ attempt, firstAttempt, sent }) =>
    firstAttempt === null ? exchangeText(attempt, sent) : null
  ),
  response_body: text(({ attempt, firstAttempt }) => (firstAttempt === null ? attempt.responseBody : null)),
  is_truncated: boolean(({ attempt }) => attempt.isTruncated),
  first_attempt: text(({ firstAttempt }) => firstAttempt),
  state: text(({ verdict }) => stateAfter[verdict._tag]),
  delay_ms: integer(({ delayMillis }) => delayMillis)
}

/**
 * Records attempts of one bucket, with all that follows from each.
 *
 * - **Answers** a `SettledRow` for each attempt that was recorded.
 * - **Locks** nothing first: the update of the deliveries is the first lock, in
 *   whatever order the plan has. Callers send deliveries in the order of their
 *   ids, and try again after a deadlock.
 * - **May be missing**: an attempt that was recorded before, one that is not the
 *   latest any more, and one whose delivery somebody has moved meanwhile, which
 *   is to be recorded again.
 */
export const recordAttempts = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly settlements: ReadonlyArray<Settlement>
    /** What the dispatcher takes for now. */
    readonly at: DateTime.Utc
    /** The moment that this stands for. */
    readonly now: Fragment
  }
) => {
  const { at, bucket, now, settlements } = options
  const asked = settlements.map((settlement) => ({
    ...settlement,
    firstAttempt: firstAttemptText(settlement),
    delayMillis:
      settlement.verdict._tag === "Retry"
        ? settlement.verdict.nextAttemptAt.epochMilliseconds - at.epochMilliseconds
        : null
  }))
  return sql`
    -- The attempts, as the dispatcher made them.
    WITH asked AS (SELECT * FROM ${rows("asked", asked, columns)}),
    -- Of these, each that is the latest of a pending delivery and was not recorded before, with when the next one is due.
    -- Read without a lock: what is stored below is guarded by what is seen here.
    latest AS MATERIALIZED (
      SELECT asked.*, d.next_attempt_at AS leased_until, d.execution_id, d.replay_id, d.type, ${originOf(sql, "d.url")} AS origin,
        (${now} + asked.delay_ms * interval '1 millisecond')::timestamptz(3) AS next_attempt_at
      FROM asked
      CROSS JOIN LATERAL (
        SELECT d.next_attempt_at, d.url, d.execution_id, d.replay_id, d.type
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND ${isLatest(sql, "asked")}
          AND NOT ${isRecorded(sql, { bucket, relation: "asked" })}
        LIMIT 1
      ) AS d
    ),
    -- The deliveries as the attempt leaves them. Whoever else has moved one meanwhile has changed when it is due, so the
    -- guard on that misses it.
    concluded AS (
      UPDATE webhook_deliveries d
      SET state = c.state, next_attempt_at = c.next_attempt_at, last_status = c.status, last_error = c.error,
        last_cause = c.cause,
        first_attempt = coalesce(c.first_attempt::json, d.first_attempt),
        settled_at = CASE WHEN c.state = 'pending' THEN d.settled_at ELSE ${now} END
      FROM latest c
      -- By the keys as well as by the join: else a plan may go through all of a bucket that it takes for small.
      WHERE d.bucket = ${smallint(bucket)}
        AND d.account_id = ANY (ARRAY(SELECT DISTINCT account_id FROM latest))
        AND d.id = ANY (ARRAY(SELECT id FROM latest))
        AND ${isLatest(sql, "c")} AND d.next_attempt_at = c.leased_until
      RETURNING c.*
    ),
    -- The attempts themselves. One that delivered at once is kept in the row of its delivery instead.
    recorded AS (
      INSERT INTO webhook_attempts (
        bucket, delivery_id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange, response_body, is_truncated
      )
      SELECT ${smallint(bucket)}, id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange::json, response_body, is_truncated
      FROM concluded
      WHERE first_attempt IS NULL
    ),
    -- What is given up is listed among the dead ones,
    buried AS (
      INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
      SELECT ${smallint(bucket)}, account_id, id, origin, cause, type
      FROM concluded
      WHERE state = 'dead'
    ),
    -- what is tried again among those that fail,
    failing AS (
      INSERT INTO webhook_failing AS f (bucket, account_id, delivery_id, cause)
      SELECT ${smallint(bucket)}, account_id, id, cause
      FROM concluded
      WHERE state = 'pending'
      ON CONFLICT (bucket, account_id, delivery_id) DO UPDATE SET cause = excluded.cause
    ),
    -- and what came to its end no longer fails. A first attempt that ended it was never listed.
    recovered AS (
      DELETE FROM webhook_failing f
      USING concluded c
      WHERE c.state <> 'pending' AND (c.number > 1 OR c.round > 1)
        AND f.bucket = ${smallint(bucket)} AND f.account_id = c.account_id AND f.delivery_id = c.id
    ),
    -- The replay jobs count what they have started and what came to its end.
    counted AS (${countsOutcomes(sql, { bucket, part: partOf(settlements[0]?.attempt.deliveryId), relation: "concluded", state: sql`c.state` })}),
    -- What came to its end leaves the queue.
    left_queue AS (
      DELETE FROM webhook_queue q
      USING concluded c
      WHERE c.state <> 'pending'
        AND q.bucket = ${smallint(bucket)} AND q.account_id = c.account_id AND q.origin = c.origin AND q.is_retry
        AND q.due_at = c.leased_until AND q.delivery_id = c.id
    ),
    -- What is tried again is due later, and no dispatcher's.
    put_off AS (
      UPDATE webhook_queue q
      SET due_at = c.next_attempt_at, dispatcher_id = NULL, is_tried = FALSE
      FROM concluded c
      WHERE c.state = 'pending'
        AND q.bucket = ${smallint(bucket)} AND q.account_id = c.account_id AND q.origin = c.origin AND q.is_retry
        AND q.due_at = c.leased_until AND q.delivery_id = c.id
    )
    SELECT id, origin,
      CASE
        WHEN round = 1 AND (state <> 'pending' OR number >= ${integer(attemptsWaited)}) THEN execution_id
      END AS "releasedExecutionId"
    FROM concluded`
}
