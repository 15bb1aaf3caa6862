/** The rows of an account, for tests that say that nothing has changed. */
import type { AccountId } from "@runhook/core/domain/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

const Tables = Schema.Array(Schema.Struct({ name: Schema.String, hasBucket: Schema.Boolean }))

/** All rows of the account's bucket but its runner sessions, and its rows in tables that have no buckets, as text. */
export const storedRows = Effect.fnUntraced(function* (accountId: AccountId) {
  const sql = yield* SqlClient
  const tables = yield* Schema.decodeUnknownEffect(Tables)(
    yield* sql`
      SELECT quote_ident(table_name) AS name, bool_or(column_name = 'bucket') AS "hasBucket"
      FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('account_id', 'bucket')
        AND table_name NOT IN ('accounts', 'runner_sessions')
      GROUP BY table_name`
  )
  // Named as a value, so that one node is asked for the rows of all tables where they lie on several.
  const [found] = yield* sql<{
    readonly bucket: number
  }>`SELECT bucket FROM accounts WHERE id = ${accountId}::uuid`
  const rows = [
    ...tables.map(({ hasBucket, name }) => [
      name,
      hasBucket ? `bucket = ${found?.bucket ?? null}` : "account_id = $1::uuid"
    ]),
    ["signing_secrets", "api_key_id IN (SELECT id FROM api_keys WHERE account_id = $1::uuid)"]
  ].map(
    ([name, condition]) => `
      SELECT '${name}' AS "table", to_jsonb(t)::text AS "row"
      FROM ${name} t
      WHERE ${condition}`
  )
  return yield* sql.unsafe(`${rows.join(" UNION ALL ")} ORDER BY 1, 2`, [accountId])
})
