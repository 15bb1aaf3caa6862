/** A receiver of webhooks on loopback, real down to the socket. */
import * as Http from "node:http"
import type { Server, Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** Names the connection it came by. */
  readonly port: number | undefined
}

export interface Receiver {
  readonly url: string
  readonly port: number
  /** What came in, oldest first. */
  readonly received: Queue.Queue<Received>
  /** Connections made to it so far. */
  readonly connections: () => number
}

export type Answer = (response: Http.ServerResponse, received: Received) => void

/** Starts a receiver that answers each request as it is told. All its connections end with the scope. */
export const start = Effect.fnUntraced(function* (answer: Answer) {
  const received = yield* Queue.unbounded<Received>()
  let connections = 0
  const server = Http.createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => {
      const each: Received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)])
        ),
        body: Buffer.concat(chunks).toString(),
        port: request.socket.remotePort
      }
      Queue.offerUnsafe(received, each)
      answer(response, each)
    })
  })
  server.on("connection", () => (connections += 1))
  const port = yield* listening(server)
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections
  }
  return receiver
})

export const answering =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status).end()

/** The port of a server that listens until the scope ends, and whose connections end then too. */
export const listening = Effect.fnUntraced(function* (server: Server) {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => sockets.add(socket))
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : yield* Effect.die("It has no port")
})
