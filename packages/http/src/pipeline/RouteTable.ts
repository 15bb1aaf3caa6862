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

/** Answers a call. Fails only for reasons that are not the caller's fault. */
export type Serve = (call: Call) => Effect.Effect<HttpServerResponse>

export class RouteTable extends Context.Service<RouteTable, Routes>()("@runhook/http/RouteTable") {}

/** What answers a method of a path. */
interface Route {
  /** Null for a route of Effect's router. */
  readonly handler: Serve | null
  /** The names of its parameters, in their order. */
  readonly names: ReadonlyArray<string>
}

/** The routes of a path, whatever their parameters are called, by their methods. */
type PathRoutes = Map<string, Route>

/**
 * A path is found before the method, so a literal segment wins over a parameter
 * for every method: what `/things/lately` does not take is no `/things/{id}`.
 */
export class Routes {
  readonly #paths = FindMyWay.make<PathRoutes>(routerConfig)
  readonly #byShape = new Map<string, PathRoutes>()

  /** What answers a request; undefined if it is no endpoint. HEAD is answered as GET, without the body. */
  find(method: string, url: string) {
    const found = this.#at(url)
    const route = found?.handler.get(method === "HEAD" ? "GET" : method)
    if (found === undefined || route === undefined) return undefined
    const params: Record<string, string | undefined> = {}
    for (const [place, name] of route.names.entries()) params[name] = found.params[place]
    return { handler: route.handler, params, searchParams: found.searchParams }
  }

  /** The methods of a URL; none if the path is unknown. */
  methodsOf(url: string): ReadonlyArray<string> {
    const methods = [...(this.#at(url)?.handler.keys() ?? [])]
    return methods.includes("GET") ? [...methods, "HEAD"] : methods
  }

  /** Adds an endpoint. */
  add(method: string, path: string, serve: Serve): void {
    this.#add(method, path, serve)
  }

  /** Adds a route that is answered elsewhere. */
  note({ method, path }: Pick<HttpRouter.Route, "method" | "path">): void {
    // A path of all methods answers every one of them itself.
    if (method === "*") return
    this.#add(method, path, null)
    // As the router does: a wildcard also matches nothing.
    if (path.endsWith("/*")) this.#add(method, path.slice(0, -2), null)
  }

  #at(url: string) {
    return this.#paths.find("GET", url)
  }

  #add(method: string, path: string, handler: Serve | null): void {
    const names: Array<string> = []
    const shape = absolute(path.replaceAll(/:(\w+)/g, (_, name: string) => `:${names.push(name) - 1}`))
    const routes = this.#byShape.get(shape) ?? new Map<string, Route>()
    if (!this.#byShape.has(shape)) this.#paths.on("GET", shape, routes)
    this.#byShape.set(shape, routes.set(method, { handler, names }))
  }
}

const absolute = (path: string): `/${string}` => `/${path.replace(/^\//, "")}`

/** The same router, which notes its routes as they are added. */
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
