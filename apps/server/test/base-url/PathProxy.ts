/** A proxy that has the service below a path, which it takes off every request, and nothing beside it. */
import { once } from "node:events"
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"

/** Serves the service at that port of this machine below a path, or at the root for "". Answers its own origin. */
export const proxyTo = Effect.fnUntraced(function* (port: number, path: string) {
  const passOn = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const { headers, method = "GET", url = "/" } = incoming
    if (!url.startsWith(`${path}/`)) return void answer.writeHead(404).end("Another service's")
    const options = { host: "127.0.0.1", port, path: url.slice(path.length), headers, method }
    const outgoing = ask(options, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.rawHeaders)
      from.pipe(answer)
    })
    outgoing.on("error", () => answer.destroy())
    // A browser that goes away ends its stream.
    answer.on("close", () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
  const proxy = createServer(passOn)
  yield* Effect.acquireRelease(
    Effect.promise(() => once(proxy.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        proxy.close()
        proxy.closeAllConnections()
      })
  )
  const address = proxy.address()
  if (address === null || typeof address === "string") return yield* Effect.die("The proxy has no port")
  return `http://127.0.0.1:${address.port}`
})
