/** Who has claimed what is being sent, and which dispatchers have lately been heard of. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE webhook_queue ADD COLUMN dispatcher_id uuid`
  // Little is being sent at any time, so this index is small however much waits.
  yield* sql`
    CREATE INDEX webhook_queue_claimed ON webhook_queue (dispatcher_id) WHERE dispatcher_id IS NOT NULL`
  yield* sql`CREATE TABLE webhook_dispatchers (id uuid PRIMARY KEY, beats integer NOT NULL)`
})
