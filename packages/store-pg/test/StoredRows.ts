/** The rows of an account, for tests that say that nothing has changed. */
import type { AccountId } from "@runhook/core/domain/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

const Tables = Schema.Array(Schema.Struct({ name: Schema.String }))

/** All rows of the account's bucket but its runner sessions, as text, in every table that has buckets. */
export const storedRows = Effect.fnUntraced(function* (accountId: AccountId) {
  const sql = yield* SqlClient
  const tables = yield* Schema.decodeUnknownEffect(Tables)(
    yield* sql`
      SELECT quote_ident(table_name) AS name
      FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'bucket'
        AND table_name NOT IN ('accounts', 'runner_sessions')`
  )
  const rows = tables.map(
    ({ name }) => `
      SELECT '${name}' AS "table", to_jsonb(t)::text AS "row"
      FROM ${name} t
      WHERE bucket = (SELECT bucket FROM accounts WHERE id = $1::uuid)`
  )
  return yield* sql.unsafe(`${rows.join(" UNION ALL ")} ORDER BY 1, 2`, [accountId])
})
