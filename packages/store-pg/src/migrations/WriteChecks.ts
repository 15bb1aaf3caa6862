/** One row that is written to find out whether the database takes writes. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE write_checks (
      id smallint PRIMARY KEY,
      checked_at timestamptz(3) NOT NULL
    )`
})
