/** Serves the routes of the service over HTTP on Node, and stops without dropping a request. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Draining } from "@runhook/core/Draining"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { createServer, type Server, type ServerResponse } from "node:http"
import { errorBody, type Problem } from "./ErrorAnswer.ts"
import { malformedAnswer } from "./MalformedRequest.ts"
import { RequestIds } from "./RequestIds.ts"
import { routerConfig } from "./Routing.ts"

export interface Options {
  readonly host: string
  /** 0 takes any free port; `HttpServer.HttpServer` knows which. */
  readonly port: number
  /** How long requests are still taken after `/readyz` turned 503, for balancers to notice. Default: not at all. */
  readonly noticePeriod?: Duration.Input
  /** Longest wait for requests that are under way when the server stops; the rest is answered 503. Default: 20 s. */
  readonly gracePeriod?: Duration.Input
}

/** In milliseconds. None of them bounds how long an answer may take: polls wait for a minute. */
const timeouts = {
  /** Longer than the idle time of usual balancers (60 s), or they would send into a connection that is closing. */
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  /** For the whole request with its body. As long as an upload's grant, since uploads are requests as well. */
  requestTimeout: 900_000
}

/**
 * Listens as soon as it is built, and answers with its address. Until the
 * routes are there as well, requests are answered 503. Closing it first begins
 * `Draining`, so that waiting polls answer and readiness turns 503; then it
 * takes no more connections and lets requests end.
 */
export const layer = <E, R>(routes: Layer.Layer<never, E, R>, options: Options) =>
  Layer.unwrap(
    Effect.map(makeListener, (listener) =>
      Layer.effectDiscard(Effect.acquireRelease(Effect.void, () => drain(listener, options))).pipe(
        Layer.provideMerge(
          HttpRouter.serve(routes, { routerConfig, disableLogger: true, disableListenLog: true })
        ),
        Layer.provideMerge(
          NodeHttpServer.layerServer(() => listener.server, { host: options.host, port: options.port })
        ),
        Layer.provide(NodeHttpServer.layerHttpServices)
      )
    )
  )

interface Listener {
  readonly server: Server
  /** Tells callers, on every answer from now on, that their connection ends with it. */
  readonly sayGoodbye: () => void
}

const makeListener = Effect.gen(function* () {
  const ids = yield* RequestIds
  return yield* Effect.acquireRelease(
    Effect.sync((): Listener => {
      // Paths alone decide, so a request without Host is served rather than met with Node's empty 400.
      const server = createServer({ ...timeouts, requireHostHeader: false })
      const open = new Set<ServerResponse>()
      let isLeaving = false

      server.on("request", (_, response) => {
        open.add(response)
        response.once("close", () => open.delete(response))
        if (isLeaving) response.shouldKeepAlive = false
        // Nobody else listens for requests yet, as parts of the service are still being built.
        if (server.listenerCount("request") === 1) turnAway(response, Effect.runSync(ids.next))
      })
      // An unknown expectation may be ignored; Node would answer it with an empty 417.
      server.on("checkExpectation", (request, response) => server.emit("request", request, response))
      server.on("clientError", (error, socket) => {
        const isMidAnswer = [...open].some((each) => each.socket === socket && each.headersSent)
        if (socket.writable && !isMidAnswer) socket.end(malformedAnswer(error, Effect.runSync(ids.next)))
        else socket.destroy()
      })

      return {
        server,
        sayGoodbye: () => {
          isLeaving = true
          for (const response of open) response.shouldKeepAlive = false
        }
      }
    }),
    ({ server }) => Effect.sync(() => server.closeAllConnections())
  )
})

const notYet: Problem = { status: 503, message: "The service is starting: try again" }

/** Answers by hand: the routes, which give answers their form, are not there. */
const turnAway = (response: ServerResponse, requestId: string): void => {
  response
    .writeHead(notYet.status, {
      "cache-control": "no-store",
      "content-type": "application/json",
      "retry-after": "1",
      "x-request-id": requestId
    })
    .end(JSON.stringify(errorBody(notYet, requestId)))
}

const drain = Effect.fnUntraced(function* (
  { sayGoodbye, server }: Listener,
  { gracePeriod = Duration.seconds(20), noticePeriod = Duration.zero }: Options
) {
  const draining = yield* Draining
  yield* draining.begin
  sayGoodbye()
  yield* Effect.sleep(noticePeriod)
  yield* closed(server).pipe(Effect.timeoutOption(gracePeriod))
})

/** Ends when the last connection has. One that was busy when the listener closed is idle later, and closed then. */
const closed = (server: Server) =>
  Effect.raceFirst(
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
    }),
    Effect.repeat(
      Effect.sync(() => server.closeIdleConnections()),
      Schedule.spaced("50 millis")
    )
  )
