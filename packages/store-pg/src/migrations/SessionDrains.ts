/** When an operator asked a session of a runner to take no more work. Of the sessions that were there before, nobody has. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = SqlClient.use(
  (sql) => sql`ALTER TABLE runner_sessions ADD COLUMN drain_requested_at timestamptz(3)`
).pipe(Effect.asVoid)
