/** Why attempts fail, as real receivers, names, certificates and clocks make them fail. */
import { createServer as createTlsServer } from "node:https"
import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { strict } from "@runhook/core/shared/target/TargetPolicy"
import * as Certificates from "@runhook/test-support/receivers/Certificates"
import { listening } from "@runhook/test-support/receivers/Listening"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import { speaking } from "@runhook/test-support/receivers/Sockets"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { layer } from "../../src/HttpSender.ts"
import { agent, loopbackAllowed } from "./Network.ts"
import { onInternet, send, test } from "./Sending.ts"

const trusting = layer.pipe(
  Layer.provide(agent({ policy: loopbackAllowed, authorities: [Certificates.authority] }))
)

/** The port of a receiver that proves itself by this certificate. */
const secure = (cert: string) =>
  listening(createTlsServer({ key: Certificates.privateKey, cert }, (_request, response) => response.end()))

/** The port of a server that takes connections and says nothing, and what says that somebody asked it. */
const silent = Effect.gen(function* () {
  const asked = yield* Queue.unbounded<Socket>()
  const port = yield* listening(
    createServer((socket) => {
      socket.on("error", () => undefined)
      socket.once("data", () => Queue.offerUnsafe(asked, socket))
    })
  )
  return { asked, port }
})

const causeOf = (url: string) => Effect.map(send(url), ({ cause }) => cause)

/** The cause when nothing has happened for so long since the server was asked. */
const causeAfter = Effect.fnUntraced(function* (
  url: string,
  {
    asked,
    duration
  }: { readonly asked: Queue.Dequeue<unknown>; readonly duration: "6 seconds" | "13 seconds" }
) {
  const sending = yield* Effect.forkChild(causeOf(url), { startImmediately: true })
  yield* Queue.take(asked)
  yield* TestClock.adjust(duration)
  return yield* Fiber.join(sending)
})

describe("the cause of an attempt, over the network", () => {
  const statuses = [
    [200, null],
    [302, "redirected"],
    [401, "unauthorized"],
    [404, "not_found"],
    [415, "not_accepted"],
    [413, "too_large"],
    [422, "bad_request"],
    [429, "rate_limited"],
    [503, "server_error"]
  ] as const

  for (const [status, cause] of statuses) {
    test(`is ${cause} when the receiver answers ${status}`, function* () {
      const { url } = yield* start(answering(status))

      assert.strictEqual(yield* causeOf(url), cause)
    })
  }

  it.effect("is blocked when policy keeps the address", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* causeOf("https://mixed.example.com/hook"), "blocked")
      assert.strictEqual(yield* causeOf("http://127.0.0.1:9/hook"), "blocked")
    }).pipe(Effect.provide(onInternet))
  )

  it.effect("is dns when the name has no address", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* causeOf("https://nowhere.example.com/hook"), "dns")
    }).pipe(Effect.provide(onInternet))
  )

  test("is connect_refused when nobody listens", function* () {
    const { url } = yield* Effect.scoped(start(answering(200)))

    assert.strictEqual(yield* causeOf(url), "connect_refused")
  })

  it.effect("is connect_timeout when no connection is made in time", () =>
    Effect.gen(function* () {
      // A proxy on the way that answers nothing is as far as a packet may go that is lost.
      const { asked, port } = yield* silent
      const proxy = Redacted.make(new URL(`http://127.0.0.1:${port}`))
      const behindProxy = layer.pipe(Layer.provide(agent({ policy: strict, proxy })))

      const cause = yield* causeAfter("http://public.example.com/hook", {
        asked,
        duration: "6 seconds"
      }).pipe(Effect.provide(behindProxy))

      assert.strictEqual(cause, "connect_timeout")
    })
  )

  it.effect("is connect_failed when the proxy does not connect", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* silent
      const proxy = Redacted.make(new URL(`http://127.0.0.1:${port}`))
      const sending = yield* causeOf("http://public.example.com/hook").pipe(
        Effect.provide(layer.pipe(Layer.provide(agent({ policy: strict, proxy })))),
        Effect.forkChild({ startImmediately: true })
      )
      const socket = yield* Queue.take(asked)

      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")

      assert.strictEqual(yield* Fiber.join(sending), "connect_failed")
    })
  )

  it.effect("tells certificates that have ended, are for another host, or have no known issuer", () =>
    Effect.gen(function* () {
      const expired = yield* secure(Certificates.expiredCertificate)
      const good = yield* secure(Certificates.certificate)
      const own = yield* secure(Certificates.selfSignedCertificate)

      const causes = yield* Effect.forEach(
        [
          `https://hooks.example.com:${good}`,
          `https://hooks.example.com:${expired}`,
          `https://127.0.0.1:${good}`,
          `https://hooks.example.com:${own}`
        ],
        causeOf
      )

      assert.deepStrictEqual(causes, [null, "tls_expired", "tls_wrong_host", "tls_untrusted"])
    }).pipe(Effect.provide(trusting))
  )

  test("is tls_failed when the port speaks no TLS, closes, or says nothing", function* () {
    const { url } = yield* start(answering(200))
    const closing = yield* speaking((socket) => socket.resetAndDestroy())
    const { asked, port } = yield* silent

    assert.strictEqual(yield* causeOf(url.replace("http:", "https:")), "tls_failed")
    assert.strictEqual(yield* causeOf(closing.replace("http:", "https:")), "tls_failed")
    assert.strictEqual(
      yield* causeAfter(`https://127.0.0.1:${port}/hook`, { asked, duration: "6 seconds" }),
      "tls_failed"
    )
  })

  test("is no_answer when the receiver takes the request and says nothing", function* () {
    const { asked, port } = yield* silent

    assert.strictEqual(
      yield* causeAfter(`http://127.0.0.1:${port}/hook`, { asked, duration: "13 seconds" }),
      "no_answer"
    )
  })

  test("is send_failed when the connection is reset before an answer", function* () {
    const url = yield* speaking((socket) => socket.resetAndDestroy())

    assert.strictEqual(yield* causeOf(url), "send_failed")
  })

  test("is broken_off when a 200 is cut, and that of the status when a 500 is", function* () {
    const cutting = (status: string) =>
      speaking((socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\nhalf`))

    assert.strictEqual(yield* causeOf(yield* cutting("200 OK")), "broken_off")
    assert.strictEqual(yield* causeOf(yield* cutting("500 Broken")), "server_error")
  })

  test("is invalid_answer when what comes is not HTTP, or too much of it", function* () {
    const other = yield* speaking((socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n"))
    const long = yield* speaking((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`)
    )

    assert.deepStrictEqual(yield* Effect.forEach([other, long], causeOf), [
      "invalid_answer",
      "invalid_answer"
    ])
  })
})
