/**
 * Until when an artifact that is not ready is awaited, and which files of
 * forgotten ones may still lie in the storage. Artifacts that were there before,
 * and those of processes of the version before, are awaited for an hour.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keepBucketUnknown } from "./BucketStatistics.ts"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    ALTER TABLE artifacts ADD COLUMN awaited_until timestamptz(3) NOT NULL DEFAULT now() + interval '1 hour'`
  // Few are not ready at any time, so this index is small whatever the table holds.
  yield* sql`CREATE INDEX artifacts_awaited ON artifacts (awaited_until) WHERE NOT is_ready`
  yield* sql`
    CREATE TABLE artifact_leftovers (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      storage_key text NOT NULL,
      PRIMARY KEY (bucket, account_id, id)
    )`
  yield* keepBucketUnknown("artifact_leftovers")
})
