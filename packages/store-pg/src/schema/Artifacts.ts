/** Files that executions captured, what each account has of them, and what the storage may still hold of pruned ones. */
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
    -- Until when it is awaited, while it is not ready.
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
  // Few are not ready at any time, so this index is small whatever the table holds.
  `CREATE INDEX artifacts_awaited ON artifacts (awaited_until) WHERE NOT is_ready`,
  // In bytes, so that a quota needs no sum.
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
