/**
 * The statement that stores steps of runs of one bucket, with all that follows from each.
 *
 * - **Answers** the stored runs, and whether the event of each has begun.
 * - **Locks** runs first; then, as far as a step needs it, rows of queues, counts of unfinished executions with
 *   SKIP LOCKED, and slots.
 * - **May be missing**: a run that others have moved since the step was judged, a locked one, unless the step waits
 *   for it.
 */
import { EventId, ExecutionId } from "@runhook/core/domain/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { nothingOf } from "../batches/Misjudged.ts"
import { databaseNow } from "../clock/DatabaseNow.ts"
import type { Pipelines } from "../connections/Pipelines.ts"
import { begunColumns } from "../deliveries/queue/OutgoingEvents.ts"
import { rowsOf } from "../rows/Rows.ts"
import { rowTable } from "../rows/RowTable.ts"
import { notedRows, notingStatements } from "../endpoints/EndpointOutbox.ts"
import { added, inTransaction, withChange } from "../sql/Inserts.ts"
import { inBucket } from "../sql/Parameters.ts"
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
  behind: Schema.NullOr(EventId),
  hasListeners: Schema.Boolean
})

/**
 * Which runs were stored, and when; whether the event of each has begun, and behind which other event; whether endpoints
 * are yet to be told of it.
 */
const storedTable = (begun = { isBegun: "FALSE", behind: "NULL::uuid" }, hasListeners = "FALSE") =>
  rowTable({ id: "id", now: databaseNow, ...begun, hasListeners }, StoredRow)
const storedRows = rowsOf(storedTable())

/** The steps that one statement stores. */
interface Batch extends InBucket {
  readonly steps: ReadonlyArray<Step>
}

interface Form extends Way {
  readonly count: Count
  /** Whether it fails, with a word for each, if some are not stored as they are taken for. */
  readonly isJudged: boolean
}

/** Several consequences may need the same column. */
const columnsOf = (parts: ReadonlyArray<Consequence>): Columns<Step> =>
  Object.assign({}, guardColumns, runColumns, ...parts.map((part) => part.columns))

const textOf = (
  parts: ReadonlyArray<Consequence>,
  { count, insertsLater, isJudged, locked }: Form
): Fixed<Batch> => {
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
  const [hasListeners] = each((part) => part.hasListeners)
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
  const held = "SELECT id, 'held' FROM outgoing WHERE begun_until IS NOT NULL AND NOT is_begun"
  const found = fixed<Batch>`
  SELECT id, 'missed' FROM asked WHERE id NOT IN (SELECT id FROM after)${begun === undefined ? "" : `\n  UNION ALL ${held}`}`
  const only = isJudged ? fixed<Batch>` WHERE ${nothingOf(found)}` : fixed``
  return fixed<Batch>`WITH ${asked},\n${relations}\nSELECT ${storedTable(begun, hasListeners).columns} FROM after${only}`
}

type StoreSteps = (sql: SqlClient, batch: Batch) => Statement<object>

const known = new Map<string, StoreSteps>()

const statementOf = (parts: ReadonlyArray<Consequence>, form: Form): StoreSteps => {
  const key = `${form.locked} ${form.count} ${form.insertsLater} ${form.isJudged} ${parts.map((part) => consequences.indexOf(part)).join()}`
  const before = known.get(key)
  if (before !== undefined) return before
  const made = statement(textOf(parts, form))
  known.set(key, made)
  return made
}

const columnsOfBegun = begunColumns((step: StoredStep) => step)

interface Storing extends Batch, Way {
  /** What they are sent by in one write, as if all were stored and each event begun that has a place. Default: by nothing. */
  readonly pipelines?: Pipelines["Service"] | undefined
}

/** Stores the steps, by a text with no more in it than they need. */
export const storeSteps = (sql: SqlClient, { insertsLater, locked, pipelines, ...batch }: Storing) => {
  const { steps } = batch
  const way = { insertsLater, locked }
  const parts = consequences.filter(({ isOf }) => steps.some((step) => isOf(step, way)))
  const form = { ...way, count: countOf(steps), isJudged: pipelines !== undefined }
  const change = statementOf(parts, form)(sql, batch)
  if (!insertsLater) return storedRows(change)
  const adding = {
    batch,
    columns: { ...columnsOf(parts), ...columnsOfBegun },
    parts: parts.map(({ inserts, isOf }) => ({ inserts, isOf: (step: StoredStep) => isOf(step, way) }))
  }
  const storedOf = (begun: ReadonlyMap<ExecutionId, boolean>) =>
    steps.flatMap((step): ReadonlyArray<StoredStep> => {
      const isBegun = begun.get(step.move.ref.id)
      return isBegun === undefined ? [] : [{ ...step, isBegun }]
    })
  const noting = (stored: ReadonlyArray<Step>) =>
    notingStatements(
      sql,
      batch.bucket,
      stored.map(({ change: of }) => of)
    )
  const withListeners = (
    rows: ReadonlyArray<typeof StoredRow.Type>,
    noted: ReadonlyArray<{ readonly id: ExecutionId }>
  ) => {
    const ids = new Set(noted.map(({ id }) => id))
    return rows.map((row) => ({ ...row, hasListeners: ids.has(row.id) }))
  }
  if (pipelines !== undefined) {
    const begun = new Map(steps.map(({ move, place }) => [move.ref.id, place !== undefined]))
    return Effect.gen(function* () {
      const [first = [], ...others] = yield* pipelines.transaction([
        change,
        ...added(sql, adding, storedOf(begun)),
        ...noting(steps)
      ])
      return withListeners(
        yield* storedRows({ values: Effect.succeed(first) }),
        yield* notedRows({ values: Effect.succeed(others.flat()) })
      )
    })
  }
  return inTransaction(
    sql,
    Effect.gen(function* () {
      const rows = yield* storedRows(change)
      const stored = storedOf(new Map(rows.map(({ id, isBegun }) => [id, isBegun])))
      for (const each of added(sql, adding, stored)) yield* each
      const noted = yield* Effect.forEach(noting(stored), notedRows)
      return withListeners(rows, noted.flat())
    })
  )
}
