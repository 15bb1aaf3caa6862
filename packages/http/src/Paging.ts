/** Pages between the wire and the ports. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { Cursor } from "@runhook/core/domain/Cursor"
import { type Page, type PageRequest, pageSizeDefault } from "@runhook/core/domain/Page"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const encodeCursor = Schema.encodeSync(Cursor(Schema.String))

/** The page that a query asks for. */
export const pageRequest = (query: { readonly cursor?: string; readonly limit?: number }): PageRequest => ({
  after: query.cursor ?? null,
  limit: query.limit ?? pageSizeDefault
})

/** The body of a page. */
export const pageBody = <Item, Wire extends { readonly id: string }>(
  page: Page<Item>,
  toWire: (item: Item) => Wire
) =>
  Effect.map(CurrentRequestId, (request_id) => {
    const data = page.items.map(toWire)
    const last = data.at(-1)
    return {
      data,
      next_cursor: page.hasMore && last !== undefined ? encodeCursor(last.id) : null,
      request_id
    }
  })
