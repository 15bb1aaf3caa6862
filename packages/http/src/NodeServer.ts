/** Serves the routes of the service over HTTP on Node, and stops without dropping a request. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Draining } from "@runhook/core/runtime/Draining"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { type ConnectionLimits, connectionLimitsDefault } from "./listener/ConnectionLimits.ts"
import * as Listener from "./listener/Listener.ts"
import { routerConfig } from "./pipeline/RouteTable.ts"

export interface Options {
  readonly host: string
  /** 0 takes any free port; `HttpServer.HttpServer` knows which. */
  readonly port: number
  /**
   * How long requests are still taken after `/readyz` turned 503, so that balancers
   * notice. Default: not at all.
   */
  readonly noticePeriod?: Duration.Input
  /** Longest wait for requests in flight when the server stops; the others are answered 503. Default: 20 s. */
  readonly gracePeriod?: Duration.Input
  /** Missing limits keep their defaults. */
  readonly limits?: Partial<ConnectionLimits>
}

/**
 * Listens as soon as it is built, and answers with its address. Until the routes
 * are there, requests are answered 503. Closing it first begins `Draining`, so that
 * waiting polls answer and readiness turns 503; then it takes no more connections
 * and lets requests end.
 */
export const layer = <E, R>(routes: Layer.Layer<never, E, R>, options: Options) =>
  Layer.unwrap(
    Effect.map(Listener.make({ ...connectionLimitsDefault, ...options.limits }), (listener) =>
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

const drain = Effect.fnUntraced(function* (
  { closed, sayGoodbye }: Listener.Listener,
  { gracePeriod = Duration.seconds(20), noticePeriod = Duration.zero }: Options
) {
  const draining = yield* Draining
  yield* draining.begin
  sayGoodbye()
  yield* Effect.sleep(noticePeriod)
  yield* closed.pipe(Effect.timeoutOption(gracePeriod))
})
