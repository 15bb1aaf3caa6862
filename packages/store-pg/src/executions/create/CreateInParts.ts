/**
 * Creates executions where rows lie on several nodes: as a transaction of single
 * statements that goes out in one write, since Citus takes one apart that
 * inserts beside other things. That all are made is taken for granted; the first
 * statement, which locks what limits them, fails if some are not, and names them.
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { nothingOf } from "../../batches/Misjudged.ts"
import type { Clock } from "../../clock/StoreClock.ts"
import { added } from "../../sql/Inserts.ts"
import { inBucket } from "../../sql/Parameters.ts"
import { type Count, countOf, fixedRows, namedIn } from "../../sql/Rows.ts"
import { fixed, statement } from "../../sql/Statement.ts"
import { columns } from "./Creation.ts"
import {
  type Batch,
  batchOf,
  createdTable,
  creationNow,
  type Creating,
  madeOutgoing
} from "./InsertExecutions.ts"
import { inserts, judgedKeys, madeColumns, newCounts } from "./Inserts.ts"
import { judging } from "./Judging.ts"

/** All that were stored. */
export const madeTable = createdTable({
  isMade: "TRUE",
  begunAt: "CASE WHEN id IN (SELECT id FROM outgoing WHERE is_begun) THEN now_at END",
  takenAt: "NULL::timestamptz",
  slot: "NULL::integer",
  refusedBy: "NULL::text"
})

const allParts = inserts("made")

/** Judges all, and counts them. Of the columns only those are sent that its text names. */
const judge = (clock: Clock, count: Count) => {
  const text = fixed<Batch>`
${judging(creationNow(clock))},
made AS (
  SELECT * FROM judged WHERE refused_by IS NULL
),
${madeOutgoing},
-- The counts, with what is made and without what has ended.
recounted AS (
  UPDATE live_counts c
  SET live = c.live + e.change
  FROM (
    SELECT account_id, api_key_id, sum(change)::integer AS change
    FROM (
      SELECT account_id, api_key_id, 1 AS change FROM made
      UNION ALL
      SELECT account_id, api_key_id, -1 FROM released
    ) AS entries
    GROUP BY account_id, api_key_id
  ) AS e
  WHERE c.bucket = ${inBucket} AND c.account_id = e.account_id AND c.api_key_id = e.api_key_id
  RETURNING c.account_id, c.api_key_id
)
SELECT ${madeTable.columns}
FROM judged
WHERE ${nothingOf<Batch>(fixed`
  SELECT a.id, coalesce(j.refused_by, 'known') FROM asked a LEFT JOIN judged j ON j.id = a.id
  WHERE j.id IS NULL OR j.refused_by IS NOT NULL
  UNION ALL
  SELECT id, 'held' FROM outgoing WHERE begun_until IS NOT NULL AND NOT is_begun
  UNION ALL
  SELECT m.id, 'uncounted'
  FROM made m
  WHERE NOT EXISTS (SELECT FROM recounted c WHERE c.account_id = m.account_id AND c.api_key_id = m.api_key_id)`)}`
  const needed = namedIn(columns, text, "")
  return statement(
    fixed<Batch>`WITH asked AS (SELECT * FROM ${fixedRows("asked", ({ asked }: Batch) => asked, needed, count)}),${text}`
  )
}

/**
 * The statements. One of them answers rows of `madeTable`, and fails with a word
 * for each that is not made: by which limit it is refused, `known` by its
 * idempotency key, `held` where its event may not be begun by the place that it
 * has, `uncounted` where the counts of its key have to be made first.
 */
export const createInParts = (clock: Clock) => {
  const texts = { one: judge(clock, "one"), many: judge(clock, "many") }
  return (
    sql: SqlClient,
    creating: Creating & { readonly isCounted: boolean }
  ): ReadonlyArray<Statement<object>> => {
    const batch = batchOf(clock, creating)
    const made = batch.asked.map((each) => ({ ...each, at: batch.at ?? each.execution.createdAt }))
    const addedOf = (parts: ReadonlyArray<typeof judgedKeys>) =>
      added(sql, { batch, columns: madeColumns, parts }, made)
    return [
      ...(creating.isCounted ? [] : addedOf([newCounts])),
      texts[countOf(made)](sql, batch),
      ...addedOf([judgedKeys, ...allParts])
    ]
  }
}
