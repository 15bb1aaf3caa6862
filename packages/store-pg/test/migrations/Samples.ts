/** What a later release may do to the schema, and what none may. */
import { type Migration, migrations } from "@runhook/store-pg/migrations/Migrations"

const id = migrations.length + 1

/** One that makes an index of a table that grows. */
export const indexing: Migration = {
  id,
  name: "indexing",
  statements: ["CREATE INDEX CONCURRENTLY IF NOT EXISTS sample_index ON execution_events (at, execution_id)"]
}

/** One of every form. */
export const sample: Migration = {
  id,
  name: "sample",
  statements: [
    "ALTER TABLE execution_events ADD COLUMN IF NOT EXISTS note text",
    "ALTER TABLE execution_events ADD COLUMN IF NOT EXISTS weight integer NOT NULL DEFAULT 0",
    ...indexing.statements,
    "ALTER TABLE execution_events ALTER COLUMN note SET STATISTICS 0",
    "ALTER TABLE execution_events ALTER COLUMN weight SET DEFAULT 1",
    "ALTER TABLE execution_events SET (fillfactor = 90)",
    "CREATE TABLE IF NOT EXISTS samples (bucket smallint NOT NULL, id uuid NOT NULL, PRIMARY KEY (bucket, id))",
    "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS samples_by_id ON samples (id) WHERE bucket > 7",
    "DROP INDEX CONCURRENTLY IF EXISTS samples_by_id"
  ]
}

export const refused: ReadonlyArray<string> = [
  "CREATE INDEX IF NOT EXISTS sample_index ON execution_events (at)",
  "CREATE INDEX CONCURRENTLY sample_index ON execution_events (at)",
  "DROP INDEX IF EXISTS sample_index",
  "CREATE TABLE samples (id uuid)",
  "CREATE TABLE IF NOT EXISTS samples (id uuid REFERENCES accounts (id))",
  "ALTER TABLE execution_events ADD COLUMN note text",
  "ALTER TABLE execution_events ADD COLUMN IF NOT EXISTS note text NOT NULL",
  "ALTER TABLE execution_events ADD COLUMN IF NOT EXISTS mark uuid NOT NULL DEFAULT gen_random_uuid()",
  "ALTER TABLE execution_events ADD COLUMN IF NOT EXISTS note text, ALTER COLUMN epoch TYPE bigint",
  "ALTER TABLE execution_events ALTER COLUMN epoch TYPE bigint",
  "ALTER TABLE execution_events ALTER COLUMN epoch SET NOT NULL",
  "ALTER TABLE execution_events ADD CHECK (epoch >= 0)",
  "ALTER TABLE execution_events DROP COLUMN epoch",
  "ALTER TABLE execution_events RENAME COLUMN epoch TO term",
  "UPDATE execution_events SET epoch = 1",
  "LOCK TABLE execution_events",
  "VACUUM FULL execution_events",
  "CREATE TABLE IF NOT EXISTS samples (id uuid); DROP TABLE executions"
]
