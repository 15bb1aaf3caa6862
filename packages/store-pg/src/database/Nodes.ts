/**
 * Whether rows are distributed by bucket over the nodes of a database. If so, a statement must name the bucket of
 * each table, or the database refuses it.
 */
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint } from "../sql/Parameters.ts"
import { decoded, isSqlError } from "../sql/SqlErrors.ts"
import { isPartly } from "./Outages.ts"

export const IsDistributed = Context.Reference<boolean>("@runhook/store-pg/database/IsDistributed", {
  defaultValue: () => false
})

/** A bucket, and whether rows are distributed by it. */
export interface Place {
  readonly bucket: number
  readonly isDistributed: boolean
}

/**
 * Names the bucket of a table whose rows an index finds without it, where it must be named. Elsewhere that would
 * offer PostgreSQL a second index, which it prefers while it knows little of the table.
 */
export const inPlace = (sql: SqlClient, table: string, { bucket, isDistributed }: Place): Fragment =>
  isDistributed ? sql`AND ${sql.literal(table)}.bucket = ${smallint(bucket)}` : sql``

/** Restricts a table to the buckets of a query. */
export type Within = (table: string) => Fragment

const ShardRow = Schema.Struct({ node: Schema.Int, buckets: Schema.Array(Schema.Int) })

/** How long a process remembers which shard has which buckets. */
const knownFor = Duration.seconds(10)

/** The shards of a distributed database, in the order of their first buckets, and how to ask for them again. */
export const makeShards = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* Effect.cachedInvalidateWithTTL(
    decoded(ShardRow)(sql`
      SELECT min(p.groupid) AS node, array_agg(bucket ORDER BY bucket) AS buckets
      FROM generate_series(0, 255) AS bucket
      JOIN pg_dist_placement p
        ON p.shardid = get_shard_id_for_distribution_column('executions', bucket::smallint)
      GROUP BY p.shardid
      ORDER BY min(bucket)`),
    knownFor
  )
})

/**
 * Queries all buckets at once. While a node of a distributed database is away such a query fails as a whole, so the
 * buckets of each node are then queried by themselves, and those that can answer do.
 */
export const makeLook = Effect.gen(function* () {
  const sql = yield* SqlClient
  const isDistributed = yield* IsDistributed
  const [shards, forget] = yield* makeShards

  const byNode = <A, E, R>(look: (within: Within) => Effect.Effect<ReadonlyArray<A>, E, R>) =>
    Effect.gen(function* () {
      const nodes = Array.groupBy(yield* Effect.tapError(shards, () => forget), ({ node }) => `${node}`)
      const found = yield* Effect.forEach(Object.values(nodes), (ofNode) => {
        const buckets = ofNode.flatMap((shard) => shard.buckets).join(", ")
        const within: Within = (table) => sql.literal(`${table}.bucket IN (${buckets})`)
        return Effect.catchIf(look(within), isLost, () => Effect.succeed([]))
      })
      return found.flat()
    })

  return <A, E, R>(look: (within: Within) => Effect.Effect<ReadonlyArray<A>, E, R>) => {
    const all = look(() => sql`TRUE`)
    return isDistributed ? Effect.catchIf(all, isLost, () => byNode(look)) : all
  }
})

/** Whether a query may find more when it goes node by node. */
export const isLost = (error: unknown): boolean => isSqlError(error) && isPartly(error)
