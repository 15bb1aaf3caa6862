/** A web server of files alone, which has a folder below a path and shows its `404.html` for what is not there. */
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { listening } from "@runhook/test-support/receivers/Listening"
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
  return `http://127.0.0.1:${yield* listening(server)}`
})
