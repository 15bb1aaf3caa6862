/**
 * Accounts, their keys, and the people who use them. They are few and read often: on a distributed PostgreSQL every
 * node has a copy, so they are not keyed by bucket, and one transaction ends sessions of several accounts.
 */

const keys = [
  `CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    bucket smallint NOT NULL CHECK (bucket BETWEEN 0 AND 255),
    name text NOT NULL,
    rate_limit json,
    max_live integer,
    retention_days integer,
    created_at timestamptz(3) NOT NULL,
    -- Set for an account that was removed: nobody knows it any more. Its row stays, without its name, so that what
    -- is still found of it has a bucket, and nobody takes its files for another's.
    removed_at timestamptz(3),
    -- When nothing of it was left.
    erased_at timestamptz(3)
  )`,
  `CREATE TABLE api_keys (
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
  )`,
  `CREATE INDEX api_keys_by_account ON api_keys (account_id, id)`,
  `CREATE TABLE signing_secrets (
    id uuid PRIMARY KEY,
    api_key_id uuid NOT NULL REFERENCES api_keys (id),
    ciphertext text NOT NULL,
    active_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX signing_secrets_by_key ON signing_secrets (api_key_id, id)`,
  `CREATE TABLE runner_keys (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts (id),
    name text NOT NULL,
    prefix text NOT NULL UNIQUE,
    secret_hash text NOT NULL,
    agent_ids uuid[],
    revoked_at timestamptz(3),
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX runner_keys_by_account ON runner_keys (account_id, id)`
]

const people = [
  `CREATE TABLE console_links (
    id uuid PRIMARY KEY,
    token_hash text NOT NULL UNIQUE,
    account_id uuid NOT NULL REFERENCES accounts (id),
    role text NOT NULL,
    name text NOT NULL,
    person uuid NOT NULL,
    maker_kind text NOT NULL,
    maker_id uuid,
    maker_name text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    withdrawn_at timestamptz(3)
  )`,
  `CREATE INDEX console_links_by_account ON console_links (account_id, id)`,
  `CREATE INDEX console_links_by_person ON console_links (person)`,
  `CREATE INDEX console_links_by_end ON console_links (expires_at)`,
  `CREATE TABLE console_sessions (
    id uuid PRIMARY KEY,
    -- The cookie of the browser, which opens its sessions in several accounts.
    token_hash text NOT NULL,
    account_id uuid NOT NULL REFERENCES accounts (id),
    role text NOT NULL,
    name text NOT NULL,
    person uuid NOT NULL,
    method text NOT NULL,
    maker uuid,
    from_address text,
    signed_in_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
  )`,
  `CREATE INDEX console_sessions_by_token ON console_sessions (token_hash)`,
  `CREATE INDEX console_sessions_by_account ON console_sessions (account_id, id) WHERE ended_at IS NULL`,
  `CREATE INDEX console_sessions_by_person ON console_sessions (person) WHERE ended_at IS NULL`,
  `CREATE INDEX console_sessions_by_end ON console_sessions (expires_at)`
]

export const accounts = [...keys, ...people]
