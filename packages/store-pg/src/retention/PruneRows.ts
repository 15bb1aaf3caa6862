/**
 * Prunes the rows of a kind that nobody needs any more, table by table: finds them in all buckets without a lock, then
 * deletes those of each bucket that nobody has locked and that still are so.
 */
import type { Prunable, PruneCount, PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { byBucket } from "../accounts/EachBucket.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { keyOf, typesOf } from "../schema/Columns.ts"
import { type AgeRule, ageRules, type OwnedTable } from "../schema/Ownership.ts"
import { integer, smallint, text, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { makeDeleteOwned } from "./DeleteOwned.ts"

/** A row by its key, as text. */
const KeyRow = Schema.Struct({ bucket: Schema.Int, key: Schema.Array(Schema.String) })

export const makePruneRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const look = yield* makeLook
  const timeSqlAt = yield* makeTimeSqlAt
  const deleteOwned = yield* makeDeleteOwned

  const pruneOf = Effect.fnUntraced(function* (
    { name, placed }: OwnedTable,
    { is, kept, since, when = "TRUE" }: AgeRule,
    { at, limit, retention }: Required<PruneRound>
  ) {
    const table = sql.literal(name)
    const key = keyOf(name)
    const types = typesOf(name)
    const isByBucket = placed === "bucket"
    const before = timeSqlAt(at).before(kept(retention))
    const isOld = (moment: string) =>
      since === undefined ? sql`TRUE` : sql`${sql.literal(moment)} <= ${before}`
    const { found: old } = yield* look((within) =>
      decoded(KeyRow)(sql`
        SELECT ${sql.literal(isByBucket ? "t.bucket" : "0 AS bucket")},
          ARRAY[${sql.literal(key.map((column) => `t.${column}::text`).join(", "))}]::text[] AS key
        FROM ${table} t
        WHERE ${sql.literal(when)} AND ${isOld(since ?? "")} AND ${isByBucket ? within("t") : sql`TRUE`}
        ${sql.literal(since === undefined ? "" : `ORDER BY ${since}`)}
        LIMIT ${integer(limit)}`)
    )
    let pruned = 0
    for (const ofBucket of byBucket(old)) {
      const { bucket } = ofBucket[0]
      const isIn = (row: string) =>
        sql.and([
          sql`t.bucket = ${smallint(bucket)}`,
          ...key.map((column) => sql.literal(`t.${column} = ${row}.${column}::${types.get(column)}`))
        ])
      if (is !== undefined) {
        const valuesOf = (column: string) => ofBucket.map((row) => row.key[key.indexOf(column)] ?? "")
        yield* deleteOwned(is, { bucket, accountIds: valuesOf("account_id"), ids: valuesOf("id") })
      }
      const deleting = isByBucket
        ? sql`
          -- Those that still are old, locked. By their key: never in an index of their age.
          WITH locked AS (
            SELECT old.*
            FROM ${rows("old", ofBucket, columnsOf(key))}
            CROSS JOIN LATERAL (
              SELECT FROM ${table} t
              WHERE ${isIn("old")} AND ${isOld(`greatest(${since})`)}
              LIMIT 1
              FOR UPDATE SKIP LOCKED
            ) AS t
          )
          DELETE FROM ${table} t
          USING locked
          WHERE ${isIn("locked")}
          RETURNING 1`
        : // On every node the same, whoever has locked a copy there.
          sql`
          DELETE FROM ${table} t
          WHERE t.id = ANY (${uuids(ofBucket.map((row) => row.key[0] ?? ""))}) AND ${isOld(since ?? "")}
          RETURNING 1`
      const deleted = yield* deleting
      pruned += deleted.length
    }
    return { pruned, hasMore: pruned > 0 && old.length === limit }
  })

  /** Up to `limit` rows of each table. */
  return Effect.fnUntraced(function* (of: Prunable, round: Required<PruneRound>) {
    let all: PruneCount = { pruned: 0, hasMore: false }
    for (const { rule, table } of ageRules) {
      if (rule.of !== of) continue
      const { hasMore, pruned } = yield* pruneOf(table, rule, round)
      all = { pruned: all.pruned + pruned, hasMore: all.hasMore || hasMore }
    }
    return all
  })
})

/** The columns of a key whose values are text. */
const columnsOf = (key: ReadonlyArray<string>) =>
  Object.fromEntries(
    key.map((column, place) => [column, text((row: typeof KeyRow.Type) => row.key[place] ?? null)])
  )
