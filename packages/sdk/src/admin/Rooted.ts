/** Calls below one path, such as those of one account. */
import { type Call, readNothing } from "../call/Answer.ts"
import { type List, listOf } from "../call/List.ts"
import type { ApiRequest } from "../call/Request.ts"
import type { Read, Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { PageQuery } from "../wire/Integration.ts"

export type Rooted = ReturnType<typeof rootedAt>

export const rootedAt = (root: string, send: Send) => {
  const call = <A>(request: ApiRequest, options?: CallOptions, read?: Read<A>): Call<A> =>
    send<A>({ ...request, path: root + request.path }, options, read)

  return {
    /** A request that says more than its path and body. */
    call,
    get: <A>(path: string, options?: CallOptions) => call<A>({ method: "GET", path }, options),
    /** What is answered to a query, and is no list of pages. */
    ask: <A>(path: string, query: object, options?: CallOptions) =>
      call<A>({ method: "GET", path, query: { ...query } }, options),
    /** Makes something, which a repeat would make twice. */
    post: <A>(path: string, body: unknown, options?: CallOptions) =>
      call<A>({ method: "POST", path, body }, options),
    /** Changes nothing more when it is repeated, though it is a POST. */
    settle: <A>(path: string, body: unknown, options?: CallOptions) =>
      call<A>({ method: "POST", path, body, repeatable: true }, options),
    /** Sets what the body names, so a repeat changes nothing more. */
    patch: <A>(path: string, body: unknown, options?: CallOptions) =>
      call<A>({ method: "PATCH", path, body, repeatable: true }, options),
    put: <A>(path: string, body: unknown, options?: CallOptions) =>
      call<A>({ method: "PUT", path, body }, options),
    remove: (path: string, options?: CallOptions): Call<void> =>
      call({ method: "DELETE", path }, options, readNothing),
    list: <Item>(path: string, filter?: PageQuery, options?: CallOptions): List<Item> =>
      listOf(send, root + path, { filter, options })
  }
}
