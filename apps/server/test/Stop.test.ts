import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { demoOf } from "./Demo.ts"
import { request } from "./Http.ts"
import { developmentServer } from "./RunhookProcess.ts"
import { silentServer } from "./SilentServer.ts"

describe("a server that is told to stop", () => {
  it.live("answers a waiting poll and ends a delivery that is under way", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
      const demo = demoOf(server)
      const receiver = yield* silentServer
      const held = yield* demo.create({ callback_url: receiver.url, hold: true })
      yield* request(`${server.baseUrl}/api/v1/integrations/webhooks/test`, {
        method: "POST",
        headers: demo.headers,
        body: JSON.stringify({ callback_url: receiver.url })
      })
      yield* receiver.called
      const poll = yield* Effect.forkChild(
        request(`${demo.executions}/${held.execution_id}?wait=60`, { headers: demo.headers }),
        { startImmediately: true }
      )
      // Answered after the poll, which was sent before it, has arrived.
      yield* request(`${server.baseUrl}/livez`)

      server.signal("SIGTERM")
      const answer = yield* Fiber.join(poll)
      yield* receiver.answer
      const { code, stderr } = yield* server.ended

      assert.strictEqual(answer.status, 200)
      assert.strictEqual(code, 0)
      assert.include(stderr, "Stopping")
      assert.notInclude(stderr, '"level":"error"')
    })
  )

  it.live("ends in order, whoever keeps it waiting", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
      const receiver = yield* silentServer
      yield* demoOf(server).create({ callback_url: receiver.url })
      yield* receiver.called

      server.signal("SIGINT")
      const { code, stderr } = yield* server.ended

      assert.strictEqual(code, 0)
      // As it says when it has not, ten seconds after it was told.
      assert.notInclude(stderr, "did not end in time")
    })
  )

  it.live("lets go of a browser that watches the inbox", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer()
      const watch = yield* request(`${server.baseUrl}/demo/inbox/events`, {
        headers: { accept: "text/event-stream" }
      })

      server.signal("SIGTERM")
      const text = yield* Effect.promise(() => watch.text())
      const { code } = yield* server.ended

      assert.strictEqual(text, "retry: 2000\n\n")
      assert.strictEqual(code, 0)
    })
  )
})
