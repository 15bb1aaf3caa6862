/**
 * The queue of webhook deliveries. Dispatchers look at all buckets without a
 * lock and then take what they saw, bucket by bucket; what another one has
 * taken meanwhile is passed by.
 */
import { expiredMessage } from "@runhook/core/domain/Delivering"
import type { Delivery } from "@runhook/core/domain/Delivery"
import { EventId } from "@runhook/core/domain/Ids"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { instants, integers, texts, uuids } from "./Arrays.ts"
import { Buckets } from "./Buckets.ts"
import { instant } from "./Instants.ts"
import { decoded, decodedFirst } from "./Outcomes.ts"
import { deliveryColumns, deliveryJoins, deliveryOf, DeliveryRow } from "./rows/DeliveryRow.ts"

const DueRow = Schema.Struct({ bucket: Schema.Int, id: EventId, dueAt: Schema.DateTimeUtc })

const NextRow = Schema.Struct({ nextDueAt: Schema.NullOr(Schema.DateTimeUtc) })

interface ClaimOptions {
  readonly limit: number
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
}

export const makeDeliveryQueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  const enqueue = Effect.fnUntraced(function* (delivery: Delivery) {
    const { accountId, id } = delivery
    const bucket = yield* buckets.of(accountId)
    yield* sql`
      WITH stored AS (
        INSERT INTO webhook_deliveries (
          bucket, account_id, id, api_key_id, execution_id, type, url, request_id, reference, body, state,
          attempts, round, next_attempt_at, expires_at, last_status, last_error, created_at, settled_at
        )
        VALUES (
          ${bucket}::smallint, ${accountId}::uuid, ${id}::uuid, ${delivery.apiKeyId}::uuid,
          ${delivery.executionId}::uuid, ${delivery.type}::text, ${delivery.url}::text, ${delivery.requestId}::text,
          ${delivery.reference}::text, ${delivery.body}::text, ${delivery.state}::text,
          ${delivery.attempts}::integer, ${delivery.round}::integer,
          ${instant(delivery.nextAttemptAt)}::timestamptz, ${instant(delivery.expiresAt)}::timestamptz,
          ${delivery.lastStatus}::integer, ${delivery.lastError}::text,
          ${instant(delivery.createdAt)}::timestamptz, ${instant(delivery.settledAt)}::timestamptz
        )
        RETURNING id, next_attempt_at
      )
      INSERT INTO webhook_queue (bucket, delivery_id, due_at)
      SELECT ${bucket}::smallint, id, next_attempt_at
      FROM stored
      WHERE next_attempt_at IS NOT NULL`
  })

  /** Takes the deliveries of one bucket that are still due; those past their lifetime are dead instead. */
  const take = (bucket: number, ids: ReadonlyArray<typeof DueRow.Type>, { at, lease }: ClaimOptions) => {
    const leaseEnd = instant(DateTime.addDuration(at, lease))
    return decoded(DeliveryRow)(sql`
      WITH due AS (
        SELECT seen.id AS delivery_id, d.is_expired
        FROM unnest(${uuids(ids.map(({ id }) => id))}::uuid[]) AS seen (id)
        CROSS JOIN LATERAL (
          SELECT q.due_at FROM webhook_queue q
          WHERE q.bucket = ${bucket}::smallint AND q.delivery_id = seen.id AND q.due_at <= ${instant(at)}::timestamptz
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS q
        CROSS JOIN LATERAL (
          SELECT d.expires_at <= ${instant(at)}::timestamptz AS is_expired FROM webhook_deliveries d
          WHERE d.bucket = ${bucket}::smallint AND d.id = seen.id AND d.next_attempt_at = q.due_at
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS d
      ),
      expired AS (
        UPDATE webhook_deliveries d
        SET state = 'dead', next_attempt_at = NULL, settled_at = ${instant(at)}::timestamptz,
          last_error = coalesce(d.last_error, ${expiredMessage}::text)
        FROM due
        WHERE due.is_expired
          AND d.bucket = ${bucket}::smallint AND d.id = due.delivery_id
      ),
      left_queue AS (
        DELETE FROM webhook_queue q
        USING due
        WHERE due.is_expired
          AND q.bucket = ${bucket}::smallint AND q.delivery_id = due.delivery_id
      ),
      leased AS (
        UPDATE webhook_queue q
        SET due_at = ${leaseEnd}::timestamptz
        FROM due
        WHERE NOT due.is_expired
          AND q.bucket = ${bucket}::smallint AND q.delivery_id = due.delivery_id
      ),
      taken AS (
        UPDATE webhook_deliveries d
        SET attempts = d.attempts + 1, next_attempt_at = ${leaseEnd}::timestamptz
        FROM due
        WHERE NOT due.is_expired
          AND d.bucket = ${bucket}::smallint AND d.id = due.delivery_id
        RETURNING d.*
      )
      SELECT ${sql.literal(deliveryColumns)}
      FROM taken d
      ${sql.literal(deliveryJoins)}`)
  }

  const claimDue = Effect.fnUntraced(function* (options: ClaimOptions) {
    const { at, limit } = options
    // One row beyond what is due says, on a quiet look, when the next one is.
    const seen = yield* decoded(DueRow)(sql`
      SELECT bucket, delivery_id AS id, due_at AS "dueAt"
      FROM webhook_queue
      ORDER BY due_at, delivery_id
      LIMIT ${limit}::integer`)
    const due = seen.filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, at))
    const [next] = seen
    if (due.length === 0) return { deliveries: [], nextDueAt: next?.dueAt ?? null }
    const taken = yield* Effect.forEach(
      Object.values(Array.groupBy(due, ({ bucket }) => bucket.toString())),
      (ofBucket) => take(ofBucket[0].bucket, ofBucket, options)
    )
    const places = new Map(due.map(({ id }, place) => [id, place]))
    const after = yield* decodedFirst(NextRow)(sql`SELECT min(due_at) AS "nextDueAt" FROM webhook_queue`)
    return {
      deliveries: Array.sort(
        taken.flat().map(deliveryOf),
        Order.mapInput(Order.Number, ({ id }: Delivery) => places.get(id) ?? 0)
      ),
      nextDueAt: after?.nextDueAt ?? null
    }
  })

  /** Records the attempts of one bucket, and what follows from each that is the latest of a pending delivery. */
  const record = (bucket: number, settlements: ReadonlyArray<Settlement>, at: DateTime.Utc) => {
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
          ${texts(attempts.map(({ remoteAddress }) => remoteAddress))}::text[],
          ${texts(attempts.map(({ responseHeaders }) => JSON.stringify(responseHeaders)))}::text[],
          ${texts(attempts.map(({ responseBody }) => responseBody))}::text[],
          ${texts(attempts.map(({ isTruncated }) => isTruncated.toString()))}::text[],
          ${texts(verdicts.map((verdict) => stateAfter[verdict._tag]))}::text[],
          ${instants(verdicts.map((verdict) => (verdict._tag === "Retry" ? verdict.nextAttemptAt : null)))}::timestamptz[]
        ) AS asked (
          account_id, id, round, number, started_at, duration_ms, phase, status, error, remote_address,
          response_headers, response_body, is_truncated, state, next_attempt_at
        )
      ),
      latest AS (
        SELECT asked.*
        FROM asked
        JOIN webhook_deliveries d ON d.bucket = ${bucket}::smallint AND d.id = asked.id
        WHERE d.account_id = asked.account_id AND d.state = 'pending' AND d.round = asked.round
          AND d.attempts = asked.number
        -- Always in one order: two dispatchers would otherwise wait for each other.
        ORDER BY d.id
        FOR UPDATE OF d
      ),
      recorded AS (
        INSERT INTO webhook_attempts (
          bucket, delivery_id, round, number, started_at, duration_ms, phase, status, error,
          remote_address, response_headers, response_body, is_truncated
        )
        SELECT ${bucket}::smallint, id, round, number, started_at, duration_ms, phase, status, error,
          remote_address, response_headers::json, response_body, is_truncated::boolean
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
          settled_at = CASE WHEN c.state = 'pending' THEN d.settled_at ELSE ${instant(at)}::timestamptz END
        FROM concluded c
        WHERE d.bucket = ${bucket}::smallint AND d.id = c.id
      ),
      left_queue AS (
        DELETE FROM webhook_queue q
        USING concluded c
        WHERE c.state <> 'pending'
          AND q.bucket = ${bucket}::smallint AND q.delivery_id = c.id
      )
      UPDATE webhook_queue q
      SET due_at = c.next_attempt_at
      FROM concluded c
      WHERE c.state = 'pending'
        AND q.bucket = ${bucket}::smallint AND q.delivery_id = c.id`
  }

  const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, at: DateTime.Utc) {
    const placed = yield* Effect.forEach(settlements, (settlement) =>
      Effect.map(buckets.of(settlement.accountId), (bucket) => ({ bucket, settlement }))
    )
    yield* Effect.forEach(
      Object.values(Array.groupBy(placed, ({ bucket }) => bucket.toString())),
      (ofBucket) =>
        record(
          ofBucket[0].bucket,
          ofBucket.map(({ settlement }) => settlement),
          at
        ),
      { discard: true }
    )
  })

  return { enqueue, claimDue, settle }
})

const stateAfter = { Delivered: "delivered", Retry: "pending", Dead: "dead" } as const
