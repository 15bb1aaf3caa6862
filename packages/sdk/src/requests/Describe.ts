/** The common forms of requests. */
import type { Page, PageQuery } from "../wire/Integration.ts"
import type { Request } from "./Request.ts"

/** A path with these parts, encoded so that none of them can change it. */
export const pathOf = (texts: TemplateStringsArray, ...ids: ReadonlyArray<string>): string =>
  texts.reduce((path, text, index) => {
    const id = ids[index - 1]
    if (id === undefined || /^\.{0,2}$/.test(id))
      throw new TypeError("an id must not be empty or made of dots")
    if (typeof id !== "string" || /\p{Surrogate}/u.test(id))
      throw new TypeError("an id must be text of whole characters")
    return path + encodeURIComponent(id) + text
  })

export const get = <A, Options>(path: string, options?: Options, query?: object): Request<A, Options> => ({
  method: "GET",
  path,
  query: { ...query },
  options
})

/** A GET that the service answers when there is news, or after so many seconds. */
export const waitingGet = <A, Options>(
  path: string,
  options: Options | undefined,
  query: { readonly wait?: number | undefined }
): Request<A, Options> => ({ ...get(path, options, query), waitMs: (query.wait ?? 0) * 1_000 })

/** Creates something; a repeat would create another one. */
export const post = <A, Options>(path: string, body: unknown, options?: Options): Request<A, Options> => ({
  method: "POST",
  path,
  body,
  options
})

/** Creates something once, however often it is sent: under the caller's idempotency key, or the client's own. */
export const postOnce = <A, Options extends { readonly idempotencyKey?: string | undefined }>(
  path: string,
  body: unknown,
  options?: Options
): Request<A, Options> => ({ ...post(path, body, options), idempotencyKey: options?.idempotencyKey ?? null })

/** A POST that changes nothing more when it is repeated. */
export const idempotentPost = <A, Options>(
  path: string,
  body: unknown,
  options?: Options
): Request<A, Options> => ({ ...post(path, body, options), repeatable: true })

/** Sets what the body names, so a repeat changes nothing more. */
export const patch = <A, Options>(path: string, body: unknown, options?: Options): Request<A, Options> => ({
  ...idempotentPost(path, body, options),
  method: "PATCH"
})

export const put = <A, Options>(path: string, body: unknown, options?: Options): Request<A, Options> => ({
  ...post(path, body, options),
  method: "PUT"
})

export const remove = <Options>(path: string, options?: Options): Request<unknown, Options> => ({
  method: "DELETE",
  path,
  options
})

/** A list, as the request for its first page. */
export const list = <Item, Options>(
  path: string,
  filter?: PageQuery,
  options?: Options
): Request<Page<Item>, Options> => get(path, options, filter)

/** The page of a list at a cursor. */
export const atCursor = <A, Options>(
  firstPage: Request<A, Options>,
  cursor: string
): Request<A, Options> => ({ ...firstPage, query: { ...firstPage.query, cursor } })
