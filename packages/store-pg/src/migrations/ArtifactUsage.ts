/**
 * What each account has in artifacts, in bytes, so that a quota needs no sum.
 * Starts with what is there. What processes of the version before register
 * meanwhile is not counted.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keepBucketUnknown } from "./BucketStatistics.ts"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE artifact_usage (
      bucket smallint NOT NULL,
      account_id uuid NOT NULL,
      bytes bigint NOT NULL,
      PRIMARY KEY (bucket, account_id)
    ) WITH (fillfactor = 50)`
  yield* sql`
    INSERT INTO artifact_usage (bucket, account_id, bytes)
    SELECT bucket, account_id, sum(size_bytes) FROM artifacts GROUP BY bucket, account_id`
  yield* keepBucketUnknown("artifact_usage")
})
