/**
 * Webhook deliveries, a narrow queue of those that wait, the state of their receivers, and their attempts. No index
 * of the deliveries has a state in it, so PostgreSQL updates them in place (HOT). Narrow tables beside them list them
 * by state and cause.
 */
import { causeNumber } from "../deliveries/history/CauseNumber.ts"
import { numberOf, originSql } from "../deliveries/queue/Origins.ts"
import { keepBucketsUnknown } from "./Tables.ts"

const deliveriesThemselves = [
  `CREATE TABLE webhook_deliveries (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    -- Null for an endpoint of the whole account.
    api_key_id uuid,
    -- Null for a callback.
    endpoint_id uuid,
    execution_id uuid,
    -- The change of its execution that it announces: events of one execution are ordered by it.
    revision integer,
    round integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    -- The execution as it was after that change.
    execution_started_at timestamptz(3),
    execution_stopped_at timestamptz(3),
    execution_status text,
    type text NOT NULL,
    url text NOT NULL,
    request_id text NOT NULL,
    -- Null without a reference: then the id of the execution stands for it.
    reference text,
    -- The body itself; null when it is rendered from the execution and the facts above.
    body text,
    -- The job that last replayed it.
    replay_id uuid,
    -- Claims and settlements change the columns from here on: the log of PostgreSQL omits those before.
    attempts integer NOT NULL,
    attempted_at timestamptz(3),
    next_attempt_at timestamptz(3),
    settled_at timestamptz(3),
    last_status integer,
    state text NOT NULL,
    last_error text,
    last_cause text,
    -- The first attempt, if it delivered: most deliveries need no other.
    first_attempt json,
    PRIMARY KEY (bucket, account_id, id)
    -- Room in the page for the versions of a claim and a settlement: nearly all updates stay in their page (HOT).
  ) WITH (fillfactor = 35)`,
  `CREATE INDEX webhook_deliveries_by_execution ON webhook_deliveries (bucket, execution_id, id)
    WHERE execution_id IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_by_key ON webhook_deliveries (api_key_id, id)`,
  // Without the bucket, so that a list by origin has only one index to choose. A number takes a third less room.
  `CREATE INDEX webhook_deliveries_by_origin ON webhook_deliveries (account_id, (${numberOf(originSql("url"))}), id)`,
  `CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id) WHERE endpoint_id IS NOT NULL`,
  `CREATE TABLE webhook_attempts (
    bucket smallint NOT NULL,
    delivery_id uuid NOT NULL,
    round integer NOT NULL,
    number integer NOT NULL,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    phase text NOT NULL,
    status integer,
    error text,
    cause text,
    remote_address text,
    -- The headers of the request and its answer, and how long its parts took, as far as they are known.
    exchange json NOT NULL,
    response_body text,
    is_truncated boolean NOT NULL,
    PRIMARY KEY (bucket, delivery_id, round, number)
  )`
]

const waiting = [
  // Claims walk this key from receiver to receiver, so no other index has a due time in it.
  `CREATE TABLE webhook_queue (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    origin text COLLATE "C" NOT NULL,
    -- Whether the next attempt is not the first of its round.
    is_retry boolean NOT NULL,
    -- As next_attempt_at of the delivery: the due time while it waits, the end of the lease while it is sent.
    due_at timestamptz(3) NOT NULL,
    delivery_id uuid NOT NULL,
    -- The dispatcher that has leased it, while it is sent.
    dispatcher_id uuid,
    -- Whether a person wants it tried now.
    is_tried boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (bucket, account_id, origin, is_retry, due_at, delivery_id)
    -- A claim changes the key, so it is no HOT update; in the same page it needs no second lock.
  ) WITH (fillfactor = 80)`,
  // Few are being sent at any time, and people ask for few, so these stay small however many wait.
  `CREATE INDEX webhook_queue_claimed ON webhook_queue (dispatcher_id) WHERE dispatcher_id IS NOT NULL`,
  `CREATE INDEX webhook_queue_tried ON webhook_queue (bucket, delivery_id) WHERE is_tried`,
  // Receivers that have or had trouble.
  `CREATE TABLE webhook_receivers (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    origin text COLLATE "C" NOT NULL,
    openings integer NOT NULL DEFAULT 0,
    held_until timestamptz(3),
    closed_at timestamptz(3),
    PRIMARY KEY (bucket, account_id, origin)
  )`
]

const byCause = (table: string) => [
  `CREATE INDEX ${table}_by_cause ON ${table} (bucket, (${causeNumber(table)}), delivery_id)`,
  // A cause that is frequent elsewhere may be absent in an account.
  `ALTER INDEX ${table}_by_cause ALTER COLUMN 2 SET STATISTICS 0`
]

const undelivered = [
  // Deliveries that wait after a failed attempt.
  `CREATE TABLE webhook_failing (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    cause text COLLATE "C" NOT NULL,
    PRIMARY KEY (bucket, account_id, delivery_id)
  )`,
  ...byCause("webhook_failing"),
  `CREATE TABLE webhook_dead (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    origin text COLLATE "C" NOT NULL,
    cause text COLLATE "C" NOT NULL,
    type text NOT NULL,
    PRIMARY KEY (bucket, account_id, delivery_id)
  )`,
  ...byCause("webhook_dead"),
  `CREATE INDEX webhook_dead_by_origin ON webhook_dead (bucket, account_id, origin, cause, delivery_id)
    INCLUDE (type)`
]

const endpoints = [
  `CREATE TABLE webhook_endpoints (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    api_key_id uuid,
    kind text NOT NULL,
    url text NOT NULL,
    description text NOT NULL,
    event_types text[],
    task_ids uuid[],
    agent_ids uuid[],
    is_enabled boolean NOT NULL,
    remove_after_seconds integer,
    fetched_at timestamptz(3),
    ciphertext text NOT NULL,
    previous_ciphertext text,
    previous_expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    -- Rises with each endpoint of the bucket that is made or enabled: one with a higher number came later.
    number integer NOT NULL,
    -- From then on nobody finds it; its messages are yet to be cancelled.
    removed_at timestamptz(3),
    PRIMARY KEY (bucket, account_id, id)
  )`,
  // Changes of which endpoints are yet to be told. A row stays for milliseconds, so the key is the only index.
  `CREATE TABLE endpoint_outbox (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    execution_id uuid NOT NULL,
    revision integer NOT NULL,
    -- The highest number among the endpoints of the account that were enabled then.
    last_endpoint integer NOT NULL,
    type text NOT NULL,
    -- The execution as it was after the change.
    status text NOT NULL,
    at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    stopped_at timestamptz(3),
    PRIMARY KEY (bucket, execution_id, revision)
  )`
]

export const deliveries = [
  ...deliveriesThemselves,
  ...endpoints,
  ...waiting,
  ...undelivered,
  ...keepBucketsUnknown(
    "webhook_deliveries",
    "webhook_attempts",
    "webhook_queue",
    "webhook_receivers",
    "webhook_failing",
    "webhook_dead",
    "webhook_endpoints",
    "endpoint_outbox"
  )
]
