/** The statement that creates executions, with their requests, queue entries and callbacks. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import { accepted } from "@runhook/core/domain/run/Run"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Clock, nowSql } from "../../clock/StoreClock.ts"
import type { Places } from "../../deliveries/queue/HandOver.ts"
import { listening, noting } from "../../endpoints/EndpointOutbox.ts"
import { outgoing } from "../../deliveries/queue/OutgoingEvents.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { rowTable } from "../../rows/RowTable.ts"
import { withChange } from "../../sql/Inserts.ts"
import { inBucket, timestamptz } from "../../sql/Parameters.ts"
import { type Count, countOf, fixedRows } from "../../sql/Rows.ts"
import { type Fixed, fixed, type InBucket, joined, statement } from "../../sql/Statement.ts"
import { type Asked, columns, type Creation, hasKey, seatColumns } from "./Creation.ts"
import { freeKeys, inserts, insertsOfTaken } from "./Inserts.ts"
import { judged } from "./CreateChecks.ts"
import { taken, takenBy, takenColumns, type WorkPlaces } from "./TakenAtOnce.ts"

/** The outcome of a creation: made, over a limit, without an account, or none of these, when its idempotency key was used before. */
const CreatedRow = Schema.Struct({
  id: ExecutionId,
  isMade: Schema.Boolean,
  /** When its event was begun by the place that was kept for it; null when it was not. */
  begunAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When a poll has got it, and its slot; null when it waits in the queue. */
  takenAt: Schema.NullOr(Schema.DateTimeUtc),
  slot: Schema.NullOr(Schema.Int),
  /** Whether endpoints are yet to be told of it. */
  hasListeners: Schema.Boolean,
  refusedBy: Schema.NullOr(Schema.Literals(["account", "key", "removed"]))
})

export type CreatedRow = typeof CreatedRow.Type

/** Whether polls of this process wait for some of them. */
type Waiting = "nobody" | "polls"

interface Form {
  readonly waiting: Waiting
  /** Whether some of them share seats. */
  readonly keyed: boolean
}

/** What the statement says of what it has judged. */
const judgedTable = (waiting: Waiting) => {
  const ofTaken = (column: string) =>
    waiting === "polls" ? `(SELECT ${column} FROM taken t WHERE t.id = judged.id)` : "NULL"
  return rowTable(
    {
      id: "id",
      isMade: "id IN (SELECT id FROM made)",
      begunAt: "CASE WHEN id IN (SELECT id FROM outgoing WHERE is_begun) THEN now_at END",
      takenAt: `${ofTaken("now_at")}::timestamptz`,
      slot: `${ofTaken("slot")}::integer`,
      hasListeners: "id IN (SELECT id FROM noted_for_endpoints)",
      refusedBy: "refused_by"
    },
    CreatedRow
  )
}

/** What is `made` and has an event, and whether that is begun at once. */
const madeOutgoing = outgoing({
  from: "(SELECT *, now_at + lease * interval '1 millisecond' AS begun_until FROM made)",
  at: "now_at",
  events: "first"
})

/** What endpoints are to be told of: that it was created, */
const noted = fixed<InBucket>`noted_for_endpoints AS (${noting(fixed<InBucket>`
  SELECT ${inBucket}, m.account_id, m.id, 1, m.announced, m.status, m.created_at, NULL, NULL, l.last_endpoint
  FROM made m
  JOIN listening l ON l.account_id = m.account_id
  WHERE m.announced IS NOT NULL`)}
)`

/** and that a poll has started it. */
const notedOfTaken = fixed<InBucket>`noted_starts AS (${noting(fixed<InBucket>`
  SELECT ${inBucket}, t.account_id, t.id, t.taken_revision, 'execution.started', t.taken_status, t.taken_at,
    t.taken_started_at, NULL, l.last_endpoint
  FROM taken t
  JOIN listening l ON l.account_id = t.account_id
  WHERE t.taken_attempt > 0`)}
)`

export interface Batch extends InBucket {
  readonly asked: ReadonlyArray<Asked>
  /** The store's now, where it travels with the statement. */
  readonly at: DateTime.Utc | null
}

