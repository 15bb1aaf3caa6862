/** A proxy that has the service below a path, which it takes off every request, and nothing beside it. */
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http"
import { listening } from "@runhook/test-support/receivers/Listening"
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
  return `http://127.0.0.1:${yield* listening(createServer(passOn))}`
})
