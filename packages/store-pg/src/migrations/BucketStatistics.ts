/** Keeps plans from depending on what the tables held when they were last looked at. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What PostgreSQL knows of the past misleads it about a bucket that is new and
 * grows: it expects one row there and reads them all. Without statistics it
 * expects a two-hundredth of the table, and goes by the rest of the key.
 */
export const keepBucketUnknown = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE ${sql(table)} ALTER COLUMN bucket SET STATISTICS 0`
})
