import { assert, describe, it } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { bodyKeptOfSuccess, bodyReadMax } from "../../src/HttpSender.ts"
import { onLoopback, send } from "./Sending.ts"

describe("HttpSender", () => {
  it.effect("posts the body and headers as they are, and records the answer", () =>
    Effect.gen(function* () {
      const { port, received, url } = yield* start((response) =>
        response.setHeader("x-served-by", "me").end("thanks")
      )

      const result = yield* send(`${url}?token=1`)

      const { body, headers, method, path } = yield* Queue.take(received)
      assert.deepStrictEqual([method, path, body], ["POST", "/hook?token=1", `{"event":"é"}`])
      assert.strictEqual(headers["host"], `127.0.0.1:${port}`)
      assert.deepStrictEqual(
        { ...result, requestHeaders: headers, responseHeaders: result.responseHeaders["x-served-by"] },
        {
          phase: "done",
          status: 200,
          error: null,
          cause: null,
          remoteAddress: "127.0.0.1",
          requestHeaders: Object.fromEntries(
            Object.entries(result.requestHeaders).map(([name, value]) => [name.toLowerCase(), value])
          ),
          timings: { dns: null, connect: 0, tls: null, headers: 0, body: 0 },
          responseHeaders: "me",
          responseBody: "thanks",
          isTruncated: false
        }
      )
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
      const location = `${elsewhere.url}?token=abc`
      const { url } = yield* start((response) => response.writeHead(307, { location }).end())

      const { error, responseHeaders, status } = yield* send(url)

      assert.strictEqual(status, 307)
      assert.strictEqual(responseHeaders["location"], location)
      assert.strictEqual(
        error,
        `The receiver answered 307 to redirect to ${elsewhere.url}; redirects are not followed`
      )
      assert.strictEqual(elsewhere.connections(), 0)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("keeps 1 KiB of the body of a success", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.end("x".repeat(bodyKeptOfSuccess + 1)))

      const { error, isTruncated, responseBody } = yield* send(url)

      assert.deepStrictEqual([error, isTruncated, responseBody?.length], [null, true, 1024])
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("keeps 16 KiB of the body of a failure", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.writeHead(500).end("x".repeat(bodyReadMax + 1)))

      const { isTruncated, responseBody } = yield* send(url)

      assert.deepStrictEqual([isTruncated, responseBody?.length], [true, 16 * 1024])
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

  it.effect("replaces NUL and broken UTF-8, which not every store can keep", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.end(Buffer.from([0x61, 0x00, 0xff, 0x62])))

      assert.strictEqual((yield* send(url)).responseBody, "a\uFFFD\uFFFDb")
    }).pipe(Effect.provide(onLoopback))
  )
})
