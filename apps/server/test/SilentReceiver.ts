/** An HTTP server that takes one request and lets it wait until it is told to answer. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export const silentReceiver = Effect.gen(function* () {
  const arrived = yield* Deferred.make<ServerResponse>()
  const left = yield* Deferred.make<void>()
  const server = createServer((request, response) => {
    request.resume()
    response.once("close", () => Effect.runSync(Deferred.succeed(left, undefined)))
    Effect.runSync(Deferred.succeed(arrived, response))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/`,
    called: Effect.asVoid(Deferred.await(arrived)),
    answer: Effect.map(Deferred.await(arrived), (response) => {
      response.writeHead(204).end()
    }),
    /** The connection of the request has ended. */
    leftAlone: Deferred.await(left)
  }
})
