/** Accounts and what administrators set up in them. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Small and read often: on a distributed PostgreSQL every node has a copy, so they are not keyed by bucket. */
const createReferences = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE accounts (
      id uuid PRIMARY KEY,
      bucket smallint NOT NULL CHECK (bucket BETWEEN 0 AND 255),
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL
    )`
  yield* sql`
    CREATE TABLE api_keys (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts (id),
      name text NOT NULL,
      prefix text NOT NULL UNIQUE,
      secret_hash text NOT NULL,
      previous_hash text,
      previous_expires_at timestamptz(3),
      allowed_task_ids uuid[],
      allowed_agent_ids uuid[],
      capabilities text[],
      max_live integer,
      rate_limit json,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )`
  yield* sql`CREATE INDEX api_keys_by_account ON api_keys (account_id, id)`
  yield* sql`
    CREATE TABLE signing_secrets (
      id uuid PRIMARY KEY,
      api_key_id uuid NOT NULL REFERENCES api_keys (id),
      ciphertext text NOT NULL,
      active_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3),
      created_at timestamptz(3) NOT NULL
    )`
  yield* sql`CREATE INDEX signing_secrets_by_key ON signing_secrets (api_key_id, id)`
  yield* sql`
    CREATE TABLE service_secrets (
      purpose text PRIMARY KEY,
      ciphertext text NOT NULL
    )`
  yield* sql`
    CREATE TABLE runner_keys (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts (id),
      name text NOT NULL,
      prefix text NOT NULL UNIQUE,
      secret_hash text NOT NULL,
      agent_ids uuid[],
      revoked_at timestamptz(3),
      created_at timestamptz(3) NOT NULL
    )`
  yield* sql`CREATE INDEX runner_keys_by_account ON runner_keys (account_id, id)`
})

const createTasks = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE tasks (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      -- Lower-cased by the application: what a database lower-cases depends on its locale.
      folded_name text NOT NULL,
      description text NOT NULL,
      platforms json NOT NULL,
      timeout_seconds integer,
      max_attempts smallint NOT NULL,
      enabled boolean NOT NULL,
      current_version_id uuid,
      -- The number of the latest version; counting here hands numbers out without gaps.
      version_count integer NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, account_id, id),
      UNIQUE (bucket, account_id, slug)
    )`
  yield* sql`
    CREATE TABLE task_versions (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      task_id uuid NOT NULL,
      number integer NOT NULL,
      params_schema json NOT NULL,
      result_schema json,
      published_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, account_id, id),
      UNIQUE (bucket, account_id, task_id, number)
    )`
  yield* sql`
    CREATE TABLE task_tags (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      task_id uuid NOT NULL,
      -- Ordered as JavaScript orders it, whatever the locale of the database.
      name text COLLATE "C" NOT NULL,
      version_id uuid NOT NULL,
      PRIMARY KEY (bucket, account_id, task_id, name)
    )`
})

const createAgents = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE agents (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      labels json NOT NULL,
      capacity integer NOT NULL,
      state text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, account_id, id)
    )`
  yield* sql`
    CREATE TABLE runner_sessions (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      runner_key_id uuid NOT NULL,
      instance_id text NOT NULL,
      runner_name text NOT NULL,
      version text,
      agent_ids uuid[],
      capacity integer NOT NULL,
      labels json NOT NULL,
      is_draining boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_seen_at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, account_id, id),
      UNIQUE (bucket, account_id, runner_key_id, instance_id)
    ) WITH (fillfactor = 70)`
})

export const create = Effect.gen(function* () {
  yield* createReferences
  yield* createTasks
  yield* createAgents
})
