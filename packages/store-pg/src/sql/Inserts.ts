/**
 * Rows that steps add to a table: in the statement that changes what they are
 * steps of; or, where rows lie on several nodes, in one of their own behind it,
 * since Citus takes apart what changes something and inserts.
 */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { typesOf } from "../schema/Columns.ts"
import { type Column, inBucket } from "./Parameters.ts"
import type { Columns } from "./Rows.ts"
import { asking, type Fixed, fixed, type InBucket, joined, statement } from "./Statement.ts"

export interface Insert<in Batch> {
  /** What it is called in the statement. */
  readonly as: string
  readonly into: string
  /** Where it finds the steps that were stored. Default: where they are all. */
  readonly from?: string
  /** Which of them have a row, as `isOf` says of one. Default: all. */
  readonly of?: string
  /**
   * What is in the columns beside the bucket: a column of the step; or what is the same for all, in words of SQL or as a
   * parameter. Nothing is reckoned here, which Citus takes only of single values.
   */
  readonly row: Readonly<Record<string, string | Column<Batch>>>
  /** Columns of integers that are added up for all steps of which the others are the same. */
  readonly summed?: ReadonlyArray<string>
  /** Default: as the steps come. */
  readonly order?: string
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
  const { as, from = all, into, of, onConflict = "", order, row, summed } = insert
  const selected = Object.entries(row).map(([column, part]) =>
    isSummed(insert, column) ? fixed<Batch>`sum(${part})` : fixed<Batch>`${part}`
  )
  const keys = keysOf(insert).join(", ")
  const [grouped, ordered] = summed === undefined ? ["", order] : [` GROUP BY ${keys}`, keys]
  return fixed<Batch>`${as} AS (
  INSERT INTO ${into} (bucket, ${Object.keys(row).join(", ")})
  SELECT ${inBucket}, ${joined(", ", selected)}
  FROM ${from}${of === undefined ? "" : ` WHERE ${of}`}${grouped}${ordered === undefined ? "" : ` ORDER BY ${ordered}`}
  ${onConflict}
)`
}

/** Steps of one row. */
type Group<Step> = Array.NonEmptyReadonlyArray<Step>

/** What is inserted by itself. */
interface Asked<out Batch, out Step> {
  readonly batch: Batch
  readonly groups: Array.NonEmptyReadonlyArray<Group<Step>>
}

/** Whether the values of a column are arrays, which no array holds: they are the same in all rows of a statement. */
const isArray = <Step>({ cast }: Column<Step>): boolean => cast?.endsWith("[]") === true

const sumsOf = <Step>({ parts }: Column<Step>, groups: ReadonlyArray<Group<Step>>) => {
  const [read] = parts
  const sumOf = (steps: Group<Step>) =>
    steps.reduce((sum, step) => sum + (typeof read === "function" ? Number(read(step)) : 0), 0)
  return Result.getOrThrow(PgTypes.array(groups.map(sumOf), PgTypes.OID.int4))
}

const countOf = ({ groups }: Asked<unknown, unknown>): number => groups.length

/** What stands in a column. */
const cellOf = <Batch, Step>(
  column: Column<Step>,
  /** What is sent of a small column is larger, and would be made smaller one by one. */
  { isSmall, isSum }: { readonly isSmall: boolean; readonly isSum: boolean }
): Fixed<Asked<Batch, Step>> => {
  if (isArray(column)) return asking(column, ({ groups: [[step]] }: Asked<Batch, Step>) => step)
  const array = ({ groups }: Asked<Batch, Step>) =>
    isSum ? sumsOf(column, groups) : column.arrayOf(groups.map(([step]) => step))
  // Unfolded, they are of no precision, and Citus would round them before.
  if (column.element.startsWith("timestamptz"))
    return fixed`(${array}::${column.element}[])[generate_series(1, ${countOf}::integer)]`
  const type = isSmall ? "smallint" : (column.cast ?? column.element)
  return fixed`unnest(${array}::${column.element}[]::${type}[])`
}

