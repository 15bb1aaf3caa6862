/** Jobs that go through many executions, or many deliveries. */

/** They cancel executions. */
export const cancels = [
  `CREATE TABLE cancel_jobs (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    api_key_id uuid,
    idempotency_key text COLLATE "C",
    -- Which executions, how, and in whose name.
    asked json NOT NULL,
    status text NOT NULL,
    matched integer,
    cancelled integer NOT NULL,
    skipped integer NOT NULL,
    failed integer NOT NULL,
    last_seen_id uuid,
    retry_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    PRIMARY KEY (bucket, account_id, id)
  )`,
  `CREATE INDEX cancel_jobs_running ON cancel_jobs (account_id, updated_at, id) WHERE status = 'running'`,
  `CREATE INDEX cancel_jobs_by_key ON cancel_jobs (account_id, idempotency_key, created_at)
    WHERE idempotency_key IS NOT NULL`,
  `CREATE INDEX cancel_jobs_finished ON cancel_jobs (finished_at) WHERE finished_at IS NOT NULL`
]

/** They replay deliveries: their filter, the expected number, and the outcomes. */
export const replays = [
  `CREATE TABLE webhook_replays (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    -- Which deliveries: null means any.
    states text[] NOT NULL,
    type text,
    api_key_id uuid,
    endpoint_id uuid,
    execution_id uuid,
    mention text,
    answer text,
    cause text,
    origin text,
    created_from timestamptz(3),
    created_to timestamptz(3),
    ids uuid[],
    task_ids uuid[],
    agent_ids uuid[],
    last_only boolean NOT NULL,
    status text NOT NULL,
    expected integer,
    replayed integer NOT NULL,
    last_seen_id uuid,
    retry_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    PRIMARY KEY (bucket, account_id, id)
  )`,
  `CREATE INDEX webhook_replays_running ON webhook_replays (updated_at, id) WHERE status = 'running'`,
  `CREATE INDEX webhook_replays_finished ON webhook_replays (finished_at) WHERE finished_at IS NOT NULL`,
  // In parts, so that dispatchers that settle for one job at the same time do not wait for each other.
  `CREATE TABLE webhook_replay_outcomes (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    replay_id uuid NOT NULL,
    part smallint NOT NULL,
    delivered integer NOT NULL,
    failed integer NOT NULL,
    PRIMARY KEY (bucket, account_id, replay_id, part)
  )`
]
