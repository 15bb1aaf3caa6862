/**
 * How large things are, beside them: a list ends its page by it, and a claim
 * its work, without reading what it leaves out. Null in rows of versions before,
 * which are measured when they are read.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE execution_requests ADD COLUMN bytes integer`
  yield* sql`ALTER TABLE execution_results ADD COLUMN bytes integer`
})
