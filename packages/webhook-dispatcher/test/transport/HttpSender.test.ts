import { assert, describe } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Queue from "effect/Queue"
import { bodyKeptOfSuccess, bodyReadMax } from "../../src/HttpSender.ts"
import { send, test } from "./Sending.ts"

describe("HttpSender", () => {
  test("posts the body and headers as they are, and records the answer", function* () {
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
  })

  for (const status of [200, 202, 204, 299]) {
    test(`takes ${status} for a success`, function* () {
      const { url } = yield* start(answering(status))

      assert.strictEqual((yield* send(url)).error, null)
    })
  }

  for (const status of [300, 304, 400, 401, 404, 410, 429, 500, 503]) {
    test(`takes ${status} for a failure`, function* () {
      const { url } = yield* start(answering(status))

      const { error, phase } = yield* send(url)

      assert.deepStrictEqual({ error, phase }, { error: `The receiver answered ${status}`, phase: "done" })
    })
  }

  test("follows no redirect, and says where it led", function* () {
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
  })

  test("keeps 1 KiB of the body of a success", function* () {
    const { url } = yield* start((response) => response.end("x".repeat(bodyKeptOfSuccess + 1)))

    const { error, isTruncated, responseBody } = yield* send(url)

    assert.deepStrictEqual([error, isTruncated, responseBody?.length], [null, true, 1024])
  })

  test("keeps 16 KiB of the body of a failure", function* () {
    const { url } = yield* start((response) => response.writeHead(500).end("x".repeat(bodyReadMax + 1)))

    const { isTruncated, responseBody } = yield* send(url)

    assert.deepStrictEqual([isTruncated, responseBody?.length], [true, 16 * 1024])
  })

  test("does not call a body cut that fits exactly", function* () {
    const { url } = yield* start((response) => response.writeHead(500).end("x".repeat(bodyReadMax)))

    const { isTruncated, responseBody } = yield* send(url)

    assert.isFalse(isTruncated)
    assert.strictEqual(responseBody?.length, bodyReadMax)
  })

  test("replaces NUL and broken UTF-8, which not every store can keep", function* () {
    const { url } = yield* start((response) => response.end(Buffer.from([0x61, 0x00, 0xff, 0x62])))

    assert.strictEqual((yield* send(url)).responseBody, "a\uFFFD\uFFFDb")
  })
})
