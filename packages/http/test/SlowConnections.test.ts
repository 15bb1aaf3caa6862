import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { hostedFilesPath } from "@runhook/core/artifacts/Artifact"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { firstAnswer, open, received } from "./RawConnection.ts"
import { errorIn, host, json, last, makeServer } from "./RunningServer.ts"

const awaited = "Content-Length: 100\r\nExpect: 100-continue\r\n"
const post = `POST /api/test/things HTTP/1.1\r\n${host}${json}${awaited}\r\n`
const put = `PUT ${hostedFilesPath}?grant=some HTTP/1.1\r\n${host}${awaited}\r\n`

/** A connection whose request has begun: the server says that it waits for the body. */
const begun = Effect.fnUntraced(function* (port: number, head: string) {
  const socket = yield* open(port)
  const told = yield* Effect.forkChild(firstAnswer(socket), { startImmediately: true })
  socket.write(head)
  assert.match(yield* Fiber.join(told), /^HTTP\/1\.1 100 Continue\r\n/)
  return socket
})

/** What comes back while a byte goes out every second. */
const dripping = Effect.fnUntraced(function* (socket: Socket, seconds: number) {
  const answering = yield* Effect.forkChild(received(socket), { startImmediately: true })
  for (let second = 0; second < seconds; second += 1) {
    socket.write(" ")
    yield* TestClock.adjust("1 second")
  }
  return yield* Fiber.join(answering)
})

const tooSlow = { status: 408, code: "invalid_request" }
const shortly = Duration.millis(150)

describe("a caller that keeps the server waiting", () => {
  it.effect("has 20 s for the body of a request, however steadily it drips", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()
      const socket = yield* begun(port, post)

      assert.deepStrictEqual(errorIn(yield* dripping(socket, 20)), tooSlow)
    })
  )

  it.effect("has 15 minutes for an upload", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()
      const [inTime, late] = [yield* begun(port, put), yield* begun(port, put)]
      const [stored, refused] = yield* Effect.all(
        [inTime, late].map((each) => Effect.forkChild(received(each), { startImmediately: true }))
      )
      assert.isDefined(stored)
      assert.isDefined(refused)

      yield* TestClock.adjust("14 minutes")
      inTime.end("x".repeat(100))
      const answer = yield* Fiber.join(stored)
      yield* TestClock.adjust("1 minute")

      assert.match(answer, /^HTTP\/1\.1 204 /)
      assert.deepStrictEqual(errorIn(yield* Fiber.join(refused)), tooSlow)
    })
  )

  it.effect("gets no second answer, when the first came before the request was whole", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()
      const socket = yield* open(port)
      socket.write(`POST /nowhere HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n`)
      const first = yield* firstAnswer(socket)

      const rest = yield* dripping(socket, 20)

      assert.match(first, /^HTTP\/1\.1 404 /)
      assert.strictEqual(rest, "")
    })
  )

  for (const [what, bytes] of [
    ["nothing at all", ""],
    ["half of a URL", "GET /liv"],
    ["headers without an end", `GET /livez HTTP/1.1\r\n${host}x: `]
  ] as const) {
    it.live(`is answered 408 when its request begins with ${what}, and no more`, () =>
      Effect.gen(function* () {
        const { port } = yield* makeServer({ limits: { head: shortly } })
        const socket = yield* open(port)
        socket.write(bytes)

        assert.deepStrictEqual(errorIn(yield* received(socket)), tooSlow)
      })
    )
  }

  it.live("is answered 408 when an upload makes no progress, while one that waits for us stays", () =>
    Effect.gen(function* () {
      const { gates, port } = yield* makeServer({ limits: { stall: shortly } })
      const patient = yield* open(port)
      patient.write(`GET /api/test/slow HTTP/1.1\r\n${host}${last}\r\n`)
      yield* gates.entered.await
      const stalled = yield* begun(port, put)

      const refusal = yield* received(stalled)
      yield* gates.exit.open
      const answer = yield* received(patient)

      assert.deepStrictEqual(errorIn(refusal), tooSlow)
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    })
  )

  it.live("is cut off when it does not take its answer", () =>
    Effect.gen(function* () {
      const { gates, port } = yield* makeServer({ limits: { stall: shortly } })
      const socket = yield* open(port)
      socket.pause()

      socket.write(`GET /flood HTTP/1.1\r\n${host}\r\n`)

      yield* gates.exit.await
    })
  )
})

describe("a caller for whom there is no room", () => {
  const asking = `GET /livez HTTP/1.1\r\n${host}\r\n`

  it.effect("is answered 503, and served once somebody has gone", () =>
    Effect.gen(function* () {
      const { port, send } = yield* makeServer({ limits: { connectionsMax: 2 } })
      const [one, two] = [yield* open(port), yield* open(port)]
      for (const each of [one, two]) {
        each.write(asking)
        yield* firstAnswer(each)
      }

      const third = yield* open(port)
      third.write(asking)
      const refusal = yield* received(third)
      one.destroy()
      const served = yield* Effect.repeat(send("/livez"), { until: ({ status }) => status === 200 })

      assert.deepStrictEqual(errorIn(refusal), { status: 503, code: "internal_error" })
      assert.match(refusal, /retry-after: 1\r\n/i)
      assert.match(refusal, /connection: close\r\n/i)
      assert.strictEqual(served.status, 200)
    })
  )

  it.effect("is cut off after 5 s without a request, and told when that is malformed", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer({ limits: { connectionsMax: 0 } })
      const silent = yield* open(port)
      const said = yield* Effect.forkChild(received(silent), { startImmediately: true })
      const confused = yield* open(port)
      confused.write("hello\r\n\r\n")

      const told = yield* received(confused)
      yield* TestClock.adjust("6 seconds")

      assert.deepStrictEqual(errorIn(told), { status: 400, code: "invalid_request" })
      assert.strictEqual(yield* Fiber.join(said), "")
    })
  )
})
