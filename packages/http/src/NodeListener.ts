/** The routes of a host as a listener of a Node server that it has already, such as that of Express, Fastify or Nest. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { consumedBody } from "./errors/MalformedRequest.ts"
import * as NodeBodies from "./listener/NodeBodies.ts"
import { routerConfig } from "./pipeline/RouteTable.ts"

export interface NodeListener {
  /**
   * Answers a request by the routes, whatever its path. Bodies are streamed both ways, and work for a caller that
   * has gone is interrupted. Mount it before any parser of bodies: a body that was read already is answered 500.
   */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** Closes the routes. Requests in flight are answered 503, so close the server first. */
  readonly dispose: () => Promise<void>
}

/** Builds the routes. Rejects when they cannot be built. */
export const toNodeListener = async <E>(
  routes: Layer.Layer<never, E, HttpRouter.HttpRouter>
): Promise<NodeListener> => {
  const scope = Scope.makeUnsafe()
  const handle = await Effect.runPromise(
    HttpRouter.toHttpEffect(Layer.provide(routes, NodeBodies.layer)).pipe(
      Effect.flatMap((app) => NodeHttpServer.makeHandler(app, { scope })),
      Effect.provideService(HttpRouter.RouterConfig, routerConfig),
      Scope.provide(scope)
    )
  )
  return {
    listener: (request, response) => {
      // An empty body ends without a byte that was read.
      if (request.readableDidRead || request.readableEnded) request.headers[consumedBody] = "true"
      handle(request, response)
    },
    dispose: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
