/** A web server of files alone, which has a folder below a path and shows its `404.html` for what is not there. */
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import * as Effect from "effect/Effect"

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml"
}

/** Answers its own origin. */
export const staticHost = Effect.fnUntraced(function* (folder: string, below: string) {
  const server = createServer(({ url = "/" }, answer) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname)
    const file = join(folder, path.slice(below.length).replace(/\/$/, "/index.html"))
    const found = path.startsWith(`${below}/`) && existsSync(file) ? file : join(folder, "404.html")
    answer.writeHead(found === file ? 200 : 404, { "content-type": contentTypes[extname(found)] })
    answer.end(readFileSync(found))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  if (address === null || typeof address === "string") return yield* Effect.die("The host has no port")
  return `http://127.0.0.1:${address.port}`
})
