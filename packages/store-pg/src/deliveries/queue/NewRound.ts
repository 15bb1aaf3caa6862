/** How settled deliveries are sent again. */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import type { AccountId, ReplayId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instant } from "../../sql/Instants.ts"
import type { Clock } from "../../clock/StoreClock.ts"
import { unknownCause } from "../history/Causes.ts"
import { dueAtOnce, entersQueue } from "./QueueEntry.ts"

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
    readonly at: DateTime.Utc
    readonly clock: Clock
  }
): Fragment => {
  const { accountId, bucket, clock, replayId } = options
  const at = instant(options.at)
  const expiresAt = instant(DateTime.addDuration(options.at, deliveryLifetime))
  // By an array, whatever is known of the tables: each is found by its key.
  const chosen = sql`ANY (ARRAY(SELECT id FROM chosen))`
  return sql`
    replayed AS (
      UPDATE webhook_deliveries d
      SET state = 'pending', round = d.round + 1, replay_id = ${replayId}::uuid, attempts = 0, next_attempt_at = ${dueAtOnce(sql, { at, clock })},
        expires_at = ${expiresAt}::timestamptz, settled_at = NULL
      WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid AND d.id = ${chosen}
      RETURNING d.*
    ),
    risen AS (
      DELETE FROM webhook_dead x
      WHERE x.bucket = ${bucket}::smallint AND x.account_id = ${accountId}::uuid AND x.delivery_id = ${chosen}
    ),
    failing AS (
      INSERT INTO webhook_failing (bucket, account_id, delivery_id, cause)
      SELECT d.bucket, d.account_id, d.id, coalesce(d.last_cause, ${unknownCause}::text)
      FROM replayed d
      WHERE d.last_error IS NOT NULL
      ON CONFLICT (bucket, account_id, delivery_id) DO NOTHING
    ),
    queued AS (${entersQueue(sql, "replayed")})`
}
