/** Has a database refuse to store, in the words of any SQLSTATE. */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** From now on every insert into the table is refused so, or those of such rows, until `accept`. */
export const refuse = Effect.fnUntraced(function* (
  table: string,
  state: string,
  { message = "no", rows }: { readonly message?: string; readonly rows?: string } = {}
) {
  const sql = yield* SqlClient
  yield* sql`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $body$ BEGIN RAISE EXCEPTION USING ERRCODE = TG_ARGV[0], MESSAGE = TG_ARGV[1]; END $body$`
  yield* sql.unsafe(
    `CREATE OR REPLACE TRIGGER refused BEFORE INSERT ON ${table} ${rows === undefined ? "FOR EACH STATEMENT" : `FOR EACH ROW WHEN (${rows})`} EXECUTE FUNCTION refuse('${state}', '${message}')`
  )
})

export const accept = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient
  yield* sql.unsafe(`DROP TRIGGER refused ON ${table}`)
})
