/** Pages between the wire and the ports. */
import { type Page, type PageRequest, pageSizeDefault } from "@runhook/core/shared/Page"
import * as Effect from "effect/Effect"
import { longPage } from "../limits/LongPage.ts"
import { PageBytes, sliceBytes } from "../limits/PageBytes.ts"
import { longAnswerBytes } from "../limits/ResponseBudget.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { cursorBehind, type Listing } from "./Listing.ts"

/** The page that a query asks for. */
export const pageRequest = (query: {
  readonly cursor?: { readonly after: string }
  readonly limit?: number
}): PageRequest => ({
  after: query.cursor?.after ?? null,
  limit: query.limit ?? pageSizeDefault
})

/** The body of a page. */
export const pageBody = <Item, Wire extends { readonly id: string }>(
  page: Page<Item>,
  toWire: (item: Item) => Wire
) =>
  Effect.map(CurrentCall, (call) => {
    const data = page.items.map(toWire)
    const last = page.next ?? data.at(-1)?.id
    return { data, next_cursor: page.hasMore && last !== undefined ? cursorBehind(call, last) : null }
  })

/** The answer to who asks for a page of items that may be large: at once, or slice by slice when they are. */
export const pageAnswer = Effect.fnUntraced(function* <Item, Wire extends { readonly id: string }, E>(
  page: PageRequest,
  listing: Listing<Item, Wire, E>
) {
  const bytesMax = yield* PageBytes
  const first = yield* listing.list({ ...page, bytesMax: Math.min(sliceBytes, bytesMax) })
  const isWhole = !first.hasMore || first.items.length === page.limit || bytesMax <= sliceBytes
  if (isWhole) return yield* pageBody(first, listing.toWire)
  const { share } = yield* CurrentCall
  return yield* share.begin(longAnswerBytes, longPage({ listing, page: { ...page, bytesMax }, first }))
})
