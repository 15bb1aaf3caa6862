/** A receiver of callbacks that answers 500 once, and from then on 204. */
import { once } from "node:events"
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import { eventually } from "./Http.ts"

export const failingReceiver = Effect.gen(function* () {
  const eventIds: Array<string> = []
  const server = createServer((request, response) => {
    request.resume()
    eventIds.push(String(request.headers["x-webhook-event-id"]))
    response.writeHead(eventIds.length === 1 ? 500 : 204).end()
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
    /** The ids of the events that came, once there are so many. */
    received: (count: number) =>
      eventually(
        Effect.sync(() => [...eventIds]),
        ({ length }) => length >= count
      )
  }
})
