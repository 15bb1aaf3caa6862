/** Lists as pages: by falling id, one row more than the page to see whether the list goes on. */
import type { Page, PageRequest } from "@runhook/core/domain/Page"
import type { Fragment } from "effect/sql/Statement"
import type { SqlClient } from "effect/sql/SqlClient"

/** The condition on an id that begins the page. */
export const behind = (sql: SqlClient, column: string, { after }: PageRequest): Fragment =>
  after === null ? sql.literal("TRUE") : sql`${sql.literal(column)} < ${after}::uuid`

/** The limit that a statement for the page needs. */
export const oneMore = ({ limit }: PageRequest): number => limit + 1

/** The page of the rows that such a statement found. */
export const pageOf = <Item>(rows: ReadonlyArray<Item>, { limit }: PageRequest): Page<Item> => ({
  items: rows.slice(0, limit),
  hasMore: rows.length > limit
})
