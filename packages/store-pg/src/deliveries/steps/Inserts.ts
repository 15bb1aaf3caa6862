/**
 * Rows that steps add to a table: in the statement that changes their deliveries;
 * or, where rows lie on several nodes, in one of their own behind it, since Citus
 * takes apart what changes something and inserts.
 */
import * as Array from "effect/Array"
import * as Order from "effect/Order"
import * as Record from "effect/Record"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Column, inBucket } from "../../sql/Parameters.ts"
import { type Columns, values } from "../../sql/Rows.ts"
import { asking, type Fixed, fixed, joined } from "../../sql/Statement.ts"
import type { Batch, StoredStep } from "./Batch.ts"

export interface Insert {
  /** What it is called in the statement. */
  readonly as: string
  readonly into: string
  /** Which of the steps that were stored have a row, as `isOf` says of one. */
  readonly of: string
  /** What is in the columns beside the bucket: a column of the step, or what is the same for all. */
  readonly row: Readonly<Record<string, string | Column<Batch>>>
  /** Columns that are added up for all steps of which the others are the same. */
  readonly summed?: ReadonlyArray<string>
  readonly onConflict?: string
}

const isSummed = ({ summed = [] }: Insert, column: string): boolean => summed.includes(column)

/** The columns of a step that tell one row from another. */
const keysOf = (insert: Insert): ReadonlyArray<string> =>
  Object.entries(insert.row).flatMap(([column, part]) =>
    typeof part === "string" && !isSummed(insert, column) ? [part] : []
  )

/** The relation that adds the rows of the steps `stored`. */
export const withChange = (insert: Insert): Fixed<Batch> => {
  const { as, into, of, onConflict = "", row, summed } = insert
  const selected = Object.entries(row).map(([column, part]) =>
    isSummed(insert, column) ? fixed<Batch>`sum(${part})` : fixed<Batch>`${part}`
  )
  const keys = keysOf(insert).join(", ")
  return fixed<Batch>`${as} AS (
  INSERT INTO ${into} (bucket, ${Object.keys(row).join(", ")})
  SELECT ${inBucket}, ${joined(", ", selected)}
  FROM stored
  WHERE ${of}${summed === undefined ? "" : ` GROUP BY ${keys} ORDER BY ${keys}`}
  ${onConflict}
)`
}

/** Steps of one row. */
type Group = Array.NonEmptyReadonlyArray<StoredStep>

/** What stands in a column for a group; `columns` are those of the steps. */
const cellOf = (part: string | Column<Batch>, { batch, columns, isSum }: Cells): Fixed<Group> => {
  if (typeof part !== "string") return asking(part, () => batch)
  const column = columns[part] ?? fixed`${part}`
  if (!isSum) return asking(column, ([step]: Group) => step)
  const sumOf = (read: (step: StoredStep) => unknown) => (group: Group) =>
    group.reduce((sum, step) => sum + Number(read(step)), 0)
  return { parts: column.parts.map((each) => (typeof each === "string" ? each : sumOf(each))) }
}

interface Cells {
  readonly batch: Batch
  readonly columns: Columns<StoredStep>
  readonly isSum: boolean
}

/** The statement that adds the rows of the steps of a batch. */
export const insertOf = (sql: SqlClient, insert: Insert, of: Omit<Cells, "isSum">) => {
  const { into, onConflict = "", row } = insert
  const cells = Record.map(row, (part, column) => cellOf(part, { ...of, isSum: isSummed(insert, column) }))
  const keys = keysOf(insert).map((part) => cellOf(part, { ...of, isSum: false }))
  const groups = Array.groupBy(of.batch.steps, (step) =>
    keys.flatMap(({ parts }) => parts.map((part) => (typeof part === "string" ? "" : part([step])))).join(" ")
  )
  // Always in one order: two callers would otherwise wait for each other.
  const inOrder = Array.sortWith(Object.entries(groups), ([key]) => key, Order.String)
  const sorted = inOrder.map(([, group]) => group)
  const rows = values(sorted, { bucket: asking(inBucket, () => of.batch), ...cells })
  return sql`INSERT INTO ${sql.literal(into)} ${rows} ${sql.literal(onConflict)}`
}
