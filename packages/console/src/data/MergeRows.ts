/** Merges the first page of a list, fetched again, into the rows on the screen, without moving any of them. */
import type { Page } from "@runhook/sdk/admin"

export interface Rows<Item> {
  /** What is shown, newest first. */
  readonly rows: ReadonlyArray<Item>
  /** New rows that are not shown yet. */
  readonly waiting: ReadonlyArray<Item>
  /** Where the next page begins; null at the end. */
  readonly next: string | null
  /** Whether rows between the waiting and the shown ones were not fetched. */
  readonly isGap: boolean
}

/**
 * Rows on the screen change in place and keep their position; new ones wait.
 * An empty list has nothing that could move, and shows all of them.
 */
export const mergeRows = <Item>(
  { next, rows }: Rows<Item>,
  { data, next_cursor }: Pick<Page<Item>, "data" | "next_cursor">,
  idOf: (item: Item) => string
): Rows<Item> => {
  if (rows.length === 0) return { rows: data, waiting: [], next: next_cursor, isGap: false }
  const fetched = new Map(data.map((item) => [idOf(item), item]))
  const shown = new Set(rows.map(idOf))
  const waiting: Array<Item> = []
  let hasMet = false
  for (const item of data) {
    hasMet ||= shown.has(idOf(item))
    // A new row below a shown one belongs there, and appears there after a reload.
    if (!hasMet) waiting.push(item)
  }
  return {
    rows: rows.map((row) => fetched.get(idOf(row)) ?? row),
    waiting,
    next,
    isGap: !hasMet && next_cursor !== null
  }
}
