/** Queries rows that are distributed over the nodes of a database. */
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets, IsDistributed, type Within } from "../accounts/Buckets.ts"
import { bucketsAtOnce, byBucket } from "../accounts/EachBucket.ts"
import { decoded, isSqlError } from "../sql/SqlErrors.ts"
import { isPartly } from "./Outages.ts"

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

/**
 * Queries rows of several buckets: at once, or where they are distributed by a statement for each bucket, since a node
 * is asked only for a bucket that it is told. Rows of a node that is away are not found.
 */
export const makeLookByBucket = Effect.gen(function* () {
  const buckets = yield* Buckets
  const isDistributed = yield* IsDistributed

  return <Item extends { readonly bucket: number }, A, E, R>(
    items: ReadonlyArray<Item>,
    look: (within: Within, some: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, E, R>
  ) =>
    Effect.forEach(
      isDistributed ? byBucket(items) : [items],
      (some) => {
        const found = look(buckets.within(some[0]?.bucket ?? 0), some)
        return isDistributed ? Effect.catchIf(found, isLost, () => Effect.succeed([])) : found
      },
      { concurrency: bucketsAtOnce }
    ).pipe(Effect.map((found) => found.flat()))
})

/** Whether a query may find more when it goes node by node. */
export const isLost = (error: unknown): boolean => isSqlError(error) && isPartly(error)
