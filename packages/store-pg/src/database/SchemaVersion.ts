/** Checks the version of the schema: a program refuses to start on one that a newer release has changed. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { migrations, recordTable } from "../migrations/Migrations.ts"
import { text } from "../sql/Parameters.ts"

/** The highest id that this program knows. */
export const newestKnown = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/**
 * A newer release has been here. Nothing was changed. Programs that run while
 * it brings the schema up to date go on: each release leaves them what they
 * need, which holds for one release back and no further.
 */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  found: Schema.Int
}) {
  override get message() {
    return (
      `its schema is of a newer Runhook (migration ${this.found}, and this one knows ${newestKnown}): ` +
      "run that release or a later one; to go back, restore a backup that was made before it"
    )
  }
}

const There = Schema.Tuple([Schema.Struct({ isThere: Schema.Boolean })])
const Newest = Schema.Tuple([Schema.Struct({ id: Schema.NullOr(Schema.Int) })])

/** Fails on a schema that this program does not know. One that is not there yet will do. */
export const checkedSchema = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [{ isThere }] = yield* decoded(
    There,
    sql`SELECT to_regclass(${text(recordTable)}) IS NOT NULL AS "isThere"`
  )
  if (!isThere) return
  const [{ id }] = yield* decoded(Newest, sql`SELECT max(migration_id) AS id FROM ${sql(recordTable)}`)
  if (id !== null && id > newestKnown) return yield* new SchemaTooNew({ found: id })
})

const decoded = <A, E, R>(schema: Schema.Codec<A, unknown>, rows: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Schema.decodeUnknownEffect(schema)(found)))
