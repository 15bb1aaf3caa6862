/** Receivers that tests write by hand. */
import { once } from "node:events"
import type { Server } from "node:http"
import * as Effect from "effect/Effect"

/** Listens on a free port of this machine until the scope ends. Answers the URL. */
export const listening = Effect.fnUntraced(function* (server: Server) {
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`
})