/** The now of a creation: those of several callers are stored at once, and each was made at its own. */
const creationNow = (clock: Clock): Fixed<Batch> =>
  typeof clock === "object" ? timestamptz(({ at }: Batch) => at) : nowSql<Batch>(clock, fixed`created_at`)

const insert = (clock: Clock, count: Count, { keyed, waiting }: Form) => {
  const isWaitedFor = waiting === "polls"
  const asked = { ...columns, ...(isWaitedFor ? takenColumns : {}), ...(keyed ? seatColumns : {}) }
  const left = isWaitedFor ? "(SELECT * FROM made WHERE id NOT IN (SELECT id FROM taken)) AS made" : "made"
  const written = [...(isWaitedFor ? insertsOfTaken : []), ...inserts(left, keyed)].map((part) =>
    withChange<Batch>(part.inserts, "made")
  )
  return statement(fixed<Batch>`
-- The executions to create, numbered in the order in which they were asked for.
WITH asked AS (SELECT * FROM ${fixedRows("asked", ({ asked: creations }: Batch) => creations, asked, count)}),
${judged(creationNow(clock))},
-- The idempotency keys of what is made. One that another transaction used at this moment is not returned, and its
-- execution not made.
${withChange<Batch>(freeKeys, "judged")},
-- What is created.
made AS (
  SELECT *
  FROM judged
  WHERE refused_by IS NULL
    AND (idempotency_key IS NULL OR id IN (SELECT execution_id FROM remembered))
),${isWaitedFor ? fixed<Batch>`${taken},` : ""}
-- The counts, with what was made and without what has ended.
recounted AS (
  INSERT INTO live_counts AS c (bucket, account_id, api_key_id, live)
  SELECT ${inBucket}, account_id, api_key_id, sum(change)
  FROM (
    SELECT account_id, api_key_id, 1 AS change FROM made
    UNION ALL
    SELECT account_id, api_key_id, -1 FROM released
  ) AS entries
  GROUP BY account_id, api_key_id
  ORDER BY account_id, api_key_id
  ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE SET live = c.live + excluded.live
),
${madeOutgoing},
${listening("made")},
${noted},${isWaitedFor ? fixed<Batch>`${notedOfTaken},` : ""}
${joined(",\n", written)}
SELECT ${judgedTable(waiting).columns}
FROM judged`)
}

/** What is to be stored together. */
export interface Creating {
  readonly bucket: number
  readonly creations: ReadonlyArray<Creation>
  readonly places: Places<Creation>
  readonly work: WorkPlaces
}

export const batchOf = (clock: Clock, { bucket, creations, places, work }: Creating): Batch => ({
  bucket,
  at: typeof clock === "object" ? clock.now() : null,
  asked: creations.map((creation, order) => {
    const poll = work.get(creation)
    return {
      ...creation,
      order,
      change: accepted(creation.execution),
      place: places.get(creation),
      poll,
      taken: poll && takenBy(creation, poll, creation.execution.createdAt).run
    }
  })
})

/**
 * Creates executions of one bucket: those that are within the limits and no
 * duplicates.
 *
 * - **Answers** a `CreatedRow` for each that was made or refused.
 * - **Locks** the counts of unfinished executions first, in the order of their
 *   keys, so that the limits hold however many create at once; then notes of
 *   ends with SKIP LOCKED; then idempotency keys, in their order.
 * - **May be missing**: duplicates of executions that were made before. One whose
 *   idempotency key another transaction uses at this moment is neither made
 *   nor refused.
 */
export const insertExecutions = (clock: Clock) => {
  const rows = rowsOf(judgedTable("nobody"))
  const counts = (form: Form) => ({ one: insert(clock, "one", form), many: insert(clock, "many", form) })
  const formsOf = (waiting: Waiting) => ({
    unkeyed: counts({ waiting, keyed: false }),
    keyed: counts({ waiting, keyed: true })
  })
  const texts = { nobody: formsOf("nobody"), polls: formsOf("polls") }
  return (sql: SqlClient, creating: Creating) => {
    const batch = batchOf(clock, creating)
    const waiting = creating.work.size === 0 ? "nobody" : "polls"
    const keyed = batch.asked.some(hasKey) ? "keyed" : "unkeyed"
    return rows(texts[waiting][keyed][countOf(batch.asked)](sql, batch))
  }
}
