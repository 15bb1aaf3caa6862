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
import { inBucket, uuids } from "../../sql/Parameters.ts"
import { type Count, countOf, fixedRows, namedIn } from "../../sql/Rows.ts"
import { fixed, statement } from "../../sql/Statement.ts"
import { columns } from "./Creation.ts"
import {
  answered,
  type Batch,
  batchOf,
  creationNow,
  type Creating,
  madeOutgoing,
  type Waiting
} from "./InsertExecutions.ts"
import { inserts, insertsOfTaken, judgedKeys, madeColumns, newCounts } from "./Inserts.ts"
import { judging } from "./Judging.ts"
import { taken, takenBy, takenColumns } from "./TakenAtOnce.ts"

/** All that were stored. */
export const madeTable = (waiting: Waiting) => answered(waiting, { isMade: "TRUE", refusedBy: "NULL::text" })

const takenIds = ({ asked }: Batch) =>
  asked.flatMap(({ execution, taken: run }) => (run === undefined ? [] : [execution.id]))

const allParts = [...inserts("made"), ...insertsOfTaken]

const untaken = `
  UNION ALL
  SELECT id, 'untaken' FROM asked WHERE session_id IS NOT NULL AND id NOT IN (SELECT id FROM taken)`

/** The slots of what polls have got, which are known to the statement that has taken them. */
const seat = statement(fixed<Batch>`
UPDATE executions e
SET slot = s.slot
FROM agent_slots s
WHERE e.bucket = ${inBucket} AND e.id = ANY (${uuids(takenIds)})
  AND s.bucket = ${inBucket} AND s.agent_id = e.agent_id AND s.execution_id = e.id`)

/** Judges all, and counts them. Of the columns only those are sent that its text names. */
const judge = (clock: Clock, count: Count, waiting: Waiting) => {
  const isWaitedFor = waiting === "polls"
  const text = fixed<Batch>`
${judging(creationNow(clock))},
made AS (
  SELECT * FROM judged WHERE refused_by IS NULL
),${isWaitedFor ? taken : ""}
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
SELECT ${madeTable(waiting).columns}
FROM judged
WHERE ${nothingOf<Batch>(fixed`
  SELECT a.id, coalesce(j.refused_by, 'known') FROM asked a LEFT JOIN judged j ON j.id = a.id
  WHERE j.id IS NULL OR j.refused_by IS NOT NULL
  UNION ALL
  SELECT id, 'held' FROM outgoing WHERE begun_until IS NOT NULL AND NOT is_begun
  UNION ALL
  SELECT m.id, 'uncounted'
  FROM made m
  WHERE NOT EXISTS (SELECT FROM recounted c WHERE c.account_id = m.account_id AND c.api_key_id = m.api_key_id)${isWaitedFor ? untaken : ""}`)}`
  const needed = namedIn(isWaitedFor ? { ...columns, ...takenColumns } : columns, text, "")
  return statement(
    fixed<Batch>`WITH asked AS (SELECT * FROM ${fixedRows("asked", ({ asked }: Batch) => asked, needed, count)}),${text}`
  )
}

/**
 * The statements. One of them answers rows of `madeTable`, and fails with a word
 * for each that is not made: by which limit it is refused, `known` by its
 * idempotency key, `held` where its event may not be begun by the place that it
 * has, `uncounted` where the counts of its key have to be made first, `untaken`
 * where the poll that waits for it may not have it.
 */
export const createInParts = (clock: Clock) => {
  const texts = {
    nobody: { one: judge(clock, "one", "nobody"), many: judge(clock, "many", "nobody") },
    polls: { one: judge(clock, "one", "polls"), many: judge(clock, "many", "polls") }
  }
  return (
    sql: SqlClient,
    creating: Creating & { readonly isCounted: boolean }
  ): ReadonlyArray<Statement<object>> => {
    const batch = batchOf(clock, creating)
    const made = batch.asked.map((each) => {
      const at = batch.at ?? each.execution.createdAt
      return { ...each, at, taken: each.poll && takenBy(each, each.poll, at).run }
    })
    const isWaitedFor = takenIds(batch).length > 0
    const addedOf = (parts: ReadonlyArray<typeof judgedKeys>) =>
      added(sql, { batch, columns: madeColumns, parts }, made)
    return [
      ...(creating.isCounted ? [] : addedOf([newCounts])),
      texts[isWaitedFor ? "polls" : "nobody"][countOf(made)](sql, batch),
      ...addedOf([judgedKeys, ...allParts]),
      ...(isWaitedFor ? [seat(sql, batch)] : [])
    ]
  }
}
