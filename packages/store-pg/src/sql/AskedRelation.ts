/** The columns of a relation that a statement is given: their names and types in SQL, and what each step has in them. */
import type * as PgTypes from "@effect/sql-pg/PgTypes"
import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { booleans, doubles, instants, integers, texts, uuids, wordLists } from "./Arrays.ts"

/** One column of `asked`, of rows made from `Row`. */
export interface Column<Row> {
  readonly name: string
  /** Of an element, as it arrives. */
  readonly type: string
  /** What it is turned into, where no array can hold that. */
  readonly cast?: string
  readonly values: (rows: ReadonlyArray<Row>) => PgTypes.Parameter
}

/** Gives columns of rows that are made from `Row`. */
export const columnsOf = <Row>() => {
  const column =
    <Value>(
      type: string,
      parameter: (values: ReadonlyArray<Value | null>) => PgTypes.Parameter,
      cast?: string
    ) =>
    (name: string, of: (row: Row) => Value | null): Column<Row> => ({
      name,
      type,
      ...(cast === undefined ? {} : { cast }),
      values: (rows) => parameter(rows.map(of))
    })
  return {
    uuid: column<string>("uuid", uuids),
    text: column<string>("text", texts),
    integer: column<number>("integer", integers),
    double: column<number>("float8", doubles),
    flag: column<boolean>("boolean", booleans),
    instant: column<DateTime.Utc>("timestamptz", instants),
    words: column<ReadonlyArray<string>>("text", wordLists, "text[]"),
    json: column<string>("text", texts, "json"),
    jsonb: column<string>("text", texts, "jsonb")
  }
}

/**
 * The relation `asked` of a statement whose first parameter is the bucket, and
 * whose others are these columns. That of one row is said without `unnest`:
 * PostgreSQL guesses ten rows there, and would rather plan anew each time.
 */
export const askedRelation = <Row>(columns: ReadonlyArray<Column<Row>>, rows: "many" | "one"): string => {
  const parameters = columns.map(({ type }, place) => `$${place + 2}::${type}[]`)
  const chosen = (value: (place: number) => string) =>
    columns
      .map(({ cast, name }, place) => `${value(place)}${cast === undefined ? "" : `::${cast}`} AS ${name}`)
      .join(", ")
  if (rows === "one") return `asked AS (SELECT ${chosen((place) => `(${parameters[place]})[1]`)})`
  const names = columns.map(({ name }) => name)
  return `asked AS (
  SELECT ${chosen((place) => `asked.${names[place]}`)}
  FROM unnest(${parameters.join(", ")}) AS asked (${names.join(", ")})
)`
}

/** The same relation where a statement is composed with its parameters. */
export const askedFragment = <Row>(
  sql: SqlClient,
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>
): Fragment => {
  const text = askedRelation(columns, rows.length === 1 ? "one" : "many")
  // Each parameter stands in the text once, in the order of the columns, after that of the bucket.
  const [first = "", ...words] = text.split(/\$\d+/)
  return words.reduce<Fragment>((before, word, place) => {
    const values = columns[place]?.values(rows)
    return sql`${before}${values}${sql.literal(word)}`
  }, sql.literal(first))
}
