/** Has a database refuse every write of a service, in the words of any SQLSTATE. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { onDatabase } from "../TestPostgres.ts"

const Tables = Schema.Array(Schema.Struct({ name: Schema.String }))

/**
 * Prepares every table that is there by now. Nothing is refused yet. The service may work meanwhile: one table is locked
 * at a time, since several that wait for each other would be a deadlock with its transactions.
 */
export const refusingDatabase = Effect.fnUntraced(function* (url: string) {
  const prepare = Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = yield* Effect.flatMap(
      sql`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
      Schema.decodeUnknownEffect(Tables)
    )
    yield* sql`CREATE TABLE refusing AS SELECT NULL::text AS state`
    yield* sql`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
      DECLARE refused text := (SELECT state FROM refusing);
      BEGIN
        IF refused IS NOT NULL THEN RAISE EXCEPTION 'refused by a test' USING ERRCODE = refused; END IF;
        RETURN NULL;
      END $body$`
    yield* Effect.forEach(tables, ({ name }) =>
      sql.unsafe(
        `CREATE TRIGGER refused BEFORE INSERT OR UPDATE OR DELETE ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`
      )
    )
  })
  const refuseAs = (state: string | null) =>
    onDatabase(
      url,
      SqlClient.use((sql) => sql`UPDATE refusing SET state = ${state}::text`)
    )
  yield* onDatabase(url, prepare)
  return { refuse: (state: string) => refuseAs(state), accept: refuseAs(null) }
})
