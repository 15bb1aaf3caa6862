/**
 * Files that executions captured, the usage of each account, and files of pruned artifacts that storage may still
 * have.
 */
import { keepBucketsUnknown } from "./Tables.ts"

export const artifacts = [
  `CREATE TABLE artifacts (
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
    -- The deadline of its upload.
    awaited_until timestamptz(3) NOT NULL,
    platform_id uuid,
    handler text,
    started_offset_ms bigint,
    created_at timestamptz(3) NOT NULL,
    -- A digest of what makes two registrations the same capture.
    capture uuid NOT NULL,
    PRIMARY KEY (bucket, execution_id, id),
    UNIQUE (bucket, execution_id, capture)
  )`,
  // Few artifacts are not ready at any time, so this index stays small.
  `CREATE INDEX artifacts_awaited ON artifacts (awaited_until) WHERE NOT is_ready`,
  // A sum in bytes, so that a quota needs no scan.
  `CREATE TABLE artifact_usage (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (bucket, account_id)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE artifact_leftovers (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    storage_key text NOT NULL,
    PRIMARY KEY (bucket, account_id, id)
  )`,
  ...keepBucketsUnknown("artifacts", "artifact_usage", "artifact_leftovers")
]
