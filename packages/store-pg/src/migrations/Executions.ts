/**
 * Executions. What was asked for never changes and may be large; what happens
 * to it changes often and is kept apart, narrow, and with no index on anything
 * that every execution changes, so that PostgreSQL updates it in place (HOT).
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keepBucketUnknown } from "./BucketStatistics.ts"

const createExecutions = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE execution_requests (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      agent_id uuid NOT NULL,
      task_id uuid NOT NULL,
      task_version_id uuid NOT NULL,
      reference text NOT NULL,
      -- As text, so that keys keep their order and a callback its bytes.
      metadata json NOT NULL,
      params json NOT NULL,
      priority smallint NOT NULL,
      scheduled_at timestamptz(3),
      expires_at timestamptz(3),
      timeout_seconds integer,
      max_attempts smallint NOT NULL,
      callback_url text,
      callback_events text[],
      request_id text NOT NULL,
      rerun_of uuid,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, id)
    )`
  yield* sql`CREATE INDEX execution_requests_by_account ON execution_requests (account_id, id)`
  yield* sql`CREATE INDEX execution_requests_by_agent_and_task ON execution_requests (account_id, agent_id, task_id, id)`
  yield* sql`CREATE INDEX execution_requests_by_reference ON execution_requests (account_id, reference, id)`
  // A reference that was frequent once would have its list walk the account for it.
  yield* sql`ALTER TABLE execution_requests ALTER COLUMN reference SET STATISTICS 0`
  yield* sql`
    CREATE TABLE executions (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      agent_id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      priority smallint NOT NULL,
      status text NOT NULL,
      status_reason text,
      error_message text,
      attempt smallint NOT NULL DEFAULT 0,
      epoch integer NOT NULL DEFAULT 0,
      -- The number of its latest event.
      revision integer NOT NULL DEFAULT 1,
      announced text[] NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      started_at timestamptz(3),
      stopped_at timestamptz(3),
      -- Its place in the queue, and whether it waits there: queued and without a slot.
      due_at timestamptz(3) NOT NULL,
      slot integer,
      -- The lease, while it has a slot. Its epoch is the execution's.
      session_id uuid,
      claim_id text,
      lease_expires_at timestamptz(3),
      attempt_epoch integer,
      -- Set for few, so their indexes are small and most updates leave them alone.
      start_by timestamptz(3),
      deadline_at timestamptz(3),
      input_expires_at timestamptz(3),
      inputs jsonb NOT NULL DEFAULT '[]',
      completion_epoch integer,
      completion_fingerprint text,
      completion_status text,
      artifact_count smallint NOT NULL DEFAULT 0,
      PRIMARY KEY (bucket, id)
    ) WITH (fillfactor = 60)`
  yield* sql`CREATE INDEX executions_by_start_end ON executions (start_by) WHERE start_by IS NOT NULL`
  yield* sql`CREATE INDEX executions_by_deadline ON executions (deadline_at) WHERE deadline_at IS NOT NULL`
  yield* sql`CREATE INDEX executions_by_input_end ON executions (input_expires_at) WHERE input_expires_at IS NOT NULL`
  yield* sql`
    CREATE TABLE execution_results (
      bucket smallint NOT NULL,
      execution_id uuid NOT NULL,
      result json NOT NULL,
      PRIMARY KEY (bucket, execution_id)
    )`
  yield* sql`
    CREATE TABLE execution_status (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      execution_id uuid NOT NULL,
      agent_id uuid NOT NULL,
      task_id uuid NOT NULL,
      status text NOT NULL,
      PRIMARY KEY (bucket, execution_id)
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX execution_status_by_status ON execution_status (account_id, status, execution_id)`
  yield* sql`CREATE INDEX execution_status_by_agent ON execution_status (account_id, agent_id, status, execution_id)`
  yield* sql`CREATE INDEX execution_status_by_task ON execution_status (account_id, task_id, status, execution_id)`
  // A status that is frequent elsewhere may be one that a task never has.
  yield* sql`ALTER TABLE execution_status ALTER COLUMN status SET STATISTICS 0`
  yield* sql`
    CREATE TABLE execution_events (
      bucket smallint NOT NULL,
      execution_id uuid NOT NULL,
      number integer NOT NULL,
      status text NOT NULL,
      epoch integer NOT NULL,
      at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, execution_id, number)
    )`
})

const createQueues = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE ready_queue (
      bucket smallint NOT NULL,
      agent_id uuid NOT NULL,
      rank smallint NOT NULL,
      due_at timestamptz(3) NOT NULL,
      execution_id uuid NOT NULL,
      PRIMARY KEY (bucket, agent_id, rank, due_at, execution_id)
    )`
  yield* sql`
    CREATE TABLE delayed_queue (
      bucket smallint NOT NULL,
      agent_id uuid NOT NULL,
      due_at timestamptz(3) NOT NULL,
      execution_id uuid NOT NULL,
      rank smallint NOT NULL,
      PRIMARY KEY (bucket, agent_id, due_at, execution_id)
    )`
  yield* sql`
    CREATE TABLE agent_slots (
      bucket smallint NOT NULL,
      agent_id uuid NOT NULL,
      slot integer NOT NULL,
      execution_id uuid,
      session_id uuid,
      -- Above the capacity since that was lowered: never given again.
      is_surplus boolean NOT NULL DEFAULT false,
      PRIMARY KEY (bucket, agent_id, slot)
    ) WITH (fillfactor = 50)`
})

const createAdmission = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE idempotency_keys (
      bucket smallint NOT NULL,
      api_key_id uuid NOT NULL,
      key text COLLATE "C" NOT NULL,
      fingerprint text NOT NULL,
      execution_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, api_key_id, key)
    )`
  yield* sql`CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at)`
  yield* sql`
    CREATE TABLE live_counts (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      live integer NOT NULL DEFAULT 0,
      PRIMARY KEY (bucket, account_id, api_key_id)
    ) WITH (fillfactor = 50)`
  yield* sql`
    CREATE TABLE live_releases (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      execution_id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      PRIMARY KEY (bucket, account_id, execution_id)
    )`
  yield* sql`
    CREATE TABLE artifacts (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      execution_id uuid NOT NULL,
      id uuid NOT NULL,
      epoch integer NOT NULL,
      kind text NOT NULL,
      file_name text NOT NULL,
      content_type text NOT NULL,
      size_bytes bigint NOT NULL,
      sha256 text NOT NULL,
      storage_key text NOT NULL,
      is_ready boolean NOT NULL,
      platform_id uuid,
      handler text,
      started_offset_ms bigint,
      created_at timestamptz(3) NOT NULL,
      -- A digest of what makes two registrations the same capture.
      capture uuid NOT NULL,
      PRIMARY KEY (bucket, execution_id, id),
      UNIQUE (bucket, execution_id, capture)
    )`
})

const tables = [
  "execution_requests",
  "executions",
  "execution_results",
  "execution_status",
  "execution_events",
  "ready_queue",
  "delayed_queue",
  "agent_slots",
  "idempotency_keys",
  "artifacts"
]

export const create = Effect.gen(function* () {
  yield* createExecutions
  yield* createQueues
  yield* createAdmission
  yield* Effect.forEach(tables, (table) => keepBucketUnknown(table))
})
