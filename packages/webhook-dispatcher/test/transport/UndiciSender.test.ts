import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { Sender } from "../../src/Sender.ts"
import { timeLimitsDefault } from "../../src/transport/TimeLimits.ts"
import { bodyKeptOfSuccess, bodyReadMax, layer } from "../../src/transport/UndiciSender.ts"
import { agentOnInternet, agentOnLoopback } from "./Network.ts"
import { answering, listening, start } from "./Receiver.ts"

const onLoopback = layer.pipe(Layer.provide(agentOnLoopback))
const onInternet = layer.pipe(Layer.provide(agentOnInternet))

const send = Effect.fnUntraced(function* (url: string) {
  const sender = yield* Sender
  return yield* sender.send({ url, headers: { "X-Webhook-Attempt": "1" }, body: `{"event":"é"}` })
})

/** A server that speaks by the byte: what it says to whoever connects and has asked something. */
const saying = Effect.fnUntraced(function* (text: string | Buffer, then: "closes" | "resets" | "waits") {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => {
      socket.write(text)
      if (then === "closes") socket.end()
      if (then === "resets") setImmediate(() => socket.resetAndDestroy())
    })
  })
  return `http://127.0.0.1:${yield* listening(server)}/hook`
})

/** Lets the sockets of this process do what they have to do. */
const socketsTurn = Effect.promise(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))

