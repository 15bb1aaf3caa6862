/** Checks the version of the schema: a program refuses to start on the schema of a newer release, or of none. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Migration } from "../migrations/Migrations.ts"
import { text } from "../sql/Parameters.ts"

/** The table of the migrations that were applied. */
export const recordTable = "runhook_migrations"

/**
 * A newer release has migrated the schema. Nothing was changed. Programs that run during a migration go on: each
 * release leaves them what they need, for one release back and no further.
 */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  found: Schema.Int,
  newest: Schema.Int
}) {
  override get message() {
    return (
      `its schema is of a newer Runhook (migration ${this.found}, and this one knows ${this.newest}): ` +
      "run that release or a later one; to go back, restore a backup that was made before it"
    )
  }
}

/** The tables were made by migrations that no release has. Nothing was changed. */
export class SchemaUnreleased extends Schema.TaggedError<SchemaUnreleased>()("SchemaUnreleased", {}) {
  override get message() {
    return (
      "its tables were made before the first release, and no release can go on with them: " +
      "move the folder away (by default ./data) or name an empty folder or database, and start again"
    )
  }
}

/** Stands among the applied migrations while a backup is restored. */
export const restoringMark = { id: 0, name: "restoring" }

/** A backup was not restored to its end: tables are there, and their rows are not. */
export class RestoreUnfinished extends Schema.TaggedError<RestoreUnfinished>()("RestoreUnfinished", {}) {
  override get message() {
    return "a backup is being restored into it, or was not to the end: run `runhook restore` again, with the same backup"
  }
}

const There = Schema.Tuple([Schema.Struct({ isThere: Schema.Boolean, note: Schema.NullOr(Schema.String) })])
const Recorded = Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))

/** Answers the ids of the applied migrations. Fails on a schema that other migrations made; an empty one is fine. */
export const checkedSchema = Effect.fnUntraced(function* (migrations: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient
  const [{ isThere, note }] = yield* decoded(
    There,
    sql`
      SELECT to_regclass(${text(recordTable)}) IS NOT NULL AS "isThere",
        obj_description(to_regclass(${text(recordTable)}), 'pg_class') AS note`
  )
  const recorded = isThere
    ? yield* decoded(
        Recorded,
        sql`SELECT migration_id AS id, name FROM ${sql(recordTable)} ORDER BY migration_id`
      )
    : []
  if (recorded[0]?.id === restoringMark.id) return yield* new RestoreUnfinished()
  if (note !== null) yield* Effect.logInfo(note)
  const names = new Map(migrations.map(({ id, name }) => [id, name]))
  if (recorded.some(({ id, name }) => names.has(id) && names.get(id) !== name))
    return yield* new SchemaUnreleased()
  const found = recorded.at(-1)?.id ?? 0
  const newest = migrations.at(-1)?.id ?? 0
  return found > newest ? yield* new SchemaTooNew({ found, newest }) : new Set(recorded.map(({ id }) => id))
})

const decoded = <A, E, R>(schema: Schema.Codec<A, unknown>, rows: Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Schema.decodeUnknownEffect(schema)(found)))
