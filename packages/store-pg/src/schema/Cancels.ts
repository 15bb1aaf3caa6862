/** Jobs that cancel many executions. */
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
