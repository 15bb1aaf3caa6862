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

type Part<Item> = string | Column<Item>["arrayOf"]

const partsOf = <Item>(name: string, columns: Columns<Item>): ReadonlyArray<Part<Item>> => {
  const entries = Record.toEntries(columns)
  const arrays = entries.flatMap(([, { arrayOf, element }], place) => [
    place === 0 ? "" : ", ",
    arrayOf,
    `::${element}[]`
  ])
  const names = entries.map(([column]) => column).join(", ")
  const unnested = ["unnest(", ...arrays, `) AS ${name} (${names})`]
  if (entries.every(([, { cast }]) => cast === undefined)) return unnested
  const selected = entries.map(([column, { cast }]) =>
    cast === undefined ? `${name}.${column}` : `${name}.${column}::${cast} AS ${column}`
  )
  return [`(SELECT ${selected.join(", ")} FROM `, ...unnested, `) AS ${name}`]
}

/** The rows as an item of a FROM, in a template of `sql`. */
export const rows = <Item>(name: string, items: ReadonlyArray<Item>, columns: Columns<Item>): Fragment =>
  fragment(
    partsOf(name, columns).map((part): Segment =>
      typeof part === "string" ? literal(part) : parameter(part(items))
    )
  )

/** The same in a fixed text, where the rows are read off what is asked. */
export const fixedRows = <Asked, Item>(
  name: string,
  read: (asked: Asked) => ReadonlyArray<Item>,
  columns: Columns<Item>
): Fixed<Asked> => ({
  parts: partsOf(name, columns).map((part) =>
    typeof part === "string" ? part : (asked: Asked) => part(read(asked))
  )
})
