/** Lists, page by page or item by item. */
import type { CallOptions } from "../call/Settings.ts"
import { atCursor } from "../requests/Describe.ts"
import type { Request } from "../requests/Request.ts"
import type { Page } from "../wire/Integration.ts"
import type { Call } from "./Answer.ts"
import type { Send } from "./Send.ts"

/** A list that is fetched as it is read. Each reading starts from the beginning. The options hold for each page. */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page after page. */
  pages(): AsyncIterable<Page<Item>>
  /** Only one page: the first, or the one of `filter.cursor`. */
  page(): Call<Page<Item>>
  /** The first items, at most `limit`. */
  toArray(options: { readonly limit: number }): Promise<Array<Item>>
}

export const listOf = <Item>(firstPage: Request<Page<Item>, CallOptions>, send: Send): List<Item> => {
  async function* pages() {
    let page = await send(firstPage)
    yield page
    while (typeof page.next_cursor === "string") {
      page = await send(atCursor(firstPage, page.next_cursor))
      yield page
    }
  }

  async function* items() {
    for await (const { data } of pages()) {
      for (const item of data) {
        firstPage.options?.signal?.throwIfAborted()
        yield item
      }
    }
  }

  return {
    [Symbol.asyncIterator]: items,
    pages,
    page: () => send(firstPage),
    toArray: async ({ limit }) => {
      const found: Array<Item> = []
      if (limit <= 0) return found
      for await (const item of items()) if (found.push(item) >= limit) break
      return found
    }
  }
}
