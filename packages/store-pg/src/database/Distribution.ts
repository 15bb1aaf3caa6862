/**
 * Distributes the tables over the nodes of Citus, if the server has it: small ones as copies on every node, all
 * others by bucket, so that the rows of an account are on one worker.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { migrationPatience, patient } from "../connections/Deadline.ts"
import { alone } from "../migrations/Migrator.ts"
import { migrations } from "../migrations/Migrations.ts"
import { copied, local } from "../schema/Schema.ts"
import { tablesOf } from "../schema/Tables.ts"
import { text, texts } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"

/** In the order of distribution: referenced tables come first. */
export const byBucket: ReadonlyArray<string> = tablesOf(
  migrations.flatMap(({ statements }) => statements)
).filter((table) => !copied.includes(table) && !local.includes(table))

/** Tables are not where this release's migrations put them, or only some are. Nothing was changed. */
export class NotDistributed extends Schema.TaggedError<NotDistributed>()("NotDistributed", {
  tables: Schema.Array(Schema.String)
}) {
  override get message() {
    return `this is Citus, and ${this.tables.length} tables, such as ${this.tables[0]}, are not distributed over its nodes: run \`runhook migrate\` with this database, and start again`
  }
}

/** A table is distributed in another way. Nothing was changed. */
export class DistributedOtherwise extends Schema.TaggedError<DistributedOtherwise>()("DistributedOtherwise", {
  table: Schema.String
}) {
  override get message() {
    return (
      `its table ${this.table} is distributed over the nodes of Citus in another way than Runhook's: ` +
      `say SELECT undistribute_table('${this.table}', cascade_via_foreign_keys => true) there, and run \`runhook migrate\``
    )
  }
}

const ExtensionRow = Schema.Struct({ version: Schema.String })

/** The version of Citus in this database; undefined where there is none. */
export const citus = SqlClient.use((sql) =>
  decodedFirst(ExtensionRow)(sql`SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`)
).pipe(
  Effect.map((row) => row?.version),
  Effect.catchTag("SchemaError", Effect.die)
)

const TableRow = Schema.Struct({
  name: Schema.String,
  /** Null while the table is on the coordinator alone. */
  place: Schema.NullOr(Schema.Literals(["bucket", "copies", "other"])),
  group: Schema.NullOr(Schema.Int)
})

/** Tables that are not distributed yet, and one that is, by bucket. Fails if one is distributed otherwise. */
const missing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* decoded(TableRow)(sql`
    SELECT t.name, CASE
        WHEN p.partmethod = 'h' AND column_to_column_name(p.logicalrelid, p.partkey) = 'bucket' THEN 'bucket'
        WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'copies'
        -- Citus also registers a table that copies refer to, and leaves it where it is.
        WHEN p.partmethod = 'n' AND p.repmodel = 's' AND p.colocationid = 0 THEN NULL
        WHEN p.logicalrelid IS NOT NULL THEN 'other'
      END AS place, p.colocationid::integer AS "group"
    FROM unnest(${texts([...copied, ...byBucket])}) WITH ORDINALITY AS t (name, number)
    LEFT JOIN pg_dist_partition p ON p.logicalrelid = to_regclass(t.name)
    ORDER BY t.number`)
  const found = rows.find(({ place }) => place === "bucket")
  const stranger = rows.find(({ group, name, place }) =>
    copied.includes(name)
      ? place === "bucket" || place === "other"
      : place === "copies" || place === "other" || (place === "bucket" && group !== found?.group)
  )
  if (stranger !== undefined) return yield* new DistributedOtherwise({ table: stranger.name })
  return { found: found?.name, tables: rows.flatMap(({ name, place }) => (place === null ? [name] : [])) }
}).pipe(Effect.catchTag("SchemaError", Effect.die))

/** Distributes tables that are not distributed yet, and answers which. If it is killed, the next run completes it. */
export const distribute = Effect.gen(function* () {
  if ((yield* citus) === undefined || (yield* missing).tables.length === 0) return []
  yield* alone
  const sql = yield* SqlClient
  const { found, tables } = yield* missing
  let beside = found ?? "none"
  for (const table of tables) {
    if (copied.includes(table)) yield* sql`SELECT create_reference_table(${text(table)}::regclass)`
    else {
      yield* sql`
        SELECT create_distributed_table(${text(table)}::regclass, 'bucket', colocate_with => ${text(beside)})`
      if (beside === "none") beside = table
    }
  }
  return tables
}).pipe(Effect.scoped, patient(migrationPatience))

/** Whether the server has Citus. Fails if it has and a table is not distributed. */
export const checkedDistribution = Effect.gen(function* () {
  if ((yield* citus) === undefined) return false
  const { tables } = yield* missing
  return tables.length === 0 ? true : yield* new NotDistributed({ tables })
})

const ShardsRow = Schema.Struct({ node: Schema.String, shards: Schema.Int })

/**
 * How many shards each node has, as text; undefined without Citus. All tables by bucket have their shards in the same
 * places.
 */
export const placement = Effect.gen(function* () {
  const version = yield* citus
  if (version === undefined) return undefined
  yield* checkedDistribution
  const sql = yield* SqlClient
  const rows = yield* decoded(ShardsRow)(sql`
    SELECT n.nodename || ':' || n.nodeport AS node, count(*)::integer AS shards
    FROM pg_dist_shard s
    JOIN pg_dist_placement p ON p.shardid = s.shardid
    JOIN pg_dist_node n ON n.groupid = p.groupid
    WHERE s.logicalrelid = ${text(byBucket[0] ?? "")}::regclass
    GROUP BY n.nodename, n.nodeport
    ORDER BY n.nodename, n.nodeport`)
  return `Citus ${version}, with ${rows.map(({ node, shards }) => `${shards} shards at ${node}`).join(", ")}`
}).pipe(Effect.catchTag("SchemaError", Effect.die))
