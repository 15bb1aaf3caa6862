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
  readonly looked?: Looked | undefined
}

/** How far a list was looked through for the rows that it shows. */
export interface Looked {
  readonly count: number
  /** When the newest and the oldest were created. */
  readonly newest: string
  readonly oldest: string
}

/** A page of which only what was looked for is left. */
export interface FoundPage<Item> extends Pick<Page<Item>, "data" | "next_cursor"> {
  readonly looked?: Looked
}

/**
 * Rows on the screen change in place and keep their position; new ones wait.
 * An empty list has nothing that could move, and shows all of them. A list that was looked through goes on from
 * where it was.
 */
export const mergeRows = <Item>(
  before: Rows<Item>,
  page: FoundPage<Item>,
  idOf: (item: Item) => string
): Rows<Item> => {
  const merged = merge(before, page, idOf)
  const { looked } = before
  if (!looked || !page.looked) return merged
  const isGap = page.next_cursor !== null && page.looked.oldest > looked.newest
  const fetched = new Set(page.data.map(idOf))
  const waiting = before.waiting.filter((item) => !fetched.has(idOf(item)))
  return {
    ...merged,
    waiting: [...merged.waiting, ...waiting],
    next: before.next,
    isGap,
    looked: isGap ? looked : { ...looked, newest: page.looked.newest }
  }
}

/** With the rows of the next page below them. */
export const withNext = <Item>(
  { looked, rows }: Rows<Item>,
  page: FoundPage<Item>
): Pick<Rows<Item>, "looked" | "next" | "rows"> => ({
  rows: [...rows, ...page.data],
  next: page.next_cursor,
  looked: looked &&
    page.looked && { ...looked, count: looked.count + page.looked.count, oldest: page.looked.oldest }
})

const merge = <Item>(
  { next, rows }: Rows<Item>,
  { data, next_cursor }: FoundPage<Item>,
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
