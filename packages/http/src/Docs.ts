/** The documentation of an API as a page that needs nothing from outside. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import { serveCached } from "./CachedDocument.ts"

/** The page's script and style are part of it; it may talk to the service that served it and to nobody else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Serves the page of the API at the path. Its 3 MB are loaded when somebody first asks for them. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  path: `/${string}` = "/docs"
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const handler = yield* serveCached({
        contentType: "text/html; charset=utf-8",
        text: page(api),
        headers: { "content-security-policy": contentSecurityPolicy, "referrer-policy": "no-referrer" }
      })
      yield* router.add("GET", path, handler)
    })
  )

/** Scalar's page, taken from a router of its own, since Effect offers it only as a route. */
const page = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(HttpApiScalar.layer(api, { path: "/", scalar: { withDefaultFonts: false } }), {
        disableLogger: true
      })
    ),
    ({ handler }) =>
      Effect.promise(async () => {
        const answer = await handler(new Request("http://localhost/"))
        return await answer.text()
      }),
    ({ dispose }) => Effect.promise(dispose)
  )
