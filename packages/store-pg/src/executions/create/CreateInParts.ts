/**
 * Creates executions where rows lie on several nodes: as a transaction of single
 * statements that goes out in one write, since Citus takes one apart that
 * inserts beside other things. That all are made is taken for granted; the first
 * statement, which locks what limits them, fails if some are not, and names them.
 */
import * as Record from "effect/Record"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { nothingOf } from "../../batches/Misjudged.ts"
import type { Clock } from "../../clock/StoreClock.ts"
import { inBucket } from "../../sql/Parameters.ts"
import { type Count, countOf, fixedRows, namedIn } from "../../sql/Rows.ts"
import { type Fixed, fixed, statement } from "../../sql/Statement.ts"
import { columns } from "./Creation.ts"
import {
  type Batch,
  batchOf,
  createdTable,
  creationNow,
  type Creating,
  madeOutgoing
} from "./InsertExecutions.ts"
import { inserts, keyInsert, type Sources } from "./Inserts.ts"
import { judging } from "./Judging.ts"

const asked = ({ asked: creations }: Batch) => creations

/** All that were stored. */
export const madeTable = createdTable({
  isMade: "TRUE",
  begunAt: "CASE WHEN id IN (SELECT id FROM outgoing WHERE is_begun) THEN now_at END",
  takenAt: "NULL::timestamptz",
  slot: "NULL::integer",
  refusedBy: "NULL::text"
})

/** Judges all, and counts them. */
const judge = (clock: Clock, count: Count) =>
  statement(fixed<Batch>`
WITH asked AS (SELECT * FROM ${fixedRows("asked", asked, columns, count)}),
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
  WHERE NOT EXISTS (SELECT FROM recounted c WHERE c.account_id = m.account_id AND c.api_key_id = m.api_key_id)`)}`)

type Write = (sources: Sources<Batch>) => Fixed<Batch>

/** Inserts what was asked for, since nothing of it is refused. Of its columns only those are sent that the text names. */
const insert = (clock: Clock, count: Count, write: Write) => {
  const text = write({ made: "", left: "", outgoing: "" })
  const needed = namedIn(columns, text, "created_at scheduled_at event lease")
  const now = creationNow(clock)
  const made = fixed<Batch>`(
    SELECT *, ${now} AS now_at, greatest(${now}, scheduled_at) AS due_at
    FROM ${fixedRows("asked", asked, needed, count)}
  ) AS made`
  const outgoing = fixed<Batch>`(
    SELECT *, now_at + lease * interval '1 millisecond' AS begun_until, lease IS NOT NULL AS is_begun
    FROM ${made}
    WHERE event IS NOT NULL
  ) AS outgoing`
  return statement(write({ made, left: made, outgoing }))
}

/** The counts of keys that have created nothing so far. */
const counts: Write = ({ made }) => fixed<Batch>`
INSERT INTO live_counts (bucket, account_id, api_key_id)
SELECT DISTINCT ${inBucket}, account_id, api_key_id FROM ${made}
ON CONFLICT (bucket, account_id, api_key_id) DO NOTHING`

const keys: Write = ({ made }) => keyInsert({ from: made, where: "", ifUsed: "an error" })

const textsOf = (clock: Clock, count: Count) => ({
  counts: insert(clock, count, counts),
  judge: judge(clock, count),
  keys: insert(clock, count, keys),
  inserts: Record.toEntries(inserts<Batch>({ made: "", left: "", outgoing: "" })).map(([name, { isOf }]) => ({
    isOf,
    insert: insert(clock, count, (sources) => inserts<Batch>(sources)[name].text)
  }))
})

/**
 * The statements. One of them answers rows of `madeTable`, and fails with a word
 * for each that is not made: by which limit it is refused, `known` by its
 * idempotency key, `held` where its event may not be begun by the place that it
 * has, `uncounted` where the counts of its key have to be made first.
 */
export const createInParts = (clock: Clock) => {
  const texts = { one: textsOf(clock, "one"), many: textsOf(clock, "many") }
  return (
    sql: SqlClient,
    creating: Creating & { readonly isCounted: boolean }
  ): ReadonlyArray<Statement<object>> => {
    const batch = batchOf(clock, creating)
    const of = texts[countOf(batch.asked)]
    return [
      ...(creating.isCounted ? [] : [of.counts(sql, batch)]),
      of.judge(sql, batch),
      ...(batch.asked.some(({ idempotency }) => idempotency !== null) ? [of.keys(sql, batch)] : []),
      ...of.inserts.filter(({ isOf }) => batch.asked.some(isOf)).map((each) => each.insert(sql, batch))
    ]
  }
}
