import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import { bodyBegun, speaking } from "@runhook/test-support/receivers/Sockets"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { bodyMax, onInternet, send, test } from "./Agents.ts"

describe("a receiver at fault", () => {
  test("may take 11 s to answer", function* () {
    const asked = yield* Queue.unbounded<ServerResponse>()
    const { url } = yield* start((response) => Queue.offerUnsafe(asked, response))
    const sending = yield* Effect.forkChild(send(url), { startImmediately: true })
    const response = yield* Queue.take(asked)
    yield* TestClock.adjust("11 seconds")

    response.end()

    const { error, timings } = yield* Fiber.join(sending)
    assert.deepStrictEqual([error, timings.headers], [null, 11_000])
  })

  test("is given up after 12 s without an answer, and the connection is closed", function* () {
    const closed = yield* Queue.unbounded<void>()
    const { received, url } = yield* start((response) => {
      response.on("close", () => Queue.offerUnsafe(closed, undefined))
    })
    const sending = yield* Effect.forkChild(send(url), { startImmediately: true })
    yield* Queue.take(received)

    yield* TestClock.adjust("12 seconds")

    const { error, phase, status, timings } = yield* Fiber.join(sending)
    assert.deepStrictEqual(
      { error, phase, status, headers: timings.headers },
      { error: "No answer came in time", phase: "headers", status: null, headers: 12_000 }
    )
    yield* Queue.take(closed)
  })

  test("is given up after 15 s of a body that drips by a byte each 500 ms, of which is kept what came", function* () {
    const asked = yield* Queue.unbounded<ServerResponse>()
    const { url } = yield* start((response) => {
      response.write("d")
      Queue.offerUnsafe(asked, response)
    })
    const begun = yield* Effect.forkChild(bodyBegun, { startImmediately: true })
    const sending = yield* Effect.forkChild(send(url), { startImmediately: true })
    const response = yield* Queue.take(asked)
    yield* Fiber.join(begun)
    yield* Effect.sync(() => response.write("d")).pipe(
      Effect.delay("500 millis"),
      Effect.repeat({ times: 40 }),
      Effect.forkChild({ startImmediately: true })
    )

    yield* TestClock.adjust("15 seconds")

    const { error, phase, text, status, timings } = yield* Fiber.join(sending)
    assert.deepStrictEqual(
      { error, phase, status, body: timings.body },
      { error: "The answer was not complete in time", phase: "body", status: 200, body: 15_000 }
    )
    assert.match(text, /^d{1,31}$/)
  })

  test("that sends a body without an end is cut off after 16 KiB, and has succeeded", function* () {
    const closed = yield* Queue.unbounded<void>()
    const { url } = yield* start((response) => {
      const pour = () => {
        while (response.write("x".repeat(1024))) if (response.destroyed) return
      }
      response.on("drain", pour).on("close", () => Queue.offerUnsafe(closed, undefined))
      pour()
    })

    const { error, isTruncated, phase, text } = yield* send(url)

    assert.deepStrictEqual(
      { error, isTruncated, phase, length: text.length },
      { error: null, isTruncated: true, phase: "done", length: bodyMax }
    )
    yield* Queue.take(closed)
  })

  test("that compresses 10 MB into 10 KB has its bytes kept as they came", function* () {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const { url } = yield* start((response) =>
      response.writeHead(500, { "content-encoding": "gzip" }).end(bomb)
    )

    const { isTruncated, text } = yield* send(url)

    assert.isFalse(isTruncated)
    assert.isAtMost(text.length, bomb.length)
    assert.strictEqual(text[0], "\u001f")
  })

  for (const end of ["closes", "resets"] as const) {
    test(`that ${end} the connection within the body of a 200 has failed`, function* () {
      const endings = yield* Queue.unbounded<() => void>()
      const url = yield* speaking((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
        Queue.offerUnsafe(endings, () => (end === "closes" ? socket.end() : socket.resetAndDestroy()))
      })
      const begun = yield* Effect.forkChild(bodyBegun, { startImmediately: true })
      const sending = yield* Effect.forkChild(send(url), { startImmediately: true })
      const endIt = yield* Queue.take(endings)
      yield* Fiber.join(begun)

      endIt()

      const { error, phase, text, status } = yield* Fiber.join(sending)
      assert.deepStrictEqual(
        { error, phase, text, status },
        { error: "The receiver closed the connection", phase: "body", text: "half", status: 200 }
      )
    })
  }

  test("that resets the connection before any answer has failed", function* () {
    const url = yield* speaking((socket) => socket.resetAndDestroy())

    const { error, phase, status } = yield* send(url)

    assert.deepStrictEqual(
      { error, phase, status },
      { error: "The receiver closed the connection", phase: "headers", status: null }
    )
  })

  test("that sends a header line of 100 KB is not read further than 16 KiB", function* () {
    const url = yield* speaking((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`)
    )

    const { error, headers, status } = yield* send(url)

    assert.deepStrictEqual(
      { error, headers, status },
      { error: "The headers of the answer are too large", headers: {}, status: null }
    )
  })

  test("that does not speak HTTP is reported", function* () {
    const url = yield* speaking((socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n"))

    assert.strictEqual((yield* send(url)).error, "The answer is not valid HTTP")
  })

  test("that redirects to itself is asked once", function* () {
    const { received, url } = yield* start((response) => response.writeHead(302, { location: "/hook" }).end())

    const { error, status } = yield* send(url)

    assert.deepStrictEqual({ error, status }, { error: null, status: 302 })
    assert.strictEqual(yield* Queue.size(received), 1)
  })

  test("that does not listen is reported with its address", function* () {
    const { url } = yield* Effect.scoped(start(answering(200)))

    const { error, phase, remoteAddress, requestHeaders, status } = yield* send(url)

    assert.deepStrictEqual(
      { error, phase, remoteAddress, requestHeaders, status },
      {
        error: "The receiver refused the connection",
        phase: "connect",
        remoteAddress: "127.0.0.1",
        requestHeaders: {},
        status: null
      }
    )
  })

  test("of https that does not speak TLS is reported", function* () {
    const { url } = yield* start(answering(200))

    const { error, phase } = yield* send(url.replace("http:", "https:"))

    assert.strictEqual(phase, "connect")
    assert.match(error ?? "", /^The connection failed \(ERR_SSL_/)
  })

  it.effect("whose name does not resolve is reported", () =>
    Effect.gen(function* () {
      const { error, phase, remoteAddress } = yield* send("https://nowhere.example.com/hook")

      assert.deepStrictEqual(
        { error, phase, remoteAddress },
        { error: "The host name could not be resolved", phase: "dns", remoteAddress: null }
      )
    }).pipe(Effect.provide(onInternet))
  )
})
