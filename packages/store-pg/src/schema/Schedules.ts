/** Schedules: few rows, each changed whenever it is due. */
import { keepBucketsUnknown } from "./Tables.ts"

export const schedules = [
  `CREATE TABLE schedules (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    name text NOT NULL,
    cron text,
    time_zone text,
    every_seconds integer,
    anchor_at timestamptz(3) NOT NULL,
    starts_at timestamptz(3),
    ends_at timestamptz(3),
    overlap text NOT NULL,
    missed text NOT NULL,
    jitter_seconds integer NOT NULL,
    request json NOT NULL,
    created_at timestamptz(3) NOT NULL,
    -- What a due time changes comes last: the log of PostgreSQL omits unchanged bytes at both ends of a row.
    updated_at timestamptz(3) NOT NULL,
    is_enabled boolean NOT NULL,
    next_at timestamptz(3),
    wake_at timestamptz(3),
    last_at timestamptz(3),
    last_outcome text,
    last_execution_id uuid,
    last_error json,
    revision integer NOT NULL,
    PRIMARY KEY (bucket, account_id, id)
  ) WITH (fillfactor = 70)`,
  // What is awake: each process asks for the first of them all the time.
  `CREATE INDEX schedules_by_wake ON schedules (wake_at) WHERE wake_at IS NOT NULL`,
  ...keepBucketsUnknown("schedules")
]
