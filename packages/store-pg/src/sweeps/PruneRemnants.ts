/** Prunes what executions leave behind that nobody needs any more. Looks through whole tables, which stay small by this. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { byBucket } from "../accounts/EachBucket.ts"
import { makeLook } from "../database/Nodes.ts"
import { integer, smallint, text, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"

const KeyRow = Schema.Struct({ bucket: Schema.Int, accountId: Schema.String, key: Schema.String })

const CheckpointRow = Schema.Struct({ bucket: Schema.Int, id: ExecutionId })

export const makePruneRemnants = Effect.gen(function* () {
  const sql = yield* SqlClient
  const look = yield* makeLook

  /** Prunes concurrency keys. One that somebody needs again meanwhile is inserted again (`Seats`). */
  const keys = Effect.fnUntraced(function* (limit: number) {
    const { found: unused } = yield* look((within) =>
      decoded(KeyRow)(sql`
        SELECT k.bucket, k.account_id AS "accountId", k.key
        FROM concurrency_keys k
        WHERE ${within("k")}
          AND NOT EXISTS (
            SELECT FROM concurrency_seats s
            WHERE s.bucket = k.bucket AND s.account_id = k.account_id AND s.key = k.key
          )
          AND NOT EXISTS (
            SELECT FROM concurrency_queue q
            WHERE q.bucket = k.bucket AND q.account_id = k.account_id AND q.key = k.key
          )
        LIMIT ${integer(limit)}`)
    )
    for (const ofBucket of byBucket(unused)) {
      const [{ bucket }] = ofBucket
      yield* sql`
        -- Those that nobody has locked.
        WITH locked AS (
          SELECT unused.*
          FROM ${rows("unused", ofBucket, { account_id: uuid(({ accountId }) => accountId), key: text(({ key }) => key) })}
          CROSS JOIN LATERAL (
            SELECT FROM concurrency_keys k
            WHERE k.bucket = ${smallint(bucket)} AND k.account_id = unused.account_id AND k.key = unused.key
            LIMIT 1
            FOR UPDATE SKIP LOCKED
          ) AS k
        )
        DELETE FROM concurrency_keys k
        USING locked l
        WHERE k.bucket = ${smallint(bucket)} AND k.account_id = l.account_id AND k.key = l.key`
    }
    return unused.length
  })

  /** Prunes checkpoints: no attempt follows an end. */
  const checkpoints = Effect.fnUntraced(function* (limit: number) {
    const { found: ended } = yield* look((within) =>
      decoded(CheckpointRow)(sql`
        SELECT c.bucket, c.execution_id AS id
        FROM execution_checkpoints c
        JOIN executions e ON e.bucket = c.bucket AND e.id = c.execution_id
        WHERE e.stopped_at IS NOT NULL AND ${within("c")} AND ${within("e")}
        LIMIT ${integer(limit)}`)
    )
    for (const ofBucket of byBucket(ended)) {
      yield* sql`
        DELETE FROM execution_checkpoints
        WHERE bucket = ${smallint(ofBucket[0].bucket)} AND execution_id = ANY (${uuids(ofBucket.map(({ id }) => id))})`
    }
    return ended.length
  })

  return Effect.fnUntraced(function* ({ limit }: SweepRound) {
    const pruned = [yield* keys(limit), yield* checkpoints(limit)]
    return { hasMore: pruned.some((count) => count >= limit) }
  })
})