/**
 * The statement that adds the rows of steps, one text for however many: a single row of VALUES may unfold arrays. Citus
 * sends that to one node as a whole, where it takes apart what is selected from somewhere.
 */
const statementOf = <Batch extends InBucket, Step>(insert: Insert<Batch>, columns: Columns<Step>) => {
  const { into, onConflict = "", row } = insert
  const types = typesOf(into)
  const ofBatch = (part: Column<Batch>) => asking(part, ({ batch }: Asked<Batch, Step>) => batch)
  const cells = Object.entries(row).map(([name, part]): Fixed<Asked<Batch, Step>> => {
    if (typeof part !== "string") return ofBatch(part)
    const column = columns[part]
    return column === undefined
      ? fixed`${part}`
      : cellOf(column, { isSmall: types.get(name) === "smallint", isSum: isSummed(insert, name) })
  })
  const text = fixed<Asked<Batch, Step>>`
    INSERT INTO ${into} (bucket, ${Object.keys(row).join(", ")})
    VALUES (${joined(", ", [ofBatch(inBucket), ...cells])})
    ${onConflict}`
  return statement(text)
}

/** What some columns have of a step, as a key. */
const keyOf =
  <Step>(columns: ReadonlyArray<Column<Step>>) =>
  (step: Step): string =>
    JSON.stringify(columns.map(({ parts }) => parts.map((part) => typeof part === "function" && part(step))))

/** The steps of each row. Always in one order: two callers would otherwise wait for each other. */
const groupsOf = <Step>(
  steps: ReadonlyArray<Step>,
  keys: ReadonlyArray<Column<Step>>
): ReadonlyArray<Group<Step>> =>
  Array.sortWith(Object.entries(Array.groupBy(steps, keyOf(keys))), ([key]) => key, Order.String).map(
    ([, group]) => group
  )

/** What steps of a batch may add, and the columns of a step. */
export interface Adding<in out Batch, in Step> {
  readonly batch: Batch
  readonly columns: Columns<Step>
  readonly parts: ReadonlyArray<{
    readonly isOf: (step: Step) => boolean
    readonly inserts?: Insert<Batch> | undefined
  }>
}

/** The statements that add the rows of steps by themselves. */
export const added = <Batch extends InBucket, Step>(
  sql: SqlClient,
  { batch, columns, parts }: Adding<Batch, Step>,
  steps: ReadonlyArray<Step>
): ReadonlyArray<Statement<object>> =>
  parts.flatMap(({ inserts: insert, isOf }) => {
    const some = insert === undefined ? [] : steps.filter(isOf)
    if (insert === undefined || some.length === 0) return []
    const text = statementOf(insert, columns)
    const keys = keysOf(insert).flatMap((key) => columns[key] ?? [])
    const groups = insert.summed === undefined ? Array.map(some, Array.of) : groupsOf(some, keys)
    const ofArrays = keyOf(keys.filter(isArray))
    return Object.values(Array.groupBy(groups, ([step]) => ofArrays(step))).map((rows) =>
      text(sql, { batch, groups: rows })
    )
  })

/** Stores a change and behind it the rows that its steps add: in the transaction that is open, or in one of its own. */
export const insertingLater = <Batch extends InBucket, Step, Row, E, R>(
  sql: SqlClient,
  change: Effect.Effect<ReadonlyArray<Row>, E, R>,
  adding: Adding<Batch, Step> & {
    /** The steps that were stored, in the order in which rows may be locked. */
    readonly stored: (rows: ReadonlyArray<Row>) => ReadonlyArray<Step>
  }
) => {
  if (adding.parts.every(({ inserts }) => inserts === undefined)) return change
  const all = Effect.tap(change, (rows) =>
    Effect.forEach(added(sql, adding, adding.stored(rows)), (each) => each, { discard: true })
  )
  return inTransaction(sql, all)
}

/** In the transaction that is open, or in one of its own. */
export const inTransaction = <A, E, R>(sql: SqlClient, work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
    Option.isSome(open) ? work : sql.withTransaction(work)
  )
