/**
 * Rows that steps add to a table: in the statement that changes what they are
 * steps of; or, where rows lie on several nodes, in one of their own behind it,
 * since Citus takes apart what changes something and inserts.
 */
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Record from "effect/Record"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Column, inBucket } from "./Parameters.ts"
import { type Columns, values } from "./Rows.ts"
import { asking, type Fixed, fixed, type InBucket, joined } from "./Statement.ts"

export interface Insert<in Batch> {
  /** What it is called in the statement. */
  readonly as: string
  readonly into: string
  /** Where it finds the steps that were stored. Default: where they are all. */
  readonly from?: string
  /** Which of them have a row, as `isOf` says of one. Default: all. */
  readonly of?: string
  /** What is in the columns beside the bucket: words of SQL on columns of the step, or what is the same for all. */
  readonly row: Readonly<Record<string, string | Column<Batch>>>
  /** Columns that are added up for all steps of which the others are the same. */
  readonly summed?: ReadonlyArray<string>
  readonly onConflict?: string
}

const isSummed = <Batch>({ summed = [] }: Insert<Batch>, column: string): boolean => summed.includes(column)

/** The columns of a step that tell one row from another. */
const keysOf = <Batch>(insert: Insert<Batch>): ReadonlyArray<string> =>
  Object.entries(insert.row).flatMap(([column, part]) =>
    typeof part === "string" && !isSummed(insert, column) ? [part] : []
  )

/** The relation that adds the rows of the steps that were stored, which are all in another. */
export const withChange = <Batch extends InBucket>(insert: Insert<Batch>, all: string): Fixed<Batch> => {
  const { as, from = all, into, of, onConflict = "", row, summed } = insert
  const selected = Object.entries(row).map(([column, part]) =>
    isSummed(insert, column) ? fixed<Batch>`sum(${part})` : fixed<Batch>`${part}`
  )
  const keys = keysOf(insert).join(", ")
  return fixed<Batch>`${as} AS (
  INSERT INTO ${into} (bucket, ${Object.keys(row).join(", ")})
  SELECT ${inBucket}, ${joined(", ", selected)}
  FROM ${from}${of === undefined ? "" : ` WHERE ${of}`}${summed === undefined ? "" : ` GROUP BY ${keys} ORDER BY ${keys}`}
  ${onConflict}
)`
}

/** Steps of one row. */
type Group<Step> = Array.NonEmptyReadonlyArray<Step>

interface Cells<Batch, in Step> {
  readonly batch: Batch
  /** Those of the steps. */
  readonly columns: Columns<Step>
}

/** What stands in a column for a group. */
const cellOf = <Batch, Step>(
  part: string | Column<Batch>,
  { batch, columns, isSum }: Cells<Batch, Step> & { readonly isSum: boolean }
): Fixed<Group<Step>> => {
  if (typeof part !== "string") return asking(part, () => batch)
  const parts = part.split(/\b/).flatMap((word) => columns[word]?.parts ?? [word])
  if (!isSum) return asking({ parts }, ([step]: Group<Step>) => step)
  const sumOf = (read: (step: Step) => unknown) => (group: Group<Step>) =>
    group.reduce((sum, step) => sum + Number(read(step)), 0)
  return { parts: parts.map((each) => (typeof each === "string" ? each : sumOf(each))) }
}

/** The steps of each row. Always in one order: two callers would otherwise wait for each other. */
const groupsOf = <Batch, Step>(
  insert: Insert<Batch>,
  steps: ReadonlyArray<Step>,
  of: Cells<Batch, Step>
): ReadonlyArray<Group<Step>> => {
  if (insert.summed === undefined) return steps.map((step) => [step])
  const keys = keysOf(insert).map((part) => cellOf(part, { ...of, isSum: false }))
  const groups = Array.groupBy(steps, (step) =>
    keys.flatMap(({ parts }) => parts.map((part) => (typeof part === "string" ? "" : part([step])))).join(" ")
  )
  return Array.sortWith(Object.entries(groups), ([key]) => key, Order.String).map(([, group]) => group)
}

/** The statement that adds the rows of steps. */
const insertOf = <Batch extends InBucket, Step>(
  sql: SqlClient,
  {
    insert,
    steps,
    ...of
  }: Cells<Batch, Step> & {
    readonly insert: Insert<Batch>
    readonly steps: ReadonlyArray<Step>
  }
) => {
  const { into, onConflict = "", row } = insert
  const cells = Record.map(row, (part, column) => cellOf(part, { ...of, isSum: isSummed(insert, column) }))
  const rows = values(groupsOf(insert, steps, of), { bucket: asking(inBucket, () => of.batch), ...cells })
  return sql`INSERT INTO ${sql.literal(into)} ${rows} ${sql.literal(onConflict)}`
}

/** Stores a change and behind it the rows that its steps add: in the transaction that is open, or in one of its own. */
export const insertingLater = <Batch extends InBucket, Step, Row, E, R>(
  sql: SqlClient,
  change: Effect.Effect<ReadonlyArray<Row>, E, R>,
  options: Cells<Batch, Step> & {
    readonly parts: ReadonlyArray<{
      readonly isOf: (step: Step) => boolean
      readonly inserts?: Insert<Batch> | undefined
    }>
    /** The steps that were stored, in the order in which rows may be locked. */
    readonly stored: (rows: ReadonlyArray<Row>) => ReadonlyArray<Step>
  }
) => {
  const { parts, stored, ...of } = options
  if (parts.every(({ inserts }) => inserts === undefined)) return change
  const all = Effect.tap(change, (rows) =>
    Effect.forEach(
      parts,
      ({ inserts: insert, isOf }) => {
        const steps = insert === undefined ? [] : stored(rows).filter(isOf)
        return insert === undefined || steps.length === 0
          ? Effect.void
          : Effect.asVoid(insertOf(sql, { ...of, insert, steps }))
      },
      { discard: true }
    )
  )
  return Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
    Option.isSome(open) ? all : sql.withTransaction(all)
  )
}
