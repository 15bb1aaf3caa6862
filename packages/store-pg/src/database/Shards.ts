/** Where the buckets of a distributed database lie. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { decoded } from "../sql/SqlErrors.ts"

/** A shard of all tables, and its node: by the name and port at which the others reach it. */
const ShardRow = Schema.Struct({ node: Schema.String, buckets: Schema.Array(Schema.Int) })

/** How long a process remembers which shard has which buckets. */
const knownFor = Duration.seconds(10)

/** The shards of a distributed database, in the order of their first buckets, and how to ask for them again. */
export const makeShards = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* Effect.cachedInvalidateWithTTL(
    decoded(ShardRow)(sql`
      SELECT min(n.nodename || ':' || n.nodeport) AS node, array_agg(bucket ORDER BY bucket) AS buckets
      FROM generate_series(0, 255) AS bucket
      JOIN pg_dist_placement p
        ON p.shardid = get_shard_id_for_distribution_column('executions', bucket::smallint)
      JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      GROUP BY p.shardid
      ORDER BY min(bucket)`),
    knownFor
  )
})
