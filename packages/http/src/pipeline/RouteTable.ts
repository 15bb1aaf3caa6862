/** Every route of a host in one table: the endpoints of its APIs, and the other routes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Call } from "./Call.ts"

/**
 * Paths match literally: `/Tasks` and `/tasks/` are not `/tasks`. A parameter of
 * any length reaches its schema, which can say what is wrong with it; the server
 * bounds the whole URL.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 65_536
} as const

/** Answers a call. Fails only with what is no caller's fault. */
export type Serve = (call: Call) => Effect.Effect<HttpServerResponse>

export class RouteTable extends Context.Service<RouteTable, Routes>()("@runhook/http/RouteTable") {}

export class Routes {
  /** Null for a route of Effect's router. */
  readonly #routes = FindMyWay.make<Serve | null>(routerConfig)
  readonly #methods = new Set<string>()

  /** What answers a request; undefined if it is no endpoint. HEAD is answered as GET, without the body. */
  find(method: string, url: string) {
    return this.#routes.find(method === "HEAD" ? "GET" : method, url)
  }

  /** The methods of a URL; none if the path is unknown. */
  methodsOf(url: string): ReadonlyArray<string> {
    const methods = [...this.#methods].filter((method) => this.#routes.find(method, url) !== undefined)
    return methods.includes("GET") ? [...methods, "HEAD"] : methods
  }

  /** Adds an endpoint. */
  add(method: string, path: string, serve: Serve): void {
    this.#methods.add(method)
    this.#routes.on(method, absolute(path), serve)
  }

  /** Adds a route that is answered elsewhere. */
  note({ method, path }: Pick<HttpRouter.Route, "method" | "path">): void {
    // A path of all methods answers every one of them itself.
    if (method === "*") return
    this.#methods.add(method)
    this.#routes.on(method, absolute(path), null)
    // As the router does: a wildcard also matches nothing.
    if (path.endsWith("/*")) this.#routes.on(method, absolute(path.slice(0, -2)), null)
  }
}

const absolute = (path: string): `/${string}` => `/${path.replace(/^\//, "")}`

/** The same router; its routes are noted as they are added. */
export const noting = (router: HttpRouter.HttpRouter, note: Routes["note"]): HttpRouter.HttpRouter => ({
  ...router,
  prefixed: (prefix) =>
    noting(router.prefixed(prefix), ({ method, path }) =>
      note({ method, path: absolute(HttpRouter.prefixPath(path, prefix)) })
    ),
  add: (method, path, handler, options) =>
    Effect.andThen(
      Effect.sync(() => note({ method, path })),
      router.add(method, path, handler, options)
    ),
  addAll: (routes) =>
    Effect.andThen(
      Effect.sync(() => routes.forEach(note)),
      router.addAll(routes)
    )
})
