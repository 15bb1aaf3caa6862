/** Records attempts of one bucket, and what follows from each that is the latest of a pending delivery. */
import { attemptsWaited } from "@runhook/core/domain/DeliveryOrder"
import { EventId, ExecutionId } from "@runhook/core/domain/Ids"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instants, integers, texts, uuids } from "../Arrays.ts"
import { exchangeText } from "../rows/AttemptRow.ts"
import { unknownCause } from "./Causes.ts"
import { originOf } from "./Origins.ts"
import { countsOutcomes, partOf } from "./ReplayOutcomes.ts"

/** One for each attempt that was recorded. */
export const SettledRow = Schema.Struct({
  id: EventId,
  origin: Schema.String,
  /** The execution whose later events may have waited for this one, the turn of which may be over now. */
  releasedExecutionId: Schema.NullOr(ExecutionId)
})

const stateAfter = { Delivered: "delivered", Retry: "pending", Dead: "dead" } as const

export const settleStatement = (
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
  const attempts = settlements.map(({ attempt }) => attempt)
  const verdicts = settlements.map(({ verdict }) => verdict)
  return sql`
    WITH asked AS (
      SELECT *
      FROM unnest(
        ${uuids(settlements.map(({ accountId }) => accountId))}::uuid[],
        ${uuids(attempts.map(({ deliveryId }) => deliveryId))}::uuid[],
        ${integers(attempts.map(({ round }) => round))}::integer[],
        ${integers(attempts.map(({ number }) => number))}::integer[],
        ${instants(attempts.map(({ startedAt }) => startedAt))}::timestamptz[],
        ${integers(attempts.map(({ durationMs }) => durationMs))}::integer[],
        ${texts(attempts.map(({ phase }) => phase))}::text[],
        ${integers(attempts.map(({ status }) => status))}::integer[],
        ${texts(attempts.map(({ error }) => error))}::text[],
        ${texts(attempts.map(({ cause }) => cause))}::text[],
        ${texts(attempts.map(({ remoteAddress }) => remoteAddress))}::text[],
        ${texts(attempts.map(exchangeText))}::text[],
        ${texts(attempts.map(({ responseBody }) => responseBody))}::text[],
        ${texts(attempts.map(({ isTruncated }) => isTruncated.toString()))}::text[],
        ${texts(verdicts.map((verdict) => stateAfter[verdict._tag]))}::text[],
        ${integers(
          verdicts.map((verdict) =>
            verdict._tag === "Retry" ? verdict.nextAttemptAt.epochMilliseconds - at.epochMilliseconds : null
          )
        )}::integer[]
      ) AS asked (
        account_id, id, round, number, started_at, duration_ms, phase, status, error, cause, remote_address,
        exchange, response_body, is_truncated, state, delay_ms
      )
    ),
    latest AS (
      SELECT asked.*, d.next_attempt_at AS leased_until, d.execution_id, d.replay_id, d.type, ${originOf(sql, "d.url")} AS origin,
        (${now} + asked.delay_ms * interval '1 millisecond')::timestamptz(3) AS next_attempt_at
      FROM asked
      CROSS JOIN LATERAL (
        SELECT d.next_attempt_at, d.url, d.execution_id, d.replay_id, d.type
        FROM webhook_deliveries d
        WHERE d.bucket = ${bucket}::smallint AND d.account_id = asked.account_id AND d.id = asked.id
          AND d.state = 'pending' AND d.round = asked.round AND d.attempts = asked.number
        LIMIT 1
        FOR UPDATE
      ) AS d
    ),
    recorded AS (
      INSERT INTO webhook_attempts (
        bucket, delivery_id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange, response_body, is_truncated
      )
      SELECT ${bucket}::smallint, id, round, number, started_at, duration_ms, phase, status, error, cause,
        remote_address, exchange::json, response_body, is_truncated::boolean
      FROM latest
      ON CONFLICT (bucket, delivery_id, round, number) DO NOTHING
      RETURNING delivery_id
    ),
    concluded AS (
      SELECT latest.*
      FROM latest
      JOIN recorded ON recorded.delivery_id = latest.id
    ),
    settled AS (
      UPDATE webhook_deliveries d
      SET state = c.state, next_attempt_at = c.next_attempt_at, last_status = c.status, last_error = c.error,
        last_cause = c.cause,
        settled_at = CASE WHEN c.state = 'pending' THEN d.settled_at ELSE ${now} END
      FROM concluded c
      WHERE d.bucket = ${bucket}::smallint AND d.account_id = c.account_id AND d.id = c.id
    ),
    buried AS (
      INSERT INTO webhook_dead (bucket, account_id, delivery_id, origin, cause, type)
      SELECT ${bucket}::smallint, account_id, id, origin, coalesce(cause, ${unknownCause}::text), type
      FROM concluded
      WHERE state = 'dead'
    ),
    failing AS (
      INSERT INTO webhook_failing AS f (bucket, account_id, delivery_id, cause)
      SELECT ${bucket}::smallint, account_id, id, coalesce(cause, ${unknownCause}::text)
      FROM concluded
      WHERE state = 'pending'
      ON CONFLICT (bucket, account_id, delivery_id) DO UPDATE SET cause = excluded.cause
    ),
    -- What its first attempt has settled was never among them.
    recovered AS (
      DELETE FROM webhook_failing f
      USING concluded c
      WHERE c.state <> 'pending' AND (c.number > 1 OR c.round > 1)
        AND f.bucket = ${bucket}::smallint AND f.account_id = c.account_id AND f.delivery_id = c.id
    ),
    counted AS (${countsOutcomes(sql, { bucket, part: partOf(attempts[0]?.deliveryId), relation: "concluded", state: sql`c.state` })}),
    left_queue AS (
      DELETE FROM webhook_queue q
      USING concluded c
      WHERE c.state <> 'pending'
        AND q.bucket = ${bucket}::smallint AND q.account_id = c.account_id AND q.origin = c.origin AND q.is_retry
        AND q.due_at = c.leased_until AND q.delivery_id = c.id
    ),
    put_off AS (
      UPDATE webhook_queue q
      SET due_at = c.next_attempt_at, dispatcher_id = NULL, is_tried = FALSE
      FROM concluded c
      WHERE c.state = 'pending'
        AND q.bucket = ${bucket}::smallint AND q.account_id = c.account_id AND q.origin = c.origin AND q.is_retry
        AND q.due_at = c.leased_until AND q.delivery_id = c.id
    )
    SELECT id, origin,
      CASE
        WHEN round = 1 AND (state <> 'pending' OR number >= ${attemptsWaited}::integer) THEN execution_id
      END AS "releasedExecutionId"
    FROM concluded`
}
