/**
 * The statement that stores steps of runs of one bucket, with all that follows from each.
 *
 * - **Answers** the stored runs, and whether the event of each has begun.
 * - **Locks** runs first; then, as far as a step needs it, rows of queues, counts of unfinished executions with
 *   SKIP LOCKED, and slots.
 * - **May be missing**: a run that others have moved since the step was judged, and a locked one, unless the step
 *   waits for it.
 */
import { EventId, ExecutionId } from "@runhook/core/domain/Ids"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { databaseNow } from "../clock/DatabaseNow.ts"
import { rowsOf } from "../rows/Rows.ts"
import { rowTable } from "../rows/RowTable.ts"
import { insertingLater, withChange } from "../sql/Inserts.ts"
import { boolean, inBucket } from "../sql/Parameters.ts"
import { type Columns, type Count, countOf, fixedRows, namedIn } from "../sql/Rows.ts"
import { type Fixed, fixed, type InBucket, joined, statement } from "../sql/Statement.ts"
import type { Consequence, StoredStep, Way } from "./Consequence.ts"
import { consequences } from "./Consequences.ts"
import type { Step } from "./Move.ts"
import { guardColumns, runAssignments, runColumns } from "./RunColumns.ts"

const StoredRow = Schema.Struct({
  id: ExecutionId,
  now: Schema.Finite,
  isBegun: Schema.Boolean,
  behind: Schema.NullOr(EventId)
})

/** Which runs were stored, and when; whether the event of each has begun, and behind which other event. */
const storedTable = (begun = { isBegun: "FALSE", behind: "NULL::uuid" }) =>
  rowTable({ id: "id", now: databaseNow, ...begun }, StoredRow)
const storedRows = rowsOf(storedTable())

/** The steps that one statement stores. */
interface Batch extends InBucket {
  readonly steps: ReadonlyArray<Step>
}

interface Form extends Way {
  readonly count: Count
}

/** Several consequences may need the same column. */
const columnsOf = (parts: ReadonlyArray<Consequence>): Columns<Step> =>
  Object.assign({}, guardColumns, runColumns, ...parts.map((part) => part.columns))

const textOf = (parts: ReadonlyArray<Consequence>, { count, insertsLater, locked }: Form): Fixed<Batch> => {
  const each = <Part>(part: (consequence: Consequence) => Part | undefined): ReadonlyArray<Part> =>
    parts.map(part).filter((found) => found !== undefined)
  const assignments = [runAssignments, ...each(({ assigns }) => assigns)].join(", ")
  const requirements = ["e.id = n.id", ...each(({ requires }) => requires)].join(" AND ")
  /**
   * Runs that still have their revision, locked. A sweep also requires the lease that it saw: heartbeats raise no
   * revision.
   */
  const lockedRuns = fixed<Batch>`locked AS (
  SELECT a.*
  FROM asked a
  CROSS JOIN LATERAL (
    SELECT e.id
    FROM executions e
    WHERE e.bucket = ${inBucket} AND e.id = a.id AND e.revision = a.revision
      AND (a.lease_seen IS NULL OR e.lease_expires_at = a.lease_seen)
    LIMIT 1
    FOR UPDATE${locked === "skip" ? " SKIP LOCKED" : ""}
  ) AS e
)`
  /**
   * The runs after the change. By the ids as well as by the join: otherwise a plan may walk a whole bucket that it
   * takes for small.
   */
  const after = fixed<Batch>`after AS (
  UPDATE executions e
  SET ${assignments}
  FROM locked n
  WHERE e.bucket = ${inBucket} AND e.id = ANY (ARRAY (SELECT id FROM locked)) AND ${requirements}
  RETURNING n.*
)`
  const [begun] = each((part) => part.begun)
  const relations = joined<Batch>(",\n", [
    lockedRuns,
    ...each(({ before }) => before),
    after,
    ...parts.flatMap(({ inserts, with: text }) => [
      ...(text === undefined ? [] : [text]),
      ...(inserts === undefined || insertsLater ? [] : [withChange(inserts, "after")])
    ])
  ])
  const columns = insertsLater ? namedIn(columnsOf(parts), relations, "") : columnsOf(parts)
  /** The steps, with the state that each was judged on and the new one. */
  const asked = fixed<Batch>`asked AS (
  SELECT * FROM ${fixedRows("asked", ({ steps }: Batch) => steps, columns, count)}
)`
  return fixed<Batch>`WITH ${asked},\n${relations}\nSELECT ${storedTable(begun).columns} FROM after`
}

type StoreSteps = (sql: SqlClient, batch: Batch) => Statement<object>

const known = new Map<string, StoreSteps>()

const statementOf = (parts: ReadonlyArray<Consequence>, form: Form): StoreSteps => {
  const key = `${form.locked} ${form.count} ${form.insertsLater} ${parts.map((part) => consequences.indexOf(part)).join()}`
  const before = known.get(key)
  if (before !== undefined) return before
  const made = statement(textOf(parts, form))
  known.set(key, made)
  return made
}

/** Stores the steps, with a text that has only what they need. */
export const storeSteps = (sql: SqlClient, { insertsLater, locked, ...batch }: Batch & Way) => {
  const { steps } = batch
  const way = { insertsLater, locked }
  const parts = consequences.filter(({ isOf }) => steps.some((step) => isOf(step, way)))
  const change = storedRows(statementOf(parts, { ...way, count: countOf(steps) })(sql, batch))
  if (!insertsLater) return change
  return insertingLater(sql, change, {
    batch,
    columns: { ...columnsOf(parts), is_begun: boolean(({ isBegun }: StoredStep) => isBegun) },
    parts: parts.map(({ inserts, isOf }) => ({ inserts, isOf: (step: StoredStep) => isOf(step, way) })),
    stored: (rows) => {
      const begun = new Map(rows.map(({ id, isBegun }) => [id, isBegun]))
      return steps.flatMap((step) => {
        const isBegun = begun.get(step.move.ref.id)
        return isBegun === undefined ? [] : [{ ...step, isBegun }]
      })
    }
  })
}
