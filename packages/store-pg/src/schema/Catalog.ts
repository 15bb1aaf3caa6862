/** What administrators set up in an account: tasks and agents, and the runner processes that serve those. */

const tasks = [
  `CREATE TABLE tasks (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    -- Lower-cased by the application, since the database's lower-casing depends on its locale.
    folded_name text NOT NULL,
    description text NOT NULL,
    platforms json NOT NULL,
    timeout_seconds integer,
    max_attempts smallint NOT NULL,
    retry_backoff json NOT NULL,
    enabled boolean NOT NULL,
    current_version_id uuid,
    -- The number of the latest version; counting here hands numbers out without gaps.
    version_count integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (bucket, account_id, id),
    UNIQUE (bucket, account_id, slug)
  )`,
  `CREATE TABLE task_versions (
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
  )`,
  `CREATE TABLE task_tags (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    task_id uuid NOT NULL,
    -- In JavaScript's order, whatever the locale of the database.
    name text COLLATE "C" NOT NULL,
    version_id uuid NOT NULL,
    PRIMARY KEY (bucket, account_id, task_id, name)
  )`
]

const agents = [
  `CREATE TABLE agents (
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
  )`,
  `CREATE TABLE runner_sessions (
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
    -- When an operator asked it to drain.
    drain_requested_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    last_seen_at timestamptz(3) NOT NULL,
    PRIMARY KEY (bucket, account_id, id),
    UNIQUE (bucket, account_id, runner_key_id, instance_id)
  ) WITH (fillfactor = 70)`
]

export const catalog = [...tasks, ...agents]
