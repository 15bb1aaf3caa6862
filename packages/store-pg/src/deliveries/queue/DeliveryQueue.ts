/** How deliveries enter the queue: new ones that no change of an execution caused, and settled ones that are replayed. */
import { type Delivery, deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import type { AccountId, ReplayId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../../accounts/Buckets.ts"
import type { Moments } from "../../clock/StoreClock.ts"
import { integer, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { originOf } from "./Origins.ts"

/** Stores a delivery that no change of an execution caused, and queues it. */
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
          bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference, body, state,
          attempts, attempted_at, round, next_attempt_at, expires_at, last_status, last_error, last_cause, created_at, settled_at
        )
        VALUES (
          ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(id)}, ${uuid(delivery.apiKeyId)},
          ${uuid(delivery.executionId)}, ${integer(delivery.revision)}, ${text(delivery.type)}, ${text(delivery.url)}, ${text(delivery.requestId)},
          ${text(delivery.reference)}, ${text(delivery.body)}, ${text(delivery.state)},
          ${integer(delivery.attempts)}, ${timestamptz(delivery.attemptedAt)}, ${integer(delivery.round)},
          ${timestamptz(delivery.nextAttemptAt)}, ${timestamptz(delivery.expiresAt)},
          ${integer(delivery.lastStatus)}, ${text(delivery.lastError)}, ${text(delivery.lastCause)},
          ${timestamptz(delivery.createdAt)}, ${timestamptz(delivery.settledAt)}
        )
        RETURNING *
      )
      ${entersQueue(sql, "stored")}`
  })
})

/**
 * The common table expressions that start a new round of the settled
 * deliveries `chosen`, which the statement has locked: `replayed` has their
 * rows as they are then.
 */
export const newRound = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly accountId: AccountId
    /** The job that starts it; null when none does. */
    readonly replayId: ReplayId | null
    readonly moments: Moments
  }
): Fragment => {
  const { accountId, bucket, moments, replayId } = options
  const expiresAt = timestamptz(DateTime.addDuration(moments.at, deliveryLifetime))
  // `= ANY (array)` forces lookups by key even when the planner has no statistics.
  const chosen = sql`ANY (ARRAY(SELECT id FROM chosen))`
  return sql`
    -- The deliveries, pending again with a whole lifetime before them.
    replayed AS (
      UPDATE webhook_deliveries d
      SET state = 'pending', round = d.round + 1, replay_id = ${uuid(replayId)}, attempts = 0, next_attempt_at = ${moments.atOnce},
        expires_at = ${expiresAt}, settled_at = NULL
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = ${chosen}
      RETURNING d.*
    ),
    -- They are no longer among the dead ones,
    risen AS (
      DELETE FROM webhook_dead x
      WHERE x.bucket = ${smallint(bucket)} AND x.account_id = ${uuid(accountId)} AND x.delivery_id = ${chosen}
    ),
    -- but among the failing ones, if their last attempt failed.
    failing AS (
      INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
      SELECT d.bucket, d.account_id, d.id, d.last_cause
      FROM replayed d
      WHERE d.last_cause IS NOT NULL
      ON CONFLICT (bucket, account_id, delivery_id) DO NOTHING
    ),
    -- And they wait in the queue.
    queued AS (${entersQueue(sql, "replayed")})`
}

/** Puts the pending ones among the deliveries `d` of a relation into the queue. */
const entersQueue = (sql: SqlClient, relation: string): Fragment => sql`
  INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
  SELECT d.bucket, d.account_id, ${originOf(sql, "d.url")}, d.attempts > 0, d.next_attempt_at, d.id
  FROM ${sql.literal(relation)} d
  WHERE d.next_attempt_at IS NOT NULL`
