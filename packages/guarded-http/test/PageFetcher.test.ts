import { assert, describe, it } from "@effect/vitest"
import { PageFetcher } from "@runhook/guarded-http/PageFetcher"
import { type Answer, answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import * as Agents from "./Agents.ts"

const pages = PageFetcher.layer({ userAgent: "A-Test/1" })
const onLoopback = Layer.provide(pages, Agents.onLoopback)
const onInternet = Layer.provide(pages, Agents.onInternet)

const fetchPage = Effect.fnUntraced(function* (url: string) {
  const fetcher = yield* PageFetcher
  return yield* fetcher.fetch(url)
})

/** Redirects from /n to /n-1, and answers at /0. */
const countingDown: Answer = (response, { path }) => {
  const left = Number(path.slice(1))
  if (left === 0) response.end("here")
  else response.writeHead(302, { location: `/${left - 1}` }).end()
}

describe("PageFetcher", () => {
  it.effect("gets a page", () =>
    Effect.gen(function* () {
      const { received, url } = yield* start((response) =>
        response.setHeader("content-type", "text/html").end("<p>")
      )

      const page = yield* fetchPage(url)

      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers["content-type"], "text/html")
      assert.strictEqual(new TextDecoder().decode(page.body), "<p>")
      const { headers, method } = yield* Queue.take(received)
      assert.deepStrictEqual([method, headers["user-agent"]], ["GET", "A-Test/1"])
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("gives the page of an error as well", () =>
    Effect.gen(function* () {
      const { url } = yield* start(answering(404))

      assert.strictEqual((yield* fetchPage(url)).status, 404)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("follows five redirects and says where it ended", () =>
    Effect.gen(function* () {
      const { port } = yield* start(countingDown)

      const page = yield* fetchPage(`http://127.0.0.1:${port}/5`)

      assert.strictEqual(page.url, `http://127.0.0.1:${port}/0`)
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("follows no sixth redirect", () =>
    Effect.gen(function* () {
      const { port } = yield* start(countingDown)

      const error = yield* Effect.flip(fetchPage(`http://127.0.0.1:${port}/6`))

      assert.strictEqual(error.reason, "More than 5 redirects")
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("judges where a redirect leads", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) =>
        response.writeHead(302, { location: "http://10.0.0.8/" }).end()
      )

      const error = yield* Effect.flip(fetchPage(url))

      assert.strictEqual(error.url, "http://10.0.0.8/")
      assert.strictEqual(error.reason, "Its URL may not be fetched")
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("does not connect to a forbidden target", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* start(answering(200))

      yield* Effect.flip(fetchPage(url))

      assert.strictEqual(connections(), 0)
    }).pipe(Effect.provide(onInternet))
  )

  it.effect("reads at most 5 MiB", () =>
    Effect.gen(function* () {
      const { url } = yield* start((response) => response.end(Buffer.alloc(5 * 1024 * 1024 + 1)))

      const { body, isTruncated } = yield* fetchPage(url)

      assert.deepStrictEqual([body.length, isTruncated], [5 * 1024 * 1024, true])
    }).pipe(Effect.provide(onLoopback))
  )

  it.effect("gives up on a page that does not come", () =>
    Effect.gen(function* () {
      const { received, url } = yield* start(() => undefined)
      const fetching = yield* Effect.forkChild(Effect.flip(fetchPage(url)), { startImmediately: true })
      yield* Queue.take(received)

      yield* TestClock.adjust("15 seconds")

      assert.strictEqual((yield* Fiber.join(fetching)).reason, "No answer came in time")
    }).pipe(Effect.provide(onLoopback))
  )
})
