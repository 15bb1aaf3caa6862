/** How paths are matched, and which methods each of them has. */
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Effect from "effect/Effect"

/**
 * Paths are matched as they are written: `/Tasks` and `/tasks/` are not
 * `/tasks`. A parameter of any length reaches its schema, which can say what
 * is wrong with it; the server bounds the whole URL.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 65_536
} as const

/** Knows the methods of the paths that were recorded. */
export interface AllowedMethods {
  /** The methods that a URL answers to, none when the path is unknown. */
  of(url: string): ReadonlyArray<string>
  record(route: Pick<HttpRouter.Route, "method" | "path">): void
}

export const makeAllowedMethods = (): AllowedMethods => {
  const routes = FindMyWay.make<true>(routerConfig)
  const methods = new Set<string>()
  return {
    of: (url) => {
      const allowed = [...methods].filter((method) => routes.find(method, url) !== undefined)
      return allowed.includes("GET") ? [...allowed, "HEAD"] : allowed
    },
    record: ({ method, path }) => {
      // A path of all methods answers every one of them itself.
      if (method === "*") return
      methods.add(method)
      routes.on(method, path, true)
      // As the router itself does: a wildcard also stands for nothing at all.
      if (path.endsWith("/*")) routes.on(method, absolute(path.slice(0, -2)), true)
    }
  }
}

const absolute = (path: string): `/${string}` => `/${path.replace(/^\//, "")}`

/** The same router, which also records what is added to it. */
export const recording = (
  router: HttpRouter.HttpRouter,
  record: AllowedMethods["record"]
): HttpRouter.HttpRouter => ({
  ...router,
  prefixed: (prefix) =>
    recording(router.prefixed(prefix), ({ method, path }) =>
      record({ method, path: absolute(HttpRouter.prefixPath(path, prefix)) })
    ),
  add: (method, path, handler, options) =>
    Effect.andThen(
      Effect.sync(() => record({ method, path })),
      router.add(method, path, handler, options)
    ),
  addAll: (routes) =>
    Effect.andThen(
      Effect.sync(() => routes.forEach(record)),
      router.addAll(routes)
    )
})
