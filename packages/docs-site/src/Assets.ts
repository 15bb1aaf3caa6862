/** The style, the script and the icons of the pages. They are files of this package. */
import { serveCached } from "@runhook/http/documents/CachedDocument"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Path from "effect/Path"

/** Those that are text, and where they are served. */
export const texts = [
  { path: "/docs/assets/docs.css", name: "docs.css", contentType: "text/css; charset=utf-8" },
  { path: "/docs/assets/docs.js", name: "docs.js", contentType: "text/javascript; charset=utf-8" },
  { path: "/favicon.svg", name: "favicon.svg", contentType: "image/svg+xml" }
] as const

/** Browsers ask for this one by themselves, on any page. */
export const icon = { path: "/favicon.ico", name: "favicon.ico" } as const

/** Where it lies. */
export const assetUrl = (name: string): URL => new URL(`./assets/${name}`, import.meta.url)

/** Serves them. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(
    function* (router) {
      const files = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const pathOf = (name: string) => paths.fromFileUrl(assetUrl(name))

      yield* Effect.forEach(texts, ({ contentType, name, path }) =>
        Effect.gen(function* () {
          const text = yield* Effect.flatMap(pathOf(name), (file) => files.readFileString(file))
          yield* router.add("GET", path, yield* serveCached({ contentType, text: Effect.succeed(text) }))
        })
      )

      const bytes = yield* Effect.flatMap(pathOf(icon.name), (file) => files.readFile(file))
      yield* router.add(
        "GET",
        icon.path,
        Effect.succeed(
          HttpServerResponse.uint8Array(bytes, {
            contentType: "image/x-icon",
            headers: { "cache-control": "max-age=86400" }
          })
        )
      )
    },
    // They are part of the program.
    Effect.orDie
  )
)
