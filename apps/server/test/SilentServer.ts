/**
 * An HTTP server that takes requests and lets them wait: the first until it is told to answer, all until it becomes a
 * site.
 */
import { createServer, type ServerResponse } from "node:http"
import { listening } from "@runhook/test-support/receivers/Listening"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export const silentServer = Effect.gen(function* () {
  const arrived = yield* Deferred.make<ServerResponse>()
  const left = yield* Deferred.make<void>()
  let isSilent = true
  const server = createServer((request, response) => {
    request.resume()
    if (!isSilent) return void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>")
    response.once("close", () => Effect.runSync(Deferred.succeed(left, undefined)))
    Effect.runSync(Deferred.succeed(arrived, response))
  })
  const url = `http://127.0.0.1:${yield* listening(server)}/`
  return {
    url,
    called: Effect.asVoid(Deferred.await(arrived)),
    answer: Effect.map(Deferred.await(arrived), (response) => {
      response.writeHead(204).end()
    }),
    /** From now on it answers with a page. */
    becomeSite: Effect.sync(() => {
      isSilent = false
    }),
    /** The connection of the request has ended. */
    leftAlone: Deferred.await(left)
  }
})