describe("UndiciSender", () => {
  it.effect("posts the body and headers as they are, and records the answer", () =>
    Effect.gen(function* () {
      const { port, received, url } = yield* start((response) =>
        response.setHeader("x-served-by", "me").end("thanks")
      )

      const result = yield* send(`${url}?token=1`)

      assert.deepStrictEqual(
        { ...result, responseHeaders: result.responseHeaders["x-served-by"] },
        {
          phase: "done",
          status: 200,
          error: null,
          remoteAddress: "127.0.0.1",
          responseHeaders: "me",
          responseBody: "thanks",
          isTruncated: false
        }
      )
      const { body, headers, method, path } = yield* Queue.take(received)
      assert.deepStrictEqual([method, path, body], ["POST", "/hook?token=1", `{"event":"é"}`])
      assert.strictEqual(headers["host"], `127.0.0.1:${port}`)
      assert.strictEqual(headers["x-webhook-attempt"], "1")
      assert.strictEqual(headers["content-length"], "14")
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("asks for no compression, which would hide how large an answer is", () =>
    Effect.gen(function* () {
      const { received, url } = yield* start(answering(204))

      yield* send(url)

      assert.strictEqual((yield* Queue.take(received)).headers["accept-encoding"], "identity")
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("sends the next request over the same connection", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* start(answering(200))

      yield* send(url)
      // The connection is free again once its client has seen the answer to the end.
      yield* socketsTurn
      const second = yield* send(url)

      assert.strictEqual(connections(), 1)
      assert.strictEqual(second.remoteAddress, "127.0.0.1")
    }).pipe(Effect.provide(onLoopback))
  )

  for (const status of [200, 202, 204, 299]) {
    it.effect(`takes ${status} for a success`, () =>
      Effect.gen(function* () {
        const { url } = yield* start(answering(status))

        assert.strictEqual((yield* send(url)).error, null)
      }).pipe(Effect.provide(onLoopback))
    )
  }

  for (const status of [300, 304, 400, 401, 404, 410, 429, 500, 503]) {
    it.effect(`takes ${status} for a failure`, () =>
      Effect.gen(function* () {
        const { url } = yield* start(answering(status))

        const { error, phase } = yield* send(url)

        assert.deepStrictEqual({ error, phase }, { error: `The receiver answered ${status}`, phase: "done" })
      }).pipe(Effect.provide(onLoopback))
    )
  }

  it.effect("follows no redirect, and says where it led", () =>
    Effect.gen(function* () {
      const elsewhere = yield* start(answering(200))
      const { url } = yield* start((response) => response.writeHead(307, { location: elsewhere.url }).end())

      const { error, responseHeaders, status } = yield* send(url)

      assert.strictEqual(status, 307)
      assert.strictEqual(responseHeaders["location"], elsewhere.url)
      assert.strictEqual(
        error,
        `The receiver answered 307 to redirect to ${elsewhere.url}; redirects are not followed`
      )
      assert.strictEqual(elsewhere.connections(), 0)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("gives up on a receiver that never answers, and closes the connection", () =>
    Effect.gen(function* () {
      const closed = yield* Queue.unbounded<void>()
      const { received, url } = yield* start((response) => {
        response.on("close", () => Queue.offerUnsafe(closed, undefined))
      })
      const sending = yield* Effect.forkChild(send(url), { startImmediately: true })
      yield* Queue.take(received)

      yield* TestClock.adjust(timeLimitsDefault.headers)

      const { error, phase, status } = yield* Fiber.join(sending)
      assert.deepStrictEqual(
        { error, phase, status },
        { error: "No answer came in time", phase: "headers", status: null }
      )
      yield* Queue.take(closed)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("gives up on a body that only drips, and keeps what came of it", () =>
    Effect.gen(function* () {
      const dripped = yield* Queue.unbounded<void>()
      const { url } = yield* start((response) =>
        response.writeHead(200).write("drip", () => Queue.offerUnsafe(dripped, undefined))
      )
      const sending = yield* Effect.forkChild(send(url), { startImmediately: true })
      yield* Queue.take(dripped)
      // The bytes are out; now they have to come in.
      yield* socketsTurn

      yield* TestClock.adjust(timeLimitsDefault.total)

      const { error, phase, responseBody, status } = yield* Fiber.join(sending)
      assert.deepStrictEqual(
        { error, phase, responseBody, status },
        { error: "The answer was not complete in time", phase: "body", responseBody: "drip", status: 200 }
      )
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("cuts an endless body, which is still a success", () =>
    Effect.gen(function* () {
      const closed = yield* Queue.unbounded<void>()
      const { url } = yield* start((response) => {
        const pour = () => {
          while (response.write("x".repeat(1024))) if (response.destroyed) return
        }
        response.on("drain", pour).on("close", () => Queue.offerUnsafe(closed, undefined))
        pour()
      })

      const { error, isTruncated, phase, responseBody } = yield* send(url)

      assert.deepStrictEqual(
        { error, isTruncated, phase, length: responseBody?.length },
        { error: null, isTruncated: true, phase: "done", length: bodyKeptOfSuccess }
      )
      yield* Queue.take(closed)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("keeps more of the body of a failure", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.writeHead(500).end("x".repeat(bodyReadMax + 1)))

      const { isTruncated, responseBody } = yield* send(url)

      assert.isTrue(isTruncated)
      assert.strictEqual(responseBody?.length, bodyReadMax)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("does not call a body cut that fits exactly", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.writeHead(500).end("x".repeat(bodyReadMax)))

      const { isTruncated, responseBody } = yield* send(url)

      assert.isFalse(isTruncated)
      assert.strictEqual(responseBody?.length, bodyReadMax)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("replaces what no store can keep", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.end(Buffer.from([0x61, 0x00, 0xff, 0x62])))

      assert.strictEqual((yield* send(url)).responseBody, "a\uFFFD\uFFFDb")
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("takes a connection that breaks within the body for a failure", () =>
    Effect.gen(function* () {
      const url = yield* saying("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", "closes")

      const { error, phase, status } = yield* send(url)

      assert.deepStrictEqual(
        { error, phase, status },
        { error: "The receiver closed the connection", phase: "body", status: 200 }
      )
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("reports a connection that is reset before any answer", () =>
    Effect.gen(function* () {
      const url = yield* saying("", "resets")

      const { error, phase, status } = yield* send(url)

      assert.deepStrictEqual(
        { error, phase, status },
        { error: "The receiver closed the connection", phase: "headers", status: null }
      )
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("waits for the real answer after an interim one", () =>
    Effect.gen(function* () {
      const url = yield* saying("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", "waits")

      assert.strictEqual((yield* send(url)).status, 204)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("refuses headers without an end", () =>
    Effect.gen(function* () {
      const url = yield* saying(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`, "waits")

      const { error, status } = yield* send(url)

      assert.deepStrictEqual(
        { error, status },
        { error: "The headers of the answer are too large", status: null }
      )
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("reports an answer that is not HTTP", () =>
    Effect.gen(function* () {
      const url = yield* saying("SSH-2.0-OpenSSH_9.6\r\n", "waits")

      assert.strictEqual((yield* send(url)).error, "The answer is not valid HTTP")
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("reports a refused connection", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(start(answering(200)))

      const { error, phase, status } = yield* send(url)

      assert.deepStrictEqual(
        { error, phase, status },
        { error: "The receiver refused the connection", phase: "connect", status: null }
      )
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("reports a receiver of https that does not speak TLS", () =>
    Effect.gen(function* () {
      const { url } = yield* start(answering(200))

      const { error, phase } = yield* send(url.replace("http:", "https:"))

      assert.strictEqual(phase, "connect")
      assert.match(error ?? "", /^The connection failed \(ERR_SSL_/)
    }).pipe(Effect.provide(onLoopback))
  )

  for (const host of ["127.0.0.1", "hooks.example.com", "localhost", "2130706433", "[::ffff:7f00:1]"]) {
    it.effect(`does not even connect to ${host} when policy forbids it`, () =>
      Effect.gen(function* () {
        const { connections, port } = yield* start(answering(200))

        const { error, phase, remoteAddress } = yield* send(`http://${host}:${port}/hook`)

        assert.deepStrictEqual(
          { error, phase, remoteAddress },
          { error: "The callback URL is blocked by policy", phase: "policy", remoteAddress: null }
        )
        assert.strictEqual(connections(), 0)
      }).pipe(Effect.provide(onInternet))
    )
  }

  it.effect("reports a host that does not resolve", () =>
    Effect.gen(function* () {
      const { error, phase } = yield* send("https://nowhere.example.com/hook")

      assert.deepStrictEqual({ error, phase }, { error: "The host name could not be resolved", phase: "dns" })
    }).pipe(Effect.provide(onInternet))
  )
})
