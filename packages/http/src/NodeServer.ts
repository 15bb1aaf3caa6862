/** Serves the routes of the service over HTTP on Node, and stops without dropping a request. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Draining } from "@runhook/core/engine/Draining"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { type ConnectionLimits, connectionLimitsDefault } from "./listener/ConnectionLimits.ts"
import * as Listener from "./listener/Listener.ts"
import * as NodeBodies from "./listener/NodeBodies.ts"
import { routerConfig } from "./pipeline/RouteTable.ts"

export interface ListeningOptions {
  readonly host: string
  /** 0 takes any free port; `HttpServer.HttpServer` knows which. */
  readonly port: number
  /** Missing limits keep their defaults. */
  readonly limits?: Partial<ConnectionLimits>
  /** Whether a worker of `node:cluster` leaves connections to the others of its port until it says otherwise. */
  readonly leavesConnections?: boolean
}

export interface ServingOptions {
  /**
   * How long requests are still taken after `/readyz` turned 503, so that balancers
   * notice. Default: not at all.
   */
  readonly noticePeriod?: Duration.Input
  /** Longest wait for requests in flight when the server stops; the others are answered 503. Default: 20 s. */
  readonly gracePeriod?: Duration.Input
}

/** The socket that requests come in by. */
export class Listening extends Context.Service<Listening, Listener.Listener>()(
  "@runhook/http/NodeServer/Listening"
) {}

/** Listens, and answers with its address. Until there are routes, requests are answered 503. */
export const listening = ({ host, leavesConnections = false, limits, port }: ListeningOptions) =>
  Layer.unwrap(
    Effect.map(Listener.make({ ...connectionLimitsDefault, ...limits }), (listener) => {
      if (leavesConnections) listener.leaveConnections(true)
      return Layer.effectDiscard(endUnserved(listener)).pipe(
        Layer.provideMerge(NodeHttpServer.layerServer(() => listener.server, { host, port })),
        Layer.provideMerge(Layer.succeed(Listening, listener))
      )
    })
  )

/** A stop before there are routes waits for no connection. */
const endUnserved = ({ server }: Listener.Listener) =>
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (server.listening) server.closeAllConnections()
    })
  )

/**
 * Answers requests by the routes. Closing it first begins `Draining`, so that waiting
 * polls answer and readiness turns 503; then no more connections are taken, and
 * requests end.
 */
export const serving = <E, R>(routes: Layer.Layer<never, E, R>, options: ServingOptions = {}) =>
  Layer.effectDiscard(Effect.acquireRelease(Effect.void, () => drain(options))).pipe(
    Layer.provideMerge(
      HttpRouter.serve(Layer.provide(routes, NodeBodies.layer), {
        routerConfig,
        disableLogger: true,
        disableListenLog: true
      })
    ),
    Layer.provide(NodeHttpServer.layerHttpServices)
  )

/** Both at once. */
export const layer = <E, R>(routes: Layer.Layer<never, E, R>, options: ListeningOptions & ServingOptions) =>
  serving(routes, options).pipe(Layer.provideMerge(listening(options)))

const drain = Effect.fnUntraced(function* ({
  gracePeriod = Duration.seconds(20),
  noticePeriod = Duration.zero
}: ServingOptions) {
  const { closed, sayGoodbye } = yield* Listening
  const draining = yield* Draining
  yield* draining.begin
  sayGoodbye()
  yield* Effect.sleep(noticePeriod)
  yield* closed.pipe(Effect.timeoutOption(gracePeriod))
})
