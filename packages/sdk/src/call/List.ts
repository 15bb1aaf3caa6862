/** Lists, page by page or item by item. */
import type { Page, PageQuery } from "../wire/Integration.ts"
import type { Call } from "./Answer.ts"
import type { ApiRequest, QueryValue } from "./Request.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

/** A list that is fetched as it is read. Each reading begins anew. The options hold for each page. */
export interface List<Item> extends AsyncIterable<Item> {
  /** Page after page. */
  pages(): AsyncIterable<Page<Item>>
  /** The first page alone: where `filter.cursor` leads, or the beginning. */
  page(): Call<Page<Item>>
  /** The first items, at most so many. */
  toArray(options: { readonly limit: number }): Promise<Array<Item>>
}

export const listOf = <Item>(
  send: Send,
  path: string,
  {
    filter = {},
    options
  }: { readonly filter?: PageQuery | undefined; readonly options?: CallOptions | undefined }
): List<Item> => {
  const query: ApiRequest["query"] = { ...filter }
  const pageAt = (cursor: QueryValue) =>
    send<Page<Item>>({ method: "GET", path, query: { ...query, cursor } }, options)

  async function* pages() {
    let cursor: string | null | undefined = filter.cursor
    do {
      const page: Page<Item> = await pageAt(cursor)
      yield page
      cursor = page.next_cursor
    } while (typeof cursor === "string")
  }

  async function* items() {
    for await (const { data } of pages()) {
      for (const item of data) {
        options?.signal?.throwIfAborted()
        yield item
      }
    }
  }

  return {
    [Symbol.asyncIterator]: items,
    pages,
    page: () => pageAt(filter.cursor),
    toArray: async ({ limit }) => {
      const found: Array<Item> = []
      if (limit <= 0) return found
      for await (const item of items()) if (found.push(item) >= limit) break
      return found
    }
  }
}
