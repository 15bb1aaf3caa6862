/** Executions that ended without having run, so that one can tell how many waited at any time. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE usage_sums ADD COLUMN never_started integer NOT NULL DEFAULT 0`
})
