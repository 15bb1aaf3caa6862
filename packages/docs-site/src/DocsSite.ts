/**
 * The documentation at `/docs`: guides, references made from the APIs' own
 * documents, and a search over both. It loads nothing from elsewhere, and all of it
 * works without its script.
 */
import { BaseUrl, linkTo, withLinks } from "@runhook/http/BaseUrl"
import { serveCached, whenNeeded } from "@runhook/http/documents/CachedDocument"
import { errorAnswer, pathOf } from "@runhook/http/errors/ErrorAnswer"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import * as Assets from "./Assets.ts"
import { framed } from "./Frame.ts"
import type { GuideSource } from "./guides/Guide.ts"
import type { Page } from "./Page.ts"
import { missingPage, searchPage } from "./pages/SearchPage.ts"
import type { ServedApi } from "./reference/ServedApi.ts"
import { queryLengthMax, search, suggestions } from "./Search.ts"
import type { Site } from "./Site.ts"

const htmlType = "text/html; charset=utf-8"

const headers = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer"
}

export interface DocsSource {
  /** Called at the first request for a page. */
  readonly apis: () => ReadonlyArray<ServedApi>
  /** Read at the first request for a page. Empty if the host has none. */
  readonly guides: Effect.Effect<ReadonlyArray<GuideSource>, never, FileSystem.FileSystem | Path.Path>
}

export const layer = ({ apis, guides }: DocsSource) =>
  Layer.merge(
    Assets.layer,
    HttpRouter.use(
      Effect.fnUntraced(function* (router) {
        const baseUrl = yield* BaseUrl
        const site = yield* whenNeeded(
          Effect.gen(function* () {
            // What renders pages is no part of a start.
            const { siteOf } = yield* Effect.promise(() => import("./Site.ts"))
            return siteOf({ apis: apis(), guides: yield* guides, baseUrl })
          })
        )
        const handlers = new Map<string, Effect.Success<ReturnType<typeof serveCached>>>()

        /** The handler of a page, which is made at its first request. */
        const handlerOf = Effect.fnUntraced(function* (page: Page, known: Site) {
          const before = handlers.get(page.path)
          if (before !== undefined) return before
          const text = Effect.sync(() => htmlOf(page, known))
          const made = yield* serveCached({ contentType: htmlType, text, headers })
          handlers.set(page.path, made)
          return made
        })

        yield* router.add("GET", "/docs/*", (request) =>
          Effect.gen(function* () {
            const path = pathOf(request.url)
            const known = yield* site
            const page = known.pages.get(path)
            if (page !== undefined) return yield* yield* handlerOf(page, known)
            const without = path.replace(/\/+$/, "")
            return without !== path && known.pages.has(without)
              ? HttpServerResponse.redirect(linkTo(baseUrl, without), { status: 308 })
              : yield* missing(request, path, known)
          })
        )

        yield* router.add("GET", "/docs/search", (request) =>
          Effect.map(site, (known) => {
            const query = queryOf(request)
            const page = searchPage(query, search(known.sections, query))
            return HttpServerResponse.text(htmlOf(page, known, query), {
              contentType: htmlType,
              headers
            })
          })
        )

        yield* router.add("GET", "/docs/search.json", (request) =>
          Effect.map(site, ({ sections }) =>
            HttpServerResponse.jsonUnsafe(
              suggestions(sections, queryOf(request), (path) => linkTo(baseUrl, path))
            )
          )
        )
      })
    )
  )

const htmlOf = (page: Page, { baseUrl, navigation }: Site, query = ""): string =>
  withLinks(framed(page, navigation, { query }), baseUrl)

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest): string =>
  (URL.parse(url, "http://localhost")?.searchParams.get("q") ?? "").trim().slice(0, queryLengthMax)

/** A page for a browser, the error object for everyone else. */
const missing = ({ headers: asked }: HttpServerRequest.HttpServerRequest, path: string, known: Site) =>
  asked["accept"]?.includes("text/html") === true
    ? Effect.succeed(
        HttpServerResponse.text(htmlOf(missingPage(path), known), {
          status: 404,
          contentType: htmlType,
          headers
        })
      )
    : errorAnswer({ status: 404, message: "There is no such endpoint" })
