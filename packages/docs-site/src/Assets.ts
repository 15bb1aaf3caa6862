/** The style, the script and the icons of the pages. They are files of this package. */
import { serveCached, whenNeeded } from "@runhook/http/documents/CachedDocument"
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

/** Serves them. They are part of the program, so a failure to read one is a defect. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const read = (name: string) =>
      Effect.orDie(Effect.flatMap(paths.fromFileUrl(assetUrl(name)), (file) => files.readFile(file)))

    for (const { contentType, name, path } of texts) {
      const text = Effect.map(read(name), (bytes) => new TextDecoder().decode(bytes))
      yield* router.add("GET", path, yield* serveCached({ contentType, text }))
    }

    const headers = { "cache-control": "max-age=86400" }
    const image = yield* whenNeeded(read(icon.name))
    yield* router.add(
      "GET",
      icon.path,
      Effect.map(image, (bytes) =>
        HttpServerResponse.uint8Array(bytes, { contentType: "image/x-icon", headers })
      )
    )
  })
)
