/** The rows of a release, by table, in a file beside this one. */
import { readFile, writeFile } from "node:fs/promises"
import { recordTable } from "@runhook/store-pg/database/SchemaVersion"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

/** Tables of which no row outlives the processes that wrote it. */
const momentary = new Set(["webhook_dispatchers", "write_checks", recordTable])

const Names = Schema.Array(Schema.Struct({ name: Schema.String }))
const Lines = Schema.Array(Schema.Struct({ line: Schema.String }))
const Row = Schema.fromJsonString(Schema.Tuple([Schema.String, Schema.Record(Schema.String, Schema.Json)]))

/** In the order in which they were made: what one refers to comes before it. */
export const tables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    ORDER BY oid`
  const names = yield* Schema.decodeUnknownEffect(Names)(rows)
  return names.flatMap(({ name }) => (momentary.has(name) ? [] : [name]))
})

const fileOf = (release: string) => new URL(`${release}.jsonl`, import.meta.url)

/** Writes what the database holds as the fixture of a release: a line for each row, with its table. */
export const write = Effect.fnUntraced(function* (release: string) {
  const sql = yield* SqlClient
  const lines = yield* Effect.forEach(yield* tables, (table) =>
    Effect.flatMap(
      // As JSON of its own text, so that what a column holds as JSON keeps its order.
      sql.unsafe(`SELECT json_build_array('${table}', row_to_json(t))::text AS line FROM ${table} t`),
      Schema.decodeUnknownEffect(Lines)
    )
  )
  const text = lines.flat().map(({ line }) => `${line}\n`)
  yield* Effect.promise(() => writeFile(fileOf(release), text.join("")))
})

/** The rows of a release by table, each with its columns of then. */
const rowsOf = Effect.fnUntraced(function* (release: string) {
  const text = yield* Effect.promise(() => readFile(fileOf(release), "utf8"))
  return yield* Effect.forEach(text.trimEnd().split("\n"), (line) => Schema.decodeUnknownEffect(Row)(line))
})

/** What a release left, and what is there now, as lines: with the columns that the release had. */
export const compare = Effect.fnUntraced(function* (release: string) {
  const sql = yield* SqlClient
  const before = yield* rowsOf(release)
  const columnsOf = new Map(before.map(([table, row]) => [table, Object.keys(row)]))
  const now = yield* Effect.forEach(columnsOf, ([table, columns]) =>
    Effect.flatMap(
      sql.unsafe(
        `SELECT json_build_array('${table}', row_to_json(t))::text AS line
         FROM (SELECT ${columns.map((name) => `"${name}"`).join(", ")} FROM ${table}) t`
      ),
      Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ line: Row })))
    )
  )
  const sorted = (rows: typeof before) => rows.map((row) => JSON.stringify(row)).toSorted()
  return { before: sorted(before), now: sorted(now.flat().map(({ line }) => line)) }
})

/** Inserts the rows of a release as it inserts them itself: what it does not know is left to its default. */
export const load = Effect.fnUntraced(function* (release: string) {
  const sql = yield* SqlClient
  for (const [table, row] of yield* rowsOf(release)) {
    const columns = Object.keys(row).map((name) => `"${name}"`)
    yield* sql.unsafe(
      `INSERT INTO ${table} (${columns.join(", ")})
       SELECT ${columns.join(", ")} FROM json_populate_record(NULL::${table}, $1::text::json)`,
      [JSON.stringify(row)]
    )
  }
})
