/** Webhook deliveries, a narrow queue of those that wait, and the attempts made. */
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
      PRIMARY KEY (bucket, id)
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX webhook_deliveries_by_account ON webhook_deliveries (account_id, id)`
  yield* sql`
    CREATE INDEX webhook_deliveries_by_execution ON webhook_deliveries (execution_id, id)
    WHERE execution_id IS NOT NULL`
  yield* sql`CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (account_id, id) WHERE state = 'dead'`
  yield* sql`
    CREATE TABLE webhook_queue (
      bucket smallint NOT NULL,
      delivery_id uuid NOT NULL,
      due_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, delivery_id)
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX webhook_queue_by_due_time ON webhook_queue (due_at, delivery_id)`
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
      response_headers json NOT NULL,
      response_body text,
      is_truncated boolean NOT NULL,
      PRIMARY KEY (bucket, delivery_id, round, number)
    )`
  yield* Effect.forEach(["webhook_deliveries", "webhook_queue", "webhook_attempts"], (table) =>
    keepBucketUnknown(table)
  )
})
