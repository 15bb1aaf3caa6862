/** Lists as a database pages them. */
import type { Page, PageRequest } from "@runhook/core/domain/Page"
import * as Array from "effect/Array"
import * as Order from "effect/Order"

const newestFirst = Order.mapInput(Order.flip(Order.String), (item: { readonly id: string }) => item.id)

/** One page of the items, newest first: by falling id, beginning behind `after`. */
export const pageOf = <Item extends { readonly id: string }>(
  items: Iterable<Item>,
  { after, limit }: PageRequest
): Page<Item> => {
  const sorted = Array.sort(items, newestFirst)
  const rest = after === null ? sorted : sorted.filter(({ id }) => id < after)
  return { items: rest.slice(0, limit), hasMore: rest.length > limit }
}

/** The same page with each item shown in another form. */
export const mapPage = <From, To>({ items, hasMore }: Page<From>, show: (item: From) => To): Page<To> => ({
  items: items.map(show),
  hasMore
})
