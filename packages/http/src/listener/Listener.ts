/**
 * The server's socket. It serves a bounded number of connections, and ends those
 * whose other end keeps it waiting: a request that does not arrive, or an answer
 * that is not read.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { errorBody, type Problem } from "../errors/ErrorAnswer.ts"
import { malformedAnswer, misnamedHost } from "../errors/MalformedRequest.ts"
import { standing } from "../pipeline/answer/CommonHeaders.ts"
import { RequestIds } from "../pipeline/RequestIds.ts"
import { closed } from "./Closing.ts"
import { bodyLimitOf, type ConnectionLimits } from "./ConnectionLimits.ts"
import { ClosingConnections } from "./ClosingConnections.ts"
import { isMidAnswer, type Peer, Peers } from "./Peers.ts"

export interface Listener {
  readonly server: Server
  /** Tells callers, on every answer from now on, that their connection ends with it. */
  readonly sayGoodbye: () => void
  /** Whether further connections go to the other workers of `node:cluster` that listen on the port. */
  readonly leaveConnections: (toOthers: boolean) => void
  /** Takes no more connections, and ends when the last one has. */
  readonly closed: Effect.Effect<void>
}

/**
 * Milliseconds an idle connection is kept: longer than usual balancers do (60 s),
 * or they would send into a closing one.
 */
const keepAliveTimeout = 65_000

/** Ends with the scope, and ends all its connections. */
export const make = Effect.fnUntraced(function* (limits: ConnectionLimits) {
  const clock = yield* Clock.Clock
  const ids = yield* RequestIds
  const peers = new Peers(clock)
  const closingConnections = new ClosingConnections(clock)
  let isLeaving = false

  const timeouts = {
    keepAliveTimeout,
    headersTimeout: Duration.toMillis(limits.head),
    requestTimeout: Duration.toMillis(Duration.sum(limits.head, limits.upload)),
    connectionsCheckingInterval: Math.min(1_000, Duration.toMillis(limits.head))
  }
  // A request without Host is answered by the routes, instead of Node's empty 400. A caller that asks for another
  // protocol is answered in this one, under the same limits.
  const server = createServer({ ...timeouts, requireHostHeader: false, shouldUpgradeCallback: () => false })
  server.timeout = Duration.toMillis(limits.stall)

  const turnAway = (response: ServerResponse, problem: Problem): void => {
    response.shouldKeepAlive = false
    answerByHand(response, problem, Effect.runSync(ids.next))
  }

  const lastWords = (error: Error) => malformedAnswer(error, Effect.runSync(ids.next))

  /** Ends a connection for this reason, and says so unless an answer is half sent. */
  const dismiss = (connection: Duplex, error: Error): void => {
    const peer = peers.of(connection)
    if (closingConnections.has(connection)) return
    if (!connection.writable || (peer !== undefined && isMidAnswer(peer))) connection.destroy()
    else closingConnections.add(connection, lastWords(error))
  }

  /** A request that was answered before it was complete needs no second answer. */
  const dismissSlow = (connection: Duplex, { answers }: Peer): void => {
    if (answers.size === 0) connection.destroy()
    else dismiss(connection, tooSlow)
  }

  // Reads the requests for which there is no room, since not every caller understands an answer to nothing.
  const doorkeeper = createServer({ requireHostHeader: false }, (_, response) => turnAway(response, busy))
  doorkeeper.on("clientError", (error, connection) => connection.end(lastWords(error)))

  const serving = server.listeners("connection")
  server.removeAllListeners("connection").on("connection", (socket: Socket) => {
    if (peers.size < limits.connectionsMax) {
      peers.add(socket)
      for (const serve of serving) Reflect.apply(serve, server, [socket])
    } else {
      closingConnections.add(socket)
      if (!socket.destroyed) doorkeeper.emit("connection", socket)
    }
  })

  const onRequest =
    (event: "request" | "checkContinue") => (request: IncomingMessage, response: ServerResponse) => {
      peers.asked(request, response)
      if (isLeaving) response.shouldKeepAlive = false
      if (!namesOneHost(request)) {
        response.shouldKeepAlive = false
        // Node has dropped the second of two, which a proxy before it may have gone by.
        request.headers[misnamedHost] = "true"
      }
      // Nobody else handles requests yet, as parts of the service are still being built.
      if (server.listenerCount(event) === 1) turnAway(response, starting)
    }
  server.on("request", onRequest("request"))
  // The routes ask for a body whose sender waits to be asked.
  server.on("checkContinue", onRequest("checkContinue"))
  // An unknown expectation may be ignored; Node would answer it with an empty 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("clientError", (error, connection) => dismiss(connection, error))

  // Nothing moved for a while. A caller that waits for us is not to blame.
  server.on("timeout", (socket) => {
    const peer = peers.of(socket)
    if (peer?.request?.complete === false) return dismissSlow(socket, peer)
    if (peer === undefined || peer.answers.size === 0 || socket.writableLength > 0) socket.destroy()
  })

  const sweep = Effect.sync(() => {
    const now = clock.currentTimeMillisUnsafe()
    for (const [connection, peer] of peers) {
      const { request, requestedAt } = peer
      if (request === null || request.complete) continue
      if (now - requestedAt >= Duration.toMillis(bodyLimitOf(request, limits))) {
        dismissSlow(connection, peer)
      }
    }
    closingConnections.sweep()
  })
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("1 second")))

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closingConnections.end()
      server.closeAllConnections()
    })
  )

  const sayGoodbye = () => {
    isLeaving = true
    peers.endAfterAnswers()
  }
  const leaveConnections = (toOthers: boolean) => {
    server.maxConnections = toOthers ? 0 : Number.POSITIVE_INFINITY
  }
  const listener: Listener = { server, sayGoodbye, leaveConnections, closed: closed(server) }
  return listener
})

/** Whether there is exactly one Host, as HTTP/1.1 wants it (RFC 9112, section 3.2). */
const namesOneHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let count = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1
  }
  return count === 1 || (count === 0 && httpVersion === "1.0")
}

/** In Node's own words. */
const tooSlow = Object.assign(new Error("The request took too long"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

const starting: Problem = { status: 503, message: "The service is starting: try again" }
const busy: Problem = { status: 503, message: "The service has no room for another connection: try again" }

/** Answers without the routes, which normally give answers their form. */
const answerByHand = (response: ServerResponse, problem: Problem, requestId: string): void => {
  const body = JSON.stringify(errorBody(problem, requestId))
  response
    .writeHead(problem.status, {
      ...standing,
      "content-length": Buffer.byteLength(body),
      "content-type": "application/json",
      "retry-after": "1",
      "x-request-id": requestId
    })
    .end(body)
}
