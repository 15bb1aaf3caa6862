/**
 * Rows that a statement is given: of each column its name, its type and how it
 * is read off an item stand side by side, so that no order can be got wrong.
 * They are sent as one array for each column.
 *
 *     sql`
 *       SELECT d.id
 *       FROM ${rows("asked", places, { account_id: uuid((place) => place.accountId), id: uuid((place) => place.id) })}
 *       JOIN deliveries d ON d.account_id = asked.account_id AND d.id = asked.id`
 *
 * says `FROM unnest($1::uuid[], $2::uuid[]) AS asked (account_id, id)`.
 */
import * as Record from "effect/Record"
import { type Fragment, fragment, literal, parameter, type Segment } from "effect/sql/Statement"
import type { Column } from "./Parameters.ts"
import type { Fixed } from "./Statement.ts"

/** Columns by their names. */
export interface Columns<in Item> {
  readonly [name: string]: Column<Item>
}

/** Any number of rows; or one, without `unnest`, for which PostgreSQL guesses ten rows and then plans each time. */
export type Count = "many" | "one"

/** Those of the columns that stand in a text, or in the words beside it. */
export const namedIn = <Item>(
  columns: Columns<Item>,
  { parts }: Fixed<never>,
  beside: string
): Columns<Item> => {
  const words = [...parts.filter((part) => typeof part === "string"), beside].join(" ")
  return Record.filter(columns, (_, name) => new RegExp(`\\b${name}\\b`).test(words))
}

export const countOf = (items: ReadonlyArray<unknown>): Count => (items.length === 1 ? "one" : "many")

type Part<Item> = string | Column<Item>["arrayOf"]

const partsOf = <Item>(name: string, columns: Columns<Item>, count: Count): ReadonlyArray<Part<Item>> => {
  const entries = Record.toEntries(columns)
  const casts = ({ cast }: Column<Item>): string => (cast === undefined ? "" : `::${cast}`)
  const between = (words: string, place: number): string => (place === 0 ? "" : words)
  if (count === "one") {
    const values = entries.flatMap(([column, { arrayOf, cast, element }], place) => [
      `${between(", ", place)}(`,
      arrayOf,
      `::${element}[])[1]${cast === undefined ? "" : `::${cast}`} AS ${column}`
    ])
    return ["(SELECT ", ...values, `) AS ${name}`]
  }
  const arrays = entries.flatMap(([, { arrayOf, element }], place) => [
    between(", ", place),
    arrayOf,
    `::${element}[]`
  ])
  const names = entries.map(([column]) => column).join(", ")
  const unnested = ["unnest(", ...arrays, `) AS ${name} (${names})`]
  if (entries.every(([, { cast }]) => cast === undefined)) return unnested
  const cast = entries.map(([column, of]) => `${name}.${column}${casts(of)} AS ${column}`).join(", ")
  return [`(SELECT ${cast} FROM `, ...unnested, `) AS ${name}`]
}

/** The rows as an item of a FROM, in a template of `sql`. */
export const rows = <Item>(name: string, items: ReadonlyArray<Item>, columns: Columns<Item>): Fragment =>
  fragment(
    partsOf(name, columns, "many").map((part): Segment =>
      typeof part === "string" ? literal(part) : parameter(part(items))
    )
  )

/** The same in a fixed text, where the rows are read off what is asked. */
export const fixedRows = <Asked, Item>(
  name: string,
  read: (asked: Asked) => ReadonlyArray<Item>,
  columns: Columns<Item>,
  count: Count = "many"
): Fixed<Asked> => ({
  parts: partsOf(name, columns, count).map((part) =>
    typeof part === "string" ? part : (asked: Asked) => part(read(asked))
  )
})
