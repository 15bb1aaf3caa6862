import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as NodeServer from "../src/NodeServer.ts"
import { draining, errorOf, jsonOf, requestIds } from "./Hosts.ts"
import { exchange, firstAnswer, open, received } from "./RawConnection.ts"
import { errorIn, host, json, last, makeServer } from "./RunningServer.ts"

describe("the server", () => {
  it.live("takes a free port and says which", () =>
    Effect.gen(function* () {
      const { send } = yield* makeServer()

      const answer = yield* send("/livez")

      assert.deepInclude(yield* jsonOf(answer), { status: "ok" })
    })
  )

  it.live("answers 503 until its routes are there", () =>
    Effect.gen(function* () {
      const early = yield* Deferred.make<Response>()
      const slow = Layer.effectDiscard(
        Effect.gen(function* () {
          const { address } = yield* HttpServer.HttpServer
          const answer = yield* Effect.promise(() => fetch(`${HttpServer.formatAddress(address)}/readyz`))
          yield* Deferred.succeed(early, answer)
        })
      )

      yield* NodeServer.layer(slow, { host: "127.0.0.1", port: 0 }).pipe(
        Layer.provide([draining, requestIds]),
        Layer.build
      )

      const answer = yield* Deferred.await(early)
      const { code, message } = yield* errorOf(answer)
      assert.deepStrictEqual(
        [answer.status, answer.headers.get("retry-after"), code, message],
        [503, "1", "internal_error", "The service is starting: try again"]
      )
    })
  )

  it.live.each([
    { what: "a line of nonsense", request: "hello\r\n\r\n", status: 400 },
    { what: "a wrong length", request: `POST / HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`, status: 400 },
    {
      what: "both lengths at once",
      request: `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      status: 400
    },
    { what: "too long a header", request: `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, status: 431 },
    { what: "too long a URL", request: `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, status: 431 },
    {
      what: "a body with a broken chunk",
      request: `POST /api/test/things HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      status: 400
    }
  ])("answers $what with $status and the error object", ({ request, status }) =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answer = yield* exchange(port, request)

      assert.deepStrictEqual(errorIn(answer), { status, code: "invalid_request" })
    })
  )

  it.live("answers a body that ends early with 400", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()
      const socket = yield* open(port)

      socket.end(`POST /api/test/things HTTP/1.1\r\n${host}${json}Content-Length: 100\r\n\r\n{"name":`)
      const answer = yield* received(socket)

      assert.deepStrictEqual(errorIn(answer), { status: 400, code: "invalid_request" })
    })
  )

  it.live.each([
    { what: "with an unknown expectation", headers: `${host}Expect: tea\r\n` },
    { what: "that would rather speak HTTP/2", headers: `${host}Upgrade: h2c\r\n` }
  ])("serves a request $what", ({ headers }) =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answer = yield* exchange(port, `GET /livez HTTP/1.1\r\n${last}${headers}\r\n`)

      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    })
  )

  it.live.each([
    { what: "without Host", version: "1.1", headers: "" },
    { what: "with two Hosts", version: "1.1", headers: `${host}hOST: elsewhere\r\n` },
    { what: "with two Hosts in HTTP/1.0", version: "1.0", headers: `${host}${host}` },
    {
      what: "that says its host in its target alone",
      version: "1.1",
      headers: "",
      target: "http://localhost"
    }
  ])("refuses a request $what, and ends its connection", ({ headers, target = "", version }) =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answer = yield* exchange(port, `GET ${target}/livez HTTP/${version}\r\n${headers}\r\n`)

      assert.deepStrictEqual(errorIn(answer), { status: 400, code: "invalid_request" })
      assert.match(answer, /Host: must be there exactly once/)
    })
  )

  it.live("serves a request of HTTP/1.0 without Host", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answer = yield* exchange(port, "GET /livez HTTP/1.0\r\n\r\n")

      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    })
  )

  it.live("answers a body without Content-Type with 415", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answer = yield* exchange(
        port,
        `POST /api/test/things HTTP/1.1\r\n${host}${last}Content-Length: 13\r\n\r\n{"name": "a"}`
      )

      assert.deepStrictEqual(errorIn(answer), { status: 415, code: "invalid_request" })
    })
  )

  it.live("refuses a body by its announced length before it comes", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answer = yield* exchange(
        port,
        `POST /api/test/things HTTP/1.1\r\n${host}${json}Content-Length: 1048577\r\n\r\n`
      )

      assert.deepStrictEqual(errorIn(answer), { status: 413, code: "invalid_request" })
    })
  )

  it.live("counts a body that does not announce its length", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`

      const answer = yield* exchange(
        port,
        `POST /api/test/things HTTP/1.1\r\n${host}${json}${last}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`
      )

      assert.deepStrictEqual(errorIn(answer), { status: 413, code: "invalid_request" })
    })
  )

  it.live.each([
    {
      what: "that comes in many pieces",
      body: JSON.stringify({ name: "a", data: { a: "é".repeat(300_000) } })
    },
    { what: "that comes in none", body: "" }
  ])("reads a body $what whole", ({ body }) =>
    Effect.gen(function* () {
      const { send } = yield* makeServer()

      const answer = yield* send("/api/test/things", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body
      })

      if (body !== "") assert.strictEqual(answer.status, 200)
      else assert.strictEqual((yield* errorOf(answer)).message, "body: must be valid JSON")
    })
  )

  it.live("waits for nothing more of a caller that went in the middle of its body", () =>
    Effect.gen(function* () {
      const { close, port } = yield* makeServer()
      const socket = yield* open(port)
      const begun = yield* Effect.forkChild(firstAnswer(socket), { startImmediately: true })
      // Both at once: the first is answered when the second has begun.
      socket.write(
        `GET /livez HTTP/1.1\r\n${host}\r\nPOST /api/test/things HTTP/1.1\r\n${host}${json}Content-Length: 100\r\n\r\n{"name":`
      )
      yield* Fiber.join(begun)

      socket.destroy()

      yield* close
    })
  )

  it.live("keeps the connection in step after HEAD", () =>
    Effect.gen(function* () {
      const { port } = yield* makeServer()

      const answers = yield* exchange(
        port,
        `HEAD /nothing HTTP/1.1\r\n${host}\r\nGET /livez HTTP/1.1\r\n${host}${last}\r\n`
      )

      assert.match(answers, /^HTTP\/1\.1 404 [^{]*\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    })
  )
})

describe("a server that stops", () => {
  it.live("lets requests end, tells that the connection ends with them, and takes no more", () =>
    Effect.gen(function* () {
      const { close, gates, port } = yield* makeServer()
      const [busy, idle] = [yield* open(port), yield* open(port)]
      idle.write(`GET /livez HTTP/1.1\r\n${host}\r\n`)
      yield* firstAnswer(idle)
      busy.write(`GET /api/test/slow HTTP/1.1\r\n${host}\r\n`)
      yield* gates.entered.await

      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      const afterIdle = yield* received(idle)
      const late = yield* Effect.exit(Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/livez`)))
      yield* gates.exit.open
      const answer = yield* received(busy)
      yield* Fiber.join(closing)

      assert.strictEqual(afterIdle, "")
      assert.isTrue(Exit.isFailure(late))
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
      assert.match(answer, /connection: close/i)
    })
  )

  it.live("closes a connection whose answer had promised to keep it", () =>
    Effect.gen(function* () {
      const { close, gates, port } = yield* makeServer()
      const socket = yield* open(port)
      socket.write(`GET /endless HTTP/1.1\r\n${host}\r\n`)
      yield* gates.entered.await

      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* gates.exit.open
      const answer = yield* received(socket)
      yield* Fiber.join(closing)

      assert.match(answer, /connection: keep-alive/i)
    })
  )

  it.effect("answers requests that take longer than the grace period with 503", () =>
    Effect.gen(function* () {
      const { close, gates, port } = yield* makeServer({ gracePeriod: "20 seconds" })
      const socket = yield* open(port)
      const answering = yield* Effect.forkChild(received(socket), { startImmediately: true })
      socket.write(`GET /api/test/slow HTTP/1.1\r\n${host}\r\n`)
      yield* gates.entered.await

      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(closing)

      const answer = yield* Fiber.join(answering)
      assert.deepStrictEqual(errorIn(answer), { status: 503, code: "internal_error" })
      assert.match(answer, /retry-after: 5/i)
    })
  )

  it.effect("is still there, but not ready, while balancers take notice", () =>
    Effect.gen(function* () {
      const { close, send } = yield* makeServer({ noticePeriod: "5 seconds" })

      const closing = yield* Effect.forkChild(close, { startImmediately: true })
      const [live, ready] = [yield* send("/livez"), yield* send("/readyz")]
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(closing)

      assert.strictEqual(live.status, 200)
      assert.strictEqual(ready.status, 503)
      assert.strictEqual(ready.headers.get("connection"), "close")
    })
  )
})
