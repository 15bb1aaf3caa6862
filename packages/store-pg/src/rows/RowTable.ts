/**
 * The rows of a statement as one table: the SQL and the schema of each field. The
 * list of columns and the reader of rows both come from it, so they cannot differ.
 *
 *     const agents = rowTable(columnsOf(Agent, "a."), Agent)
 *
 *     yield* rowsOf(agents)(sql`SELECT ${sql.literal(agents.columns)} FROM agents a`)
 */
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"
import { type Fields, type Read, rowReader } from "./RowReader.ts"

/** The SQL of each field. */
export type Columns<Name extends string = string> = { readonly [Field in Name]: string }

export interface RowTable<out Row> {
  /** The fields, in the order of the columns. */
  readonly names: ReadonlyArray<string>
  /** The columns, as a statement lists them. */
  readonly columns: string
  readonly read: Read<Row>
}

/** The column of a field: that of `createdAt` is `created_at`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Each field as the column of its name, `createdAt` as `a.created_at`, unless `others` has its SQL. */
export const columnsOf = <Of extends Fields>(
  { fields }: { readonly fields: Of },
  row: "" | `${string}.`,
  others: { readonly [Field in keyof Of]?: string } = {}
): Columns<Extract<keyof Of, string>> =>
  Record.map<Extract<keyof Of, string>, unknown, string>(
    fields,
    (_, name) => others[name] ?? row + columnOf(name)
  )

/** Rows with these fields. Other columns are for other readers of the same rows. */
export const rowTable = <Of extends Fields>(
  columns: Columns<Extract<keyof Of, string>>,
  schema: Schema.Struct<Of>
): RowTable<Schema.Struct<Of>["Type"]> => {
  const names = Record.keys<string, string>(columns)
  return { names, columns: listOf(columns), read: rowReader(schema, names) }
}

/** The columns, as a statement lists them. */
export const listOf = (columns: Columns): string =>
  Record.toEntries(columns)
    .map(([name, column]) => `${column} AS "${name}"`)
    .join(", ")

/** The same rows, read by two tables of the same columns. */
export const both = <One, Other, To>(
  one: RowTable<One>,
  other: RowTable<Other>,
  to: (one: One, other: Other) => To
): RowTable<To> => ({
  ...sameRows(one, other),
  read: (values, check) => to(one.read(values, check), other.read(values, check))
})

/** Rows of one table, followed by the columns of the other. */
export const beside = <One, Other>(
  one: RowTable<One>,
  other: RowTable<Other>
): RowTable<readonly [One, Other]> => ({
  names: [...one.names, ...other.names],
  columns: `${one.columns}, ${other.columns}`,
  read: (values, check) => [one.read(values, check), other.read(values.slice(one.names.length), check)]
})

/** The same rows, each read by one table or the other, depending on whether a field is null. */
export const eitherBy = <Row>(
  name: string,
  { ifGiven, ifNull }: { readonly ifNull: RowTable<Row>; readonly ifGiven: RowTable<Row> }
): RowTable<Row> => {
  const rows = sameRows(ifNull, ifGiven)
  const place = rows.names.indexOf(name)
  return {
    ...rows,
    read: (values, check) => (values[place] === null ? ifNull : ifGiven).read(values, check)
  }
}

/** A table with other columns would mix up the values. */
const sameRows = ({ columns, names }: RowTable<unknown>, other: RowTable<unknown>) => {
  if (columns === other.columns) return { columns, names }
  throw new Error(`One row is read by two tables: ${columns} and ${other.columns}`)
}
