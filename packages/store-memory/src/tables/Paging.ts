/** Lists in pages, as a database has them. */
import { type Page, pageBytesMax, type PageRequest } from "@runhook/core/shared/Page"
import * as Array from "effect/Array"
import * as Order from "effect/Order"

const newestFirst = Order.mapInput(Order.flip(Order.String), (item: { readonly id: string }) => item.id)

/** One page of the items, newest first: by falling id, beginning behind `after`. */
export const pageOf = <Item extends { readonly id: string }>(
  items: Iterable<Item>,
  page: PageRequest
): Page<Item> => firstOf(behind(items, page), page, () => 0)

/** The items in the order of a list, from where the page begins. */
export const behind = <Item extends { readonly id: string }>(
  items: Iterable<Item>,
  { after }: PageRequest
): ReadonlyArray<Item> => {
  const sorted = Array.sort(items, newestFirst)
  return after === null ? sorted : sorted.filter(({ id }) => id < after)
}

/** The page that items make which are in order and begin where it does: as many as it has room for. */
export const firstOf = <Item>(
  items: Iterable<Item>,
  { bytesMax = pageBytesMax, limit }: PageRequest,
  bytesOf: (item: Item) => number
): Page<Item> => {
  const shown: globalThis.Array<Item> = []
  let bytes = 0
  for (const item of items) {
    if (shown.length === limit) return { items: shown, hasMore: true }
    bytes += bytesOf(item)
    if (shown.length > 0 && bytes > bytesMax) return { items: shown, hasMore: true }
    shown.push(item)
  }
  return { items: shown, hasMore: false }
}

/** The same page with each item shown in another form. */
export const mapPage = <From, To>({ items, hasMore }: Page<From>, show: (item: From) => To): Page<To> => ({
  items: items.map(show),
  hasMore
})
