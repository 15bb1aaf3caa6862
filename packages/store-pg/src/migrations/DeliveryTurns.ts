/**
 * Which change of its execution a delivery tells of, and when it was last
 * tried: by these the events of an execution keep their order. Null in what
 * processes of the version before store or try; readers make do without.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN revision integer`
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN attempted_at timestamptz(3)`
})
