/**
 * What each change of an execution was, beside its event, and what runners
 * last said of their work. Events of versions before have no type; those that
 * a process of the version before writes meanwhile have none either.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { keepBucketUnknown } from "./BucketStatistics.ts"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE execution_events ADD COLUMN type text, ADD COLUMN attempt smallint`
  // Apart from the executions: it may be long, and changes as often as its runner speaks.
  yield* sql`
    CREATE TABLE execution_progress (
      bucket smallint NOT NULL,
      execution_id uuid NOT NULL,
      percent double precision,
      message text,
      step text,
      at timestamptz(3) NOT NULL,
      PRIMARY KEY (bucket, execution_id)
    ) WITH (fillfactor = 60)`
  yield* keepBucketUnknown("execution_progress")
})
