/** Checks the version of the schema: a program refuses to start on one that a newer release has changed, or none has made. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { migrations, recordTable } from "../migrations/Migrations.ts"
import { text } from "../sql/Parameters.ts"

const known = new Set(Object.keys(migrations))

/** The highest id that this program knows. */
export const newestKnown = Math.max(...[...known].map((name) => Number.parseInt(name, 10)))

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

/** Its tables were made by steps that no release has taken. Nothing was changed. */
export class SchemaUnreleased extends Schema.TaggedError<SchemaUnreleased>()("SchemaUnreleased", {}) {
  override get message() {
    return (
      "its tables were made before the first release, and no release can go on with them: " +
      "move the folder away (by default ./data) or name an empty folder or database, and start again"
    )
  }
}

const There = Schema.Tuple([Schema.Struct({ isThere: Schema.Boolean })])
const Recorded = Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))

/** Fails on a schema that this program does not know. One that is not there yet will do. */
export const checkedSchema = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [{ isThere }] = yield* decoded(
    There,
    sql`SELECT to_regclass(${text(recordTable)}) IS NOT NULL AS "isThere"`
  )
  if (!isThere) return
  const recorded = yield* decoded(
    Recorded,
    sql`SELECT migration_id AS id, name FROM ${sql(recordTable)} ORDER BY migration_id`
  )
  for (const { id, name } of recorded) {
    if (id <= newestKnown && !known.has(`${id.toString().padStart(4, "0")}_${name}`))
      return yield* new SchemaUnreleased()
  }
  const newest = recorded.at(-1)?.id ?? 0
  if (newest > newestKnown) return yield* new SchemaTooNew({ found: newest })
})

const decoded = <A, E, R>(schema: Schema.Codec<A, unknown>, rows: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Schema.decodeUnknownEffect(schema)(found)))
