/** The rows of an account, for tests that say that nothing has changed. */
import type { AccountId } from "@runhook/core/shared/Ids"
import { citus } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

const Tables = Schema.Array(Schema.Struct({ name: Schema.String, hasBucket: Schema.Boolean }))

/** Asked once, since tests of stores change no tables. */
let tables: typeof Tables.Type | undefined

const findTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* Schema.decodeUnknownEffect(Tables)(
    yield* sql`
      SELECT quote_ident(table_name) AS name, bool_or(column_name = 'bucket') AS "hasBucket"
      FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('account_id', 'bucket')
        AND table_name NOT IN ('accounts', 'runner_sessions')
      GROUP BY table_name`
  )
})

/** All rows of the account's bucket but its runner sessions, and its rows in tables that have no buckets, as text. */
export const storedRows = Effect.fnUntraced(function* (accountId: AccountId) {
  const sql = yield* SqlClient
  tables ??= yield* findTables
  const [found] = yield* sql<{
    readonly bucket: number
  }>`SELECT bucket FROM accounts WHERE id = ${accountId}::uuid`
  const bucket = found?.bucket ?? null
  // Of Citus the value itself, so that one node is asked for the rows of all tables; of others one text, which is
  // parsed and planned once and not for each account.
  const named = citus === undefined ? "$2::smallint" : String(bucket)
  const rows = [
    ...tables.map(({ hasBucket, name }) => [name, hasBucket ? `bucket = ${named}` : "account_id = $1::uuid"]),
    ["signing_secrets", "api_key_id IN (SELECT id FROM api_keys WHERE account_id = $1::uuid)"]
  ].map(
    ([name, condition]) => `
      SELECT '${name}' AS "table", to_jsonb(t)::text AS "row"
      FROM ${name} t
      WHERE ${condition}`
  )
  const values = citus === undefined ? [accountId, bucket] : [accountId]
  return yield* sql.unsafe(`${rows.join(" UNION ALL ")} ORDER BY 1, 2`, values)
})
