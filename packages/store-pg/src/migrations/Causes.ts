/**
 * Why deliveries have not arrived, and the tables and indexes that list them by
 * it. What changes with each attempt stands in narrow tables, so that
 * deliveries are still updated in place; the origin of a URL never changes.
 * Rows of versions before, and of processes of such that still run, have no
 * cause.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { originOf } from "../deliveries/queue/Origins.ts"
import { keepBucketUnknown } from "./BucketStatistics.ts"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE webhook_attempts ADD COLUMN cause text`
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN last_cause text`
  // Without the bucket: a list by origin then has one index to choose.
  yield* sql`
    CREATE INDEX webhook_deliveries_by_origin
    ON webhook_deliveries (account_id, (${originOf(sql, "url")}), id)`

  // Those that wait after an attempt that failed.
  yield* sql`
    CREATE TABLE webhook_failing (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      delivery_id uuid NOT NULL,
      cause text COLLATE "C" NOT NULL,
      PRIMARY KEY (bucket, account_id, delivery_id)
    )`
  yield* sql`
    CREATE INDEX webhook_failing_by_cause ON webhook_failing (bucket, account_id, cause, delivery_id)`
  yield* keepBucketUnknown("webhook_failing")

  yield* sql`
    ALTER TABLE webhook_dead
      ADD COLUMN origin text COLLATE "C" NOT NULL DEFAULT '',
      ADD COLUMN cause text COLLATE "C" NOT NULL DEFAULT 'unknown',
      ADD COLUMN type text NOT NULL DEFAULT ''`
  yield* sql`
    UPDATE webhook_dead x
    SET origin = ${originOf(sql, "d.url")}, type = d.type
    FROM webhook_deliveries d
    WHERE d.bucket = x.bucket AND d.account_id = x.account_id AND d.id = x.delivery_id`
  yield* sql`CREATE INDEX webhook_dead_by_cause ON webhook_dead (bucket, account_id, cause, delivery_id)`
  yield* sql`
    CREATE INDEX webhook_dead_by_origin ON webhook_dead (bucket, account_id, origin, cause, delivery_id)
    INCLUDE (type)`

  yield* sql`ALTER TABLE webhook_replays ADD COLUMN answer text`
  yield* sql`ALTER TABLE webhook_replays ADD COLUMN cause text`
  yield* sql`ALTER TABLE webhook_replays ADD COLUMN origin text`
})
