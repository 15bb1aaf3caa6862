/** A receiver of callbacks that answers 500 a few times, and from then on 204. */
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import { eventually } from "./Http.ts"
import { listening } from "./Listening.ts"

export const failingReceiver = Effect.fnUntraced(function* (times: number) {
  const eventIds: Array<string> = []
  const server = createServer((request, response) => {
    request.resume()
    eventIds.push(String(request.headers["x-webhook-event-id"]))
    response.writeHead(eventIds.length <= times ? 500 : 204).end()
  })
  const url = yield* listening(server)
  return {
    url,
    /** The ids of the received events, once there are this many. */
    received: (count: number) =>
      eventually(
        Effect.sync(() => [...eventIds]),
        ({ length }) => length >= count
      )
  }
})
