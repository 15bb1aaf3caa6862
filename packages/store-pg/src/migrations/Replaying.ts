/**
 * What replays may ask for, what they expected, and what became of them; and
 * deliveries that somebody wants tried now. Processes of the version before
 * count no outcomes, and hold to no wish.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE webhook_replays ADD COLUMN ids uuid[]`
  yield* sql`ALTER TABLE webhook_replays ADD COLUMN last_only boolean NOT NULL DEFAULT FALSE`
  yield* sql`ALTER TABLE webhook_replays ADD COLUMN expected integer`
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN replay_id uuid`
  // In parts, so that dispatchers which settle for one job at the same time do not wait for each other.
  yield* sql`
    CREATE TABLE webhook_replay_outcomes (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      replay_id uuid NOT NULL,
      part smallint NOT NULL,
      delivered integer NOT NULL,
      failed integer NOT NULL,
      PRIMARY KEY (bucket, account_id, replay_id, part)
    )`
  yield* sql`ALTER TABLE webhook_queue ADD COLUMN is_tried boolean NOT NULL DEFAULT FALSE`
  // People ask for few, so this index is small however much waits.
  yield* sql`CREATE INDEX webhook_queue_tried ON webhook_queue (bucket, delivery_id) WHERE is_tried`
})
