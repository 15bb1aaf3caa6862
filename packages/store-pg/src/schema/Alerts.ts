/**
 * Alerts and whom they are sent to: few rows, without buckets. On a distributed PostgreSQL its coordinator alone has
 * them, so that alerts are sent while a node is away.
 */
export const alerts = [
  // Which look is the last, and until when nobody else looks: one row.
  `CREATE TABLE alert_turns (
    id smallint PRIMARY KEY,
    number integer NOT NULL,
    until timestamptz(3) NOT NULL
  )`,
  `CREATE TABLE alerts (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    subject text COLLATE "C" NOT NULL,
    name text NOT NULL,
    count integer NOT NULL,
    since timestamptz(3) NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    missed_at timestamptz(3),
    opened_at timestamptz(3),
    closed_at timestamptz(3),
    PRIMARY KEY (account_id, kind, subject)
  ) WITH (fillfactor = 60)`,
  // Messages that may still be caused in the hour since a moment; the subject is a hash.
  `CREATE TABLE alert_allowances (
    subject text COLLATE "C" PRIMARY KEY,
    since timestamptz(3) NOT NULL,
    remaining integer NOT NULL
  )`,
  `CREATE TABLE alert_targets (
    id uuid PRIMARY KEY,
    -- Null for a target of the operator.
    account_id uuid,
    channel text NOT NULL,
    address text NOT NULL,
    kinds text[] NOT NULL,
    paused_until timestamptz(3),
    ciphertext text,
    told json NOT NULL,
    attempts integer NOT NULL,
    failures integer NOT NULL,
    next_attempt_at timestamptz(3),
    last_sent_at timestamptz(3),
    last_error text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
  )`
]
