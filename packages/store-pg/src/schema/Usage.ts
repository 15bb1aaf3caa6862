/**
 * Usage counts: of accounts, keys and tasks by hour and day, of receivers by hour, and when keys and receivers were
 * last used. No index has a counter in it, so PostgreSQL updates rows in place (HOT).
 */
import { keepBucketsUnknown } from "./Tables.ts"

export const usage = [
  `CREATE TABLE usage_sums (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    span text NOT NULL,
    subject text NOT NULL,
    subject_id uuid NOT NULL,
    at timestamptz(3) NOT NULL,
    requests integer NOT NULL,
    created integer NOT NULL,
    started integer NOT NULL,
    completed integer NOT NULL,
    failed integer NOT NULL,
    aborted integer NOT NULL,
    cancelled integer NOT NULL,
    -- Ended without a start, so that the number of waiting executions at any time can be computed.
    never_started integer NOT NULL,
    delivered integer NOT NULL,
    failed_attempts integer NOT NULL,
    dead integer NOT NULL,
    to_start integer[] NOT NULL,
    to_finish integer[] NOT NULL,
    PRIMARY KEY (bucket, account_id, span, subject, subject_id, at)
  ) WITH (fillfactor = 60)`,
  `CREATE INDEX usage_sums_by_time ON usage_sums (bucket, account_id, span, subject, at)`,
  `CREATE INDEX usage_sums_by_age ON usage_sums (span, at)`,
  `CREATE TABLE key_uses (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    last_used_at timestamptz(3) NOT NULL,
    last_used_from text,
    PRIMARY KEY (bucket, account_id, api_key_id)
  ) WITH (fillfactor = 60)`,
  `CREATE TABLE receiver_sums (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    origin text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL,
    delivered integer NOT NULL,
    failed integer NOT NULL,
    PRIMARY KEY (bucket, account_id, origin, at)
  ) WITH (fillfactor = 60)`,
  `CREATE INDEX receiver_sums_by_age ON receiver_sums (at)`,
  `CREATE TABLE receiver_attempts (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    origin text COLLATE "C" NOT NULL,
    -- The hour of the latest attempt.
    latest_hour timestamptz(3) NOT NULL,
    last_success_at timestamptz(3),
    last_failure_at timestamptz(3),
    last_failure_cause text,
    last_failure_status integer,
    PRIMARY KEY (bucket, account_id, origin)
  ) WITH (fillfactor = 60)`,
  `CREATE INDEX receiver_attempts_by_hour ON receiver_attempts (bucket, account_id, latest_hour)`,
  `CREATE INDEX receiver_attempts_by_age ON receiver_attempts (latest_hour)`,
  ...keepBucketsUnknown("usage_sums", "key_uses", "receiver_sums", "receiver_attempts")
]
