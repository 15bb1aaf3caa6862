import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeCaller, parked } from "./Caller.ts"
import { demoOf } from "./Demo.ts"
import { eventually, request } from "./Http.ts"
import { developmentServer } from "./RunhookProcess.ts"

const ask = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

/**
 * Longer than the notice of the server: nothing else shows that it is over, while the server is stopped by a signal.
 */
const noticeIsOver = "1200 millis"

describe("a server that is told to stop", () => {
  it.live("answers what had arrived when its notice was over, on new and on kept connections", () =>
    Effect.gen(function* () {
      const { baseUrl, ended, signal } = yield* developmentServer({ RUNHOOK_STOP_NOTICE: "1" })
      const kept = yield* Effect.replicateEffect(makeCaller(baseUrl), 20)
      for (const { heard, socket } of kept) {
        socket.write(ask)
        yield* eventually(Effect.sync(heard), (text) => text.includes('"status":"ok"'))
      }
      signal("SIGTERM")
      yield* eventually(
        Effect.map(request(`${baseUrl}/readyz`), ({ status }) => status),
        (status) => status === 503
      )
      // It does nothing until its notice is over, so the system takes in all that comes meanwhile.
      signal("SIGSTOP")
      const fresh = yield* Effect.replicateEffect(makeCaller(baseUrl), 20)
      for (const { socket } of [...kept, ...fresh]) socket.write(ask)
      yield* Effect.sleep(noticeIsOver)

      signal("SIGCONT")

      const answers = yield* Effect.forEach([...kept, ...fresh], (caller) => caller.ended)
      const { code } = yield* ended
      const last = answers.map((answer) => answer.split("HTTP/1.1 ").at(-1) ?? "")
      assert.deepStrictEqual(
        last.filter((answer) => !/^200 OK\r\n.*connection: close\r\n.*"status":"ok"/is.test(answer)),
        []
      )
      assert.strictEqual(code, 0)
    })
  )

  it.live("answers every poll that waits, by what was last read", () =>
    Effect.gen(function* () {
      const server = yield* developmentServer({ RUNHOOK_RATE_LIMIT: "off" })
      const demo = demoOf(server)
      const { execution_id: held } = yield* demo.create({ hold: true })
      const poll =
        `GET /api/v1/integrations/executions/${held}?wait=60 HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${demo.key}\r\n\r\n`
      const callers = yield* Effect.replicateEffect(makeCaller(server.baseUrl), 500)
      for (const { socket } of callers) socket.write(poll)
      // The demo's own runner polls as well.
      yield* parked(server.baseUrl, callers.length + 1)
      const begun = performance.now()

      server.signal("SIGTERM")

      const answers = yield* Effect.forEach(callers, (caller) => caller.ended)
      console.info(`500 polls were answered within ${Math.round(performance.now() - begun)} ms of SIGTERM`)
      const { code } = yield* server.ended
      assert.lengthOf(
        answers.filter(
          (answer) => answer.startsWith("HTTP/1.1 200 OK") && answer.includes('"status":"pending"')
        ),
        500
      )
      assert.strictEqual(code, 0)
    })
  )
})
