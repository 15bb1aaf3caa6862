/** Lists, page by page or item by item. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ApiRequest } from "../call/Request.ts"
import type { Page, PageQuery } from "../wire/Integration.ts"
import type { RunhookError } from "./Errors.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

/** The first page of a list: where `filter.cursor` leads, or the beginning. */
export type FetchPage<Item, Filter extends PageQuery> = (
  filter?: Filter,
  options?: CallOptions
) => Effect.Effect<Page<Item>, RunhookError>

/** Every item of a list, fetched as it is read. The options hold for each page. */
export type StreamItems<Item, Filter extends PageQuery> = (
  filter?: Filter,
  options?: CallOptions
) => Stream.Stream<Item, RunhookError>

/** Both ways to read the list under this path. */
export const listOf = <Item, Filter extends PageQuery>(send: Send, path: string) => {
  const page: FetchPage<Item, Filter> = (filter, options) => {
    const query: ApiRequest["query"] = { ...filter }
    return send({ method: "GET", path, query }, options)
  }

  const list: StreamItems<Item, Filter> = (filter, options) =>
    Stream.paginate(filter?.cursor, (cursor) => {
      const query: ApiRequest["query"] = { ...filter, cursor }
      return Effect.map(
        send<Page<Item>>({ method: "GET", path, query }, options),
        ({ data, next_cursor: next }) => [data, next === null ? Option.none() : Option.some(next)] as const
      )
    })

  return { page, list }
}
