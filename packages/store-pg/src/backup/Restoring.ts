/**
 * Fills an empty database with the rows of a backup. All rows come in one transaction. Until it is done, a mark beside
 * the migrations keeps services from starting on the database.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { checkedServer } from "../database/FitServer.ts"
import {
  checkedSchema,
  recordTable,
  restoringMark,
  RestoreUnfinished,
  SchemaTooNew
} from "../database/SchemaVersion.ts"
import { functions } from "../functions/Functions.ts"
import { install } from "../functions/Installation.ts"
import { type Migration, migrations as ownMigrations } from "../migrations/Migrations.ts"
import { migrateTo } from "../migrations/Migrator.ts"
import { layerOfStart, type Options } from "../PgDatabase.ts"
import { type BackupSession } from "./BackupSession.ts"
import { type Table, tables } from "./Snapshot.ts"

/** The database has something in it. Nothing was changed. */
export class NotEmpty extends Schema.TaggedError<NotEmpty>()("NotEmpty", {}) {
  override get message() {
    return "a service has worked with this database already: restore into an empty one"
  }
}

/** Migrations with these names are others than those of the backup. */
export class SchemaDiffers extends Schema.TaggedError<SchemaDiffers>()("SchemaDiffers", {
  table: Schema.String
}) {
  override get message() {
    return `the backup's table ${this.table} has other columns than this release makes: restore it with the release that made it`
  }
}

/** What a backup says of its database. */
export interface Origin {
  readonly schema: number
  readonly tables: ReadonlyArray<Table>
  /** For the log of the services that start on it. */
  readonly note: string
}

/** Makes the empty tables of the backup, marked as unfinished, or finds those that an interrupted restore has made. */
export const prepare = Effect.fnUntraced(function* (
  options: Options,
  { schema }: Origin,
  migrations: ReadonlyArray<Migration> = ownMigrations
) {
  const newest = migrations.at(-1)?.id ?? 0
  if (schema > newest) return yield* new SchemaTooNew({ found: schema, newest })
  const mark = `INSERT INTO ${recordTable} (migration_id, name) VALUES (${restoringMark.id}, '${restoringMark.name}')`
  const marked = migrations
    .filter(({ id }) => id <= schema)
    .map((each) => (each.id === 1 ? { ...each, statements: [...each.statements, mark] } : each))
  yield* checkedServer.pipe(
    Effect.andThen(checkedSchema(migrations)),
    Effect.filterOrFail(
      ({ size }) => size === 0,
      () => new NotEmpty()
    ),
    Effect.andThen(migrateTo(marked)),
    // What was interrupted has left tables without rows.
    Effect.catchIf(
      (failure) => failure instanceof RestoreUnfinished,
      () => Effect.void
    ),
    Effect.provide(layerOfStart(options), { local: true })
  )
})

/** Begins the one transaction of all rows. */
export const begin = Effect.fnUntraced(function* (session: BackupSession, origin: Origin) {
  yield* session.run("BEGIN")
  const found = new Map((yield* tables(session)).map(({ columns, name }) => [name, columns.join()]))
  const stranger = origin.tables.find(({ columns, name }) => found.get(name) !== columns.join())
  if (stranger !== undefined) return yield* new SchemaDiffers({ table: stranger.name })
})

/** Inserts rows that are lines of a snapshot. Answers how many. */
export const insert = ({ run }: BackupSession, { name }: Table, lines: ReadonlyArray<string>) =>
  run(
    `INSERT INTO ${name} SELECT (parsed.row).* FROM (
      SELECT line::${name} AS row FROM json_array_elements_text($1::text::json) AS line OFFSET 0
    ) AS parsed`,
    [`[${lines.join(",")}]`]
  )

/**
 * Makes the rows count, and lets services start on them. Nobody is signed in there: who signed out after the backup
 * stays out, and so does who held a link that was withdrawn since.
 */
export const commit = Effect.fnUntraced(function* ({ run }: BackupSession, { note }: Origin) {
  yield* run("UPDATE console_sessions SET ended_at = now() WHERE ended_at IS NULL")
  yield* run("UPDATE console_links SET withdrawn_at = now() WHERE used_at IS NULL AND withdrawn_at IS NULL")
  yield* run(`DELETE FROM ${recordTable} WHERE migration_id = ${restoringMark.id}`)
  yield* run(`COMMENT ON TABLE ${recordTable} IS '${note.replaceAll("'", "''")}'`)
  yield* run("COMMIT")
})

/** Brings the tables of an older release up to date, and installs this one's functions. */
export const complete = (options: Options, migrations: ReadonlyArray<Migration> = ownMigrations) =>
  Effect.provide(
    Effect.tap(migrateTo(migrations), () => install(functions())),
    layerOfStart(options),
    { local: true }
  )
