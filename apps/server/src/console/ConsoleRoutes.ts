/**
 * Serves the Integrations page: its files, cached for good, and the page itself for
 * every view, since each is a URL.
 */
import { BaseUrl, linkTo } from "@runhook/http/BaseUrl"
import { whenNeeded } from "@runhook/http/documents/CachedDocument"
import { errorAnswer, pathOf } from "@runhook/http/errors/ErrorAnswer"
import { acceptsBrotli, acceptsGzip, matchesEtag } from "@runhook/http/pipeline/answer/Negotiation"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ConsoleFile, type ConsoleFiles, linkedPage, readConsoleFiles } from "./ConsoleFiles.ts"

const dist = new URL("../../../../packages/console/dist/", import.meta.url)

const assets = "/integrations/assets/"

/** Only this page's own files run in it, and no other page can frame it. */
const headersTo = ({ headers: { host = "" } }: HttpServerRequest.HttpServerRequest, baseUrl: string) => ({
  "content-security-policy": [
    "default-src 'none'",
    // By the name that the browser knows: other files of this host, such as uploaded ones, are no scripts of the page.
    `script-src ${baseUrl}${assets} ${isHostSource.test(host) ? host + linkTo(baseUrl, assets) : "'self'"}`,
    "style-src 'self'",
    "img-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "cache-control": "no-cache"
})

/** What a policy can name: it has no words for addresses of IPv6. */
const isHostSource = /^[\w.-]+(?::\d+)?$/

/** File names change with their content. */
const fileHeaders = { "cache-control": "public, max-age=31536000, immutable" }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const build = yield* whenNeeded(
      Effect.map(readConsoleFiles(dist), (files) => {
        const index = files.get("index.html")
        return { files, page: index && linkedPage(index, baseUrl) }
      })
    )

    yield* router.add("GET", "/integrations/*", (request) =>
      Effect.flatMap(build, ({ files, page }) => {
        const path = pathOf(request.url)
        if (path.startsWith(assets)) return asset(files, request, path)
        if (page === undefined) return Effect.succeed(notBuilt)
        const etag = `"${page.tag}-${encodingOf(request)}"`
        const headers = { ...headersTo(request, baseUrl), etag }
        return Effect.succeed(
          matchesEtag(request.headers["if-none-match"], etag)
            ? HttpServerResponse.empty({ status: 304, headers: { ...headers, vary: "Accept-Encoding" } })
            : answerOf(page, request, headers)
        )
      })
    )
  })
)

const asset = (files: ConsoleFiles, request: HttpServerRequest.HttpServerRequest, path: string) => {
  const file = files.get(path.slice("/integrations/".length))
  return file === undefined
    ? errorAnswer({
        status: 404,
        message: "There is no such file: this page is of another version. Reload it"
      })
    : Effect.succeed(answerOf(file, request, fileHeaders))
}

type Encoding = "br" | "gzip" | "identity"

const encodingOf = ({ headers }: HttpServerRequest.HttpServerRequest): Encoding =>
  acceptsBrotli(headers) ? "br" : acceptsGzip(headers) ? "gzip" : "identity"

const answerOf = (
  { brotli, contentType, gzip, plain }: ConsoleFile,
  request: HttpServerRequest.HttpServerRequest,
  headers: Readonly<Record<string, string>>
) => {
  const encoding = encodingOf(request)
  return HttpServerResponse.uint8Array({ br: brotli, gzip, identity: plain }[encoding], {
    contentType,
    headers: {
      ...headers,
      vary: "Accept-Encoding",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding })
    }
  })
}

const notBuilt = HttpServerResponse.text(
  `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Runhook</title></head>
  <body>
    <h1>This page is not built</h1>
    <p>Run <code>node scripts/install.mjs server</code> in the folder of Runhook, and start the service again.</p>
  </body>
</html>
`,
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": "default-src 'none'" }
  }
)
