/** Stores deliveries that no change of an execution caused. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { instant } from "../../sql/Instants.ts"
import { entersQueue } from "./QueueEntry.ts"

export const makeEnqueuing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  const enqueue = Effect.fnUntraced(function* (delivery: Delivery) {
    const { accountId, id } = delivery
    const bucket = yield* buckets.of(accountId)
    yield* sql`
      WITH stored AS (
        INSERT INTO webhook_deliveries (
          bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference, body, state,
          attempts, attempted_at, round, next_attempt_at, expires_at, last_status, last_error, last_cause, created_at, settled_at
        )
        VALUES (
          ${bucket}::smallint, ${accountId}::uuid, ${id}::uuid, ${delivery.apiKeyId}::uuid,
          ${delivery.executionId}::uuid, ${delivery.revision}::integer, ${delivery.type}::text, ${delivery.url}::text, ${delivery.requestId}::text,
          ${delivery.reference}::text, ${delivery.body}::text, ${delivery.state}::text,
          ${delivery.attempts}::integer, ${instant(delivery.attemptedAt)}::timestamptz, ${delivery.round}::integer,
          ${instant(delivery.nextAttemptAt)}::timestamptz, ${instant(delivery.expiresAt)}::timestamptz,
          ${delivery.lastStatus}::integer, ${delivery.lastError}::text, ${delivery.lastCause}::text,
          ${instant(delivery.createdAt)}::timestamptz, ${instant(delivery.settledAt)}::timestamptz
        )
        RETURNING *
      )
      ${entersQueue(sql, "stored")}`
  })

  return { enqueue }
})
