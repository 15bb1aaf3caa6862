/**
 * The statement that stores steps of deliveries of one account, with all that follows from each.
 *
 * - **Answers** the stored deliveries, and the moment.
 * - **Locks** deliveries, in the order of their ids, with SKIP LOCKED where steps skip; then what follows. A step
 *   that waits is locked by its update.
 * - **May be missing**: a delivery that others have changed since the step was judged, a probe of a receiver that
 *   another one probes, and a locked delivery where steps skip.
 */
import type { Step } from "@runhook/core/domain/delivery/DeliverySteps"
import { EventId } from "@runhook/core/domain/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { DatabaseNow, databaseNow } from "../../clock/DatabaseNow.ts"
import { IsDistributed } from "../../database/Nodes.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { rowTable } from "../../rows/RowTable.ts"
import { insertingLater, withChange } from "../../sql/Inserts.ts"
import { inBucket, integer, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { type Columns, type Count, fixedRows } from "../../sql/Rows.ts"
import { fixed, joined, statement } from "../../sql/Statement.ts"
import { firstAttemptText } from "../FirstAttempt.ts"
import { type Batch, ofAccount, type StoredStep } from "./Batch.ts"
import { type Consequence, consequences } from "./Consequences.ts"

/** Steps of one statement: each is compared with each. */
const sizeMax = 64

const byId = Order.mapInput(Order.String, ({ before }: Step) => before.id)

/** What happens to a step whose delivery is locked. */
export type GivingWay = "skips" | "waits"

const columns: Columns<StoredStep> = {
  id: uuid(({ before }) => before.id),
  state_before: text(({ before }) => before.state),
  round: integer(({ before }) => before.round),
  attempts_before: integer(({ before }) => before.attempts),
  due_before: timestamptz(({ before }) => before.nextAttemptAt),
  state: text(({ after }) => after.state),
  attempts: integer(({ after }) => after.attempts),
  attempted_at: timestamptz(({ after }) => after.attemptedAt),
  due_after: timestamptz(({ after }) => after.nextAttemptAt)
}

/** Whether a delivery is as it was when the step was judged. */
const isAsJudged = fixed<Batch>`d.bucket = ${inBucket} AND d.account_id = ${ofAccount} AND d.id = n.id
    AND d.state = n.state_before AND d.round = n.round AND d.attempts = n.attempts_before
    AND d.next_attempt_at IS NOT DISTINCT FROM n.due_before`

const storedTable = rowTable(
  { id: "id", now: databaseNow },
  Schema.Struct({ id: EventId, now: Schema.Finite })
)
const storedRows = rowsOf(storedTable)

interface Form {
  readonly count: Count
  readonly givingWay: GivingWay
  /** Whether rows are inserted after the change. */
  readonly insertsLater: boolean
}

/** Several consequences may need the same column. */
const columnsOf = (parts: ReadonlyArray<Consequence>): Columns<StoredStep> =>
  Object.assign({}, columns, ...parts.map((part) => part.columns))

const textOf = (parts: ReadonlyArray<Consequence>, { count, givingWay, insertsLater }: Form) => {
  const each = <Part>(part: (consequence: Consequence) => Part | undefined): ReadonlyArray<Part> =>
    parts.map(part).filter((found) => found !== undefined)
  const rows = fixedRows("n", ({ steps }: Batch) => steps, columnsOf(parts), count)
  const assigned = [
    "state = n.state",
    "attempts = n.attempts",
    "attempted_at = n.attempted_at",
    "next_attempt_at = n.due_after"
  ]
  const asked =
    givingWay === "waits"
      ? fixed<Batch>`asked AS (SELECT * FROM ${rows})`
      : fixed<Batch>`asked AS (
  SELECT n.*
  FROM ${rows}
  CROSS JOIN LATERAL (SELECT FROM webhook_deliveries d WHERE ${isAsJudged} LIMIT 1 FOR UPDATE SKIP LOCKED) AS d
)`
  // By the ids as well as by the join: otherwise a plan may walk a whole bucket that it takes for small.
  const stored = fixed<Batch>`stored AS (
  UPDATE webhook_deliveries d
  SET ${[...assigned, ...each(({ assigns }) => assigns)].join(", ")}
  FROM asked n
  WHERE d.id = ANY (ARRAY (SELECT id FROM asked)) AND ${joined<Batch>(" AND ", [isAsJudged, ...each(({ requires }) => requires).map((words) => fixed<Batch>`${words}`)])}
  RETURNING n.*
)`
  const inserted = insertsLater ? [] : each(({ inserts }) => inserts && withChange(inserts, "stored"))
  const relations = [
    asked,
    ...each(({ before }) => before),
    stored,
    ...each((part) => part.with),
    ...inserted
  ]
  return fixed<Batch>`WITH ${joined<Batch>(",\n", relations)}\nSELECT ${storedTable.columns} FROM stored`
}

/** The steps that an answer names. */
const among = (steps: ReadonlyArray<StoredStep>) => (stored: ReadonlyArray<{ readonly id: EventId }>) => {
  const ids = new Set(stored.map(({ id }) => id))
  return steps.filter(({ before }) => ids.has(before.id))
}

type StoreSteps = (sql: SqlClient, batch: Batch) => Statement<object>

const known = new Map<string, StoreSteps>()

const statementOf = (parts: ReadonlyArray<Consequence>, form: Form): StoreSteps => {
  const key = `${form.count} ${form.givingWay} ${form.insertsLater} ${parts.map((part) => consequences.indexOf(part)).join()}`
  const before = known.get(key)
  if (before !== undefined) return before
  const made = statement(textOf(parts, form))
  known.set(key, made)
  return made
}

/** Stores steps of one bucket. */
export type StoresSteps = Effect.Success<typeof makeStoreSteps>

export const makeStoreSteps = Effect.gen(function* () {
  const sql = yield* SqlClient
  const insertsLater = yield* IsDistributed
  /** The database's time, as its answers said. */
  const now = new DatabaseNow()

  /** With a text that has only what these steps need. */
  const storeSome = Effect.fnUntraced(function* (
    bucket: number,
    steps: Array.NonEmptyReadonlyArray<Step>,
    givingWay: GivingWay
  ) {
    const all = steps.map((step) => ({
      ...step,
      firstAttempt: step.recorded ? firstAttemptText(step.recorded) : null
    }))
    const parts = consequences.filter(({ isOf }) => all.some(isOf))
    const count = steps.length === 1 ? "one" : "many"
    const batch = { bucket, accountId: steps[0].before.accountId, steps: all }
    const storing = storedRows(statementOf(parts, { count, givingWay, insertsLater })(sql, batch))
    const rows = yield* insertsLater
      ? insertingLater(sql, storing, { batch, parts, columns: columnsOf(parts), stored: among(all) })
      : storing
    const [first] = rows
    if (first !== undefined) now.note(first.now)
    return rows.map(({ id }) => id)
  })

  /** Answers which were stored. In the order of their ids, so that two callers do not wait for each other. */
  const store = (bucket: number, steps: ReadonlyArray<Step>, givingWay: GivingWay) => {
    const ofAccounts = Object.values(Array.groupBy(Array.sort(steps, byId), ({ before }) => before.accountId))
    return Effect.forEach(
      ofAccounts.flatMap((some) => Array.chunksOf(some, sizeMax)),
      (some) => storeSome(bucket, some, givingWay)
    ).pipe(Effect.map((ids): ReadonlySet<EventId> => new Set(ids.flat())))
  }

  return { now, store }
})
