/** How the first page of a list, fetched again, meets what is on the screen: nothing moves under the hand. */
import type { Page } from "@runhook/sdk/admin"

export interface Rows<Item> {
  /** What is shown, newest first. */
  readonly rows: ReadonlyArray<Item>
  /** What came since and is not shown yet. */
  readonly waiting: ReadonlyArray<Item>
  /** Where the next page begins; null at the end. */
  readonly next: string | null
  /** Whether rows between what waits and what is shown were not fetched. */
  readonly isGap: boolean
}

/**
 * Rows on the screen change in place and stay where they are; new ones wait.
 * A list that shows nothing has nothing that could move, and shows all of it.
 */
export const merged = <Item>(
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
    // What appears further down than something shown belongs there, and is there after a reload.
    if (!hasMet) waiting.push(item)
  }
  return {
    rows: rows.map((row) => fetched.get(idOf(row)) ?? row),
    waiting,
    next,
    isGap: !hasMet && next_cursor !== null
  }
}
