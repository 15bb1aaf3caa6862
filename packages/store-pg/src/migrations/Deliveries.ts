/** Webhook deliveries, a narrow queue of those that wait, how their receivers fare, and the attempts made. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keepBucketUnknown } from "./BucketStatistics.ts"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE webhook_deliveries (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      execution_id uuid,
      type text NOT NULL,
      url text NOT NULL,
      request_id text NOT NULL,
      reference text,
      -- The text itself; null when it is rendered from the execution and the facts below.
      body text,
      -- The execution as it was after the change that this tells of.
      execution_status text,
      execution_started_at timestamptz(3),
      execution_stopped_at timestamptz(3),
      state text NOT NULL,
      attempts integer NOT NULL,
      round integer NOT NULL,
      next_attempt_at timestamptz(3),
      expires_at timestamptz(3) NOT NULL,
      last_status integer,
      last_error text,
      created_at timestamptz(3) NOT NULL,
      settled_at timestamptz(3),
      PRIMARY KEY (bucket, account_id, id)
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX webhook_deliveries_by_execution ON webhook_deliveries (execution_id, id)
    WHERE execution_id IS NOT NULL`
  yield* sql`CREATE INDEX webhook_deliveries_by_key ON webhook_deliveries (api_key_id, id)`
  // Apart, because no index may say anything of a state: PostgreSQL then updates the deliveries in place (HOT).
  yield* sql`
    CREATE TABLE webhook_dead (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      delivery_id uuid NOT NULL,
      PRIMARY KEY (bucket, account_id, delivery_id)
    )`
  // Claims walk this key from receiver to receiver, so it is the only index with a due time in it.
  yield* sql`
    CREATE TABLE webhook_queue (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      origin text COLLATE "C" NOT NULL,
      -- Whether the next attempt is not the first of its round.
      is_retry boolean NOT NULL,
      -- As the delivery's next_attempt_at: due time while it waits, end of the lease while it is sent.
      due_at timestamptz(3) NOT NULL,
      delivery_id uuid NOT NULL,
      PRIMARY KEY (bucket, account_id, origin, is_retry, due_at, delivery_id)
    )`
  // Those that have or had trouble.
  yield* sql`
    CREATE TABLE webhook_receivers (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      origin text COLLATE "C" NOT NULL,
      openings integer NOT NULL DEFAULT 0,
      held_until timestamptz(3),
      closed_at timestamptz(3),
      PRIMARY KEY (bucket, account_id, origin)
    )`
  yield* sql`
    CREATE TABLE webhook_attempts (
      bucket smallint NOT NULL,
      delivery_id uuid NOT NULL,
      round integer NOT NULL,
      number integer NOT NULL,
      started_at timestamptz(3) NOT NULL,
      duration_ms integer NOT NULL,
      phase text NOT NULL,
      status integer,
      error text,
      remote_address text,
      -- The headers of the request and of its answer, and how long the parts took, as far as there is any.
      exchange json NOT NULL,
      response_body text,
      is_truncated boolean NOT NULL,
      PRIMARY KEY (bucket, delivery_id, round, number)
    )`
  // Jobs that replay many deliveries.
  yield* sql`
    CREATE TABLE webhook_replays (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      -- Which deliveries: null means any.
      states text[] NOT NULL,
      type text,
      api_key_id uuid,
      execution_id uuid,
      mention text,
      created_from timestamptz(3),
      created_to timestamptz(3),
      status text NOT NULL,
      replayed integer NOT NULL,
      last_seen_id uuid,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      finished_at timestamptz(3),
      PRIMARY KEY (bucket, account_id, id)
    )`
  yield* sql`CREATE INDEX webhook_replays_running ON webhook_replays (updated_at, id) WHERE status = 'running'`
  yield* sql`CREATE INDEX webhook_replays_finished ON webhook_replays (finished_at) WHERE finished_at IS NOT NULL`
  yield* Effect.forEach(
    ["webhook_deliveries", "webhook_dead", "webhook_queue", "webhook_receivers", "webhook_attempts"],
    (table) => keepBucketUnknown(table)
  )
})
