/** Reads all rows of a database as they are at one moment, while the service goes on. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { recordTable } from "../database/SchemaVersion.ts"
import { migrations } from "../migrations/Migrations.ts"
import { sealedColumns } from "../schema/Ownership.ts"
import { tablesOf } from "../schema/Tables.ts"
import { type BackupSession } from "./BackupSession.ts"

/** Rows on several nodes are never seen as of one moment. */
export class SeveralNodes extends Schema.TaggedError<SeveralNodes>()("SeveralNodes", {}) {
  override get message() {
    return (
      "this is Citus, whose nodes cannot be read as of one moment: take physical backups of every node up to a common " +
      "restore point (SELECT citus_create_restore_point('…')), and turn on versions of the bucket with the artifacts"
    )
  }
}

export const Table = Schema.Struct({
  name: Schema.String,
  columns: Schema.Array(Schema.String)
})
export type Table = typeof Table.Type

/** The tables of all migrations, in the order in which they are made: what a row refers to comes before it. */
export const tableNames: ReadonlyArray<string> = [
  ...new Set(tablesOf(migrations.flatMap(({ statements }) => statements)))
]

/** Those that are there, with their columns. */
export const tables = ({ rows }: BackupSession) =>
  rows(
    Table,
    `SELECT t.name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM unnest(ARRAY[${tableNames.map((name) => `'${name}'`).join(", ")}]) WITH ORDINALITY AS t (name, number)
    JOIN pg_attribute a ON a.attrelid = to_regclass(t.name) AND a.attnum > 0 AND NOT a.attisdropped
    GROUP BY t.name, t.number
    ORDER BY t.number`
  )

export const refuseSeveralNodes = Effect.fnUntraced(function* ({ run }: BackupSession) {
  if ((yield* run("SELECT FROM pg_extension WHERE extname = 'citus'")) > 0) return yield* new SeveralNodes()
})

/** Everything that is read until the session ends is as of this moment. */
export const begin = ({ run }: BackupSession) => run("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")

const sealed = sealedColumns
  .map(({ column, table }) => `SELECT ${column} AS text FROM ${table.name}`)
  .join(" UNION ALL ")

const Facts = Schema.Struct({
  /** When the snapshot began, by the database's clock. */
  madeAt: Schema.String,
  /** The newest migration. */
  schema: Schema.Int,
  /** Name the secret keys under which something is sealed. */
  secretKeyIds: Schema.Array(Schema.String)
})

export const facts = Effect.fnUntraced(function* ({ rows }: BackupSession) {
  const [found] = yield* rows(
    Facts,
    `SELECT to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "madeAt",
      (SELECT max(migration_id) FROM ${recordTable}) AS schema,
      ARRAY(
        SELECT DISTINCT split_part(text, '.', 2) FROM (${sealed}) AS sealed WHERE text IS NOT NULL ORDER BY 1
      ) AS "secretKeyIds"`
  )
  return yield* Effect.fromNullishOr(found).pipe(Effect.orDie)
})

const Line = Schema.Struct({ line: Schema.String })
const isLine = Schema.is(Line)

/**
 * The rows of a table, each as a line: PostgreSQL's own text of the row, as a JSON string. That text has every value
 * exactly, and `line::table` makes the row of it again.
 */
export const linesOf = ({ connection }: BackupSession, { name }: Table) =>
  Stream.map(
    connection.stream(`SELECT to_json(whole_row::text)::text AS line FROM ${name} AS whole_row`),
    (row) => (isLine(row) ? row.line : "")
  )

const FileRow = Schema.Struct({
  key: Schema.String,
  contentType: Schema.String,
  sizeBytes: Schema.Number,
  sha256: Schema.String
})
export type StoredFile = typeof FileRow.Type

/** The files that captured artifacts consist of. */
export const filesOf = ({ connection }: BackupSession) =>
  connection
    .stream(
      `SELECT storage_key AS key, content_type AS "contentType", size_bytes::double precision AS "sizeBytes", sha256
      FROM artifacts WHERE is_ready`
    )
    .pipe(Stream.mapEffect((row) => Effect.orDie(Schema.decodeUnknownEffect(FileRow)(row))))
