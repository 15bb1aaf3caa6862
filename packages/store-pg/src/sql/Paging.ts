/** Lists in pages, by falling id. Each reads one row more than the page, to see whether the list goes on. */
import { itemBytes, type Page, pageBytesMax, type PageRequest } from "@runhook/core/shared/Page"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { integer, uuid } from "./Parameters.ts"

/** The condition on the id that begins the page. */
export const behind = (sql: SqlClient, column: string, { after }: PageRequest): Fragment =>
  after === null ? sql.literal("TRUE") : sql`${sql.literal(column)} < ${uuid(after)}`

/** The LIMIT of a statement for the page. */
export const oneMore = ({ limit }: PageRequest): number => limit + 1

/** What ends a statement for the page: the newest rows behind its beginning. */
export const newest = (sql: SqlClient, column: string, page: PageRequest): Fragment =>
  sql`${behind(sql, column, page)} ORDER BY ${sql.literal(column)} DESC LIMIT ${integer(oneMore(page))}`

/** The page of the rows that such a statement returned. */
export const pageOf = <Item>(rows: ReadonlyArray<Item>, { limit }: PageRequest): Page<Item> => ({
  items: rows.slice(0, limit),
  hasMore: rows.length > limit
})

/** A column of the rows of `withinBytes`: the number of rows found, one more than the page if the list goes on. */
export const foundField = { found: Schema.Int }

/**
 * The rows of a page that fit, in order, with the named fields. Rows have an `id` and, in `bytes`, their size beyond
 * `itemBytes`. Large values of other rows are not read from their out-of-line storage, so JSON becomes text here, and
 * not in the statement.
 */
export const withinBytes = (
  sql: SqlClient,
  {
    asText = [],
    names,
    rows
  }: {
    readonly rows: Fragment
    readonly names: ReadonlyArray<string>
    /** Fields that are JSON in the statement, and are read as text. */
    readonly asText?: ReadonlyArray<string>
  },
  { bytesMax = pageBytesMax }: PageRequest
) => sql`
  SELECT ${sql.literal(names.map((name) => `weighed."${name}"${asText.includes(name) ? "::text" : ""}`).join(", "))}
  FROM (
    SELECT listed.*, (count(*) OVER ())::integer AS found,
      sum(listed.bytes + ${integer(itemBytes)}) OVER (ORDER BY listed.id DESC ROWS UNBOUNDED PRECEDING) AS so_far
    FROM (${rows}) AS listed
  ) AS weighed
  WHERE weighed.so_far <= ${integer(bytesMax)} OR weighed.so_far = weighed.bytes + ${integer(itemBytes)}
  ORDER BY weighed.id DESC`

/** The page of the rows of `withinBytes`. */
export const pageWithin = <Row extends { readonly found: number }>(
  rows: ReadonlyArray<Row>,
  { limit }: PageRequest
): Page<Row> => ({
  items: rows.slice(0, limit),
  hasMore: (rows[0]?.found ?? 0) > Math.min(rows.length, limit)
})
