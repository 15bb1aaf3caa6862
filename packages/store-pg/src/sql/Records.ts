/**
 * Writes records into tables: `createdAt` into the column `created_at`, as the type that the schema gives it. For rows
 * that are seldom written; what is written all the time has texts of its own.
 *
 *     sql`INSERT INTO agents ${inserting(sql, "agents", { bucket, ...agent })}`
 *     sql`UPDATE agents SET ${setting(sql, "agents", change)} WHERE ${isAgent}`
 */
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Fragment, isFragment } from "effect/sql/Statement"
import { columnOf } from "../rows/RowTable.ts"
import { typesOf } from "../schema/Columns.ts"
import {
  bigint,
  boolean,
  integer,
  json,
  smallint,
  text,
  texts,
  timestamptz,
  type Typed,
  uuid,
  uuids
} from "./Parameters.ts"

const of =
  <Value>(parameter: Typed<Value>, is: Predicate.Refinement<unknown, Value>) =>
  (value: unknown): Fragment | undefined =>
    value === null || is(value) ? parameter(value) : undefined

const areStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every(Predicate.isString)

const types: { readonly [type: string]: (value: unknown) => Fragment | undefined } = {
  bigint: of(bigint, Predicate.isNumber),
  boolean: of(boolean, Predicate.isBoolean),
  integer: of(integer, Predicate.isNumber),
  /** A string is JSON already. */
  json: (value) => {
    if (value === null || Predicate.isString(value)) return json(value)
    return json(value instanceof StoredJson ? value.text : JSON.stringify(value))
  },
  smallint: of(smallint, Predicate.isNumber),
  text: of(text, Predicate.isString),
  "text[]": of(texts, areStrings),
  timestamptz: of(timestamptz, Predicate.compose(DateTime.isDateTime, DateTime.isUtc)),
  uuid: of(uuid, Predicate.isString),
  "uuid[]": of(uuids, areStrings)
}

/** The columns of a record, and what stands in them. A value may be SQL. */
const cellsOf = (table: string, record: object): ReadonlyArray<readonly [string, Fragment]> => {
  const columns = typesOf(table)
  return Object.entries(record).map(([field, value]) => {
    const name = columnOf(field)
    const type = columns.get(name)
    const cell = type !== undefined && isFragment(value) ? value : types[type ?? ""]?.(value)
    if (cell === undefined) throw new Error(`${table} has no column that holds this ${field}`)
    return [name, cell] as const
  })
}

/** What follows the name of the table. */
export const inserting = (sql: SqlClient, table: string, record: object): Fragment => {
  const cells = cellsOf(table, record)
  const names = sql.literal(cells.map(([name]) => name).join(", "))
  return sql`(${names}) VALUES (${sql.csv(cells.map(([, cell]) => cell))})`
}

/** The fields of a record, but for those that say which row it is. */
export const setting = (sql: SqlClient, table: string, record: object): Fragment =>
  sql.csv(
    cellsOf(table, record)
      .filter(([name]) => name !== "id" && name !== "account_id")
      .map(([name, cell]) => sql`${sql.literal(name)} = ${cell}`)
  )
