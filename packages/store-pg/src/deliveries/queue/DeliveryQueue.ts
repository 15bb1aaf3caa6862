/** Stores and queues deliveries without an execution's change behind them, such as tests. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { integer, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { originOf } from "./Origins.ts"

export const makeEnqueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  return Effect.fnUntraced(function* (delivery: Delivery) {
    const { accountId, id } = delivery
    const bucket = yield* buckets.of(accountId)
    yield* sql`
      -- The delivery.
      WITH stored AS (
        INSERT INTO webhook_deliveries (
          bucket, account_id, id, api_key_id, endpoint_id, execution_id, revision, type, url, request_id, reference, body, state,
          attempts, attempted_at, round, next_attempt_at, expires_at, last_status, last_error, last_cause, created_at, settled_at
        )
        VALUES (
          ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(id)}, ${uuid(delivery.apiKeyId)}, ${uuid(delivery.endpointId)},
          ${uuid(delivery.executionId)}, ${integer(delivery.revision)}, ${text(delivery.type)}, ${text(delivery.url)}, ${text(delivery.requestId)},
          ${text(delivery.reference)}, ${text(delivery.body)}, ${text(delivery.state)},
          ${integer(delivery.attempts)}, ${timestamptz(delivery.attemptedAt)}, ${integer(delivery.round)},
          ${timestamptz(delivery.nextAttemptAt)}, ${timestamptz(delivery.expiresAt)},
          ${integer(delivery.lastStatus)}, ${text(delivery.lastError)}, ${text(delivery.lastCause)},
          ${timestamptz(delivery.createdAt)}, ${timestamptz(delivery.settledAt)}
        )
        RETURNING *
      )
      INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
      SELECT d.bucket, d.account_id, ${originOf(sql, "d.url")}, d.attempts > 0, d.next_attempt_at, d.id
      FROM stored d
      WHERE d.next_attempt_at IS NOT NULL`
  })
})
