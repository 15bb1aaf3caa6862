/** Receivers of HTTP on loopback, real down to the socket. */
import { createServer, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { type Listening, listen, scoped } from "./Listening.ts"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** Names the connection it came by. */
  readonly port: number | undefined
}

export interface Receiver extends Listening {
  readonly url: string
  /** What came in, oldest first. */
  readonly received: ReadonlyArray<Received>
  /** Connections made to it so far. */
  readonly connections: () => number
  /** Answers so from now on. */
  readonly answer: (answer: Answer) => void
}

export type Answer = (response: ServerResponse, received: Received) => void

export const answering =
  (status: number, body = ""): Answer =>
  (response) =>
    response.writeHead(status).end(body)

/** Never answers. */
export const silence: Answer = () => {}

/** Takes each request as a whole, and answers it as it is told. */
export const startReceiver = async (first: Answer = answering(204)): Promise<Receiver> => {
  const received: Array<Received> = []
  let connections = 0
  let answer = first
  const server = createServer((request, response) => {
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
      received.push(each)
      answer(response, each)
    })
  })
  server.on("connection", () => (connections += 1))
  const listening = await listen(server)
  return {
    ...listening,
    url: `${listening.origin}/hook`,
    received,
    connections: () => connections,
    answer: (next) => {
      answer = next
    }
  }
}

/** The same until the scope ends. What comes in is a queue. */
export const start = Effect.fnUntraced(function* (answer: Answer) {
  const received = yield* Queue.unbounded<Received>()
  const receiver = yield* scoped(() =>
    startReceiver((response, each) => {
      Queue.offerUnsafe(received, each)
      answer(response, each)
    })
  )
  return { ...receiver, received }
})
