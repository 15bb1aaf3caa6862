/** A balancer as operators run it: it keeps connections, looks at `/readyz`, leaves who is not ready twice, and repeats nothing. */
import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http"
import { listening } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { request } from "./Http.ts"

export interface Balanced {
  url: string
  isReady: boolean
}

/** Passes requests on in turn, to those that are ready. It answers 502 when one breaks off. */
export const balancing = Effect.fnUntraced(function* (servers: ReadonlyArray<Balanced>) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true })),
    (each) => Effect.sync(() => each.destroy())
  )
  let turn = 0

  const passOn = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const ready = servers.filter(({ isReady }) => isReady)
    turn += 1
    const server = ready[turn % ready.length]
    if (server === undefined) return void answer.writeHead(502).end("nobody is ready")
    const { headers, method = "GET", url = "/" } = incoming
    const outgoing = ask(server.url + url, { agent, headers, method }, (from) => {
      answer.writeHead(from.statusCode ?? 502, { "content-type": "application/json" })
      from.pipe(answer)
    })
    outgoing.on("error", (error) => answer.writeHead(502).end(String(error)))
    incoming.pipe(outgoing)
  }

  const url = `http://127.0.0.1:${yield* listening(createServer(passOn))}`

  const wasReady = new Map<Balanced, boolean>()
  const look = (server: Balanced) =>
    Effect.tryPromise(() => fetch(`${server.url}/readyz`)).pipe(
      Effect.match({ onFailure: () => false, onSuccess: ({ ok }) => ok }),
      Effect.map((isReady) => {
        server.isReady = isReady || (server.isReady && wasReady.get(server) === true)
        wasReady.set(server, isReady)
      })
    )
  yield* Effect.forkScoped(
    Effect.repeat(Effect.forEach(servers, look, { concurrency: "unbounded" }), Schedule.spaced("100 millis"))
  )

  return { url, send: (path: string, options: RequestInit) => request(url + path, options) }
})
