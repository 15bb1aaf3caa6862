import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { request } from "./Http.ts"
import { developmentServer } from "./RunhookProcess.ts"

/** A connection that was served, and is held. */
const heldConnection = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof connect>>((resume) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1")
      socket.once("data", () => resume(Effect.succeed(socket)))
      socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("a server with RUNHOOK_MAX_CONNECTIONS", () => {
  it.live("answers 503 to new callers when the limit of connections is reached", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer({ RUNHOOK_DEMO: "off", RUNHOOK_MAX_CONNECTIONS: "1" })
      yield* heldConnection(server.baseUrl)

      const { headers, status } = yield* request(`${server.baseUrl}/livez`)

      assert.deepStrictEqual([status, headers.get("retry-after")], [503, "1"])
    })
  )
})
