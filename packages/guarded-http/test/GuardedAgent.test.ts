import { createServer, type ServerOptions } from "node:https"
import { createServer as createTcpServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { CallbackTargets } from "@runhook/core/Settings"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import * as Certificates from "@runhook/test-support/receivers/Certificates"
import { listening } from "@runhook/test-support/receivers/Listening"
import { record } from "@runhook/test-support/receivers/Names"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Dns from "effect/net/Dns"
import * as Queue from "effect/Queue"
import { agent, loopbackAllowed, onInternet, send, test } from "./Agents.ts"

const trusting = agent({ policy: loopbackAllowed, authorities: [Certificates.authority] })

const request = Effect.fnUntraced(function* (url: string) {
  const guarded = yield* GuardedAgent
  return yield* guarded.request({ method: "POST", url, headers: {}, body: "{}", bodyMax: 1024 })
})

/** The port of a receiver that proves itself by this certificate. */
const secure = (certificate: string, options: ServerOptions = {}) =>
  listening(
    createServer({ key: Certificates.privateKey, cert: certificate, ...options }, (_request, response) =>
      response.end("safe")
    )
  )

describe("GuardedAgent", () => {
  it.effect("reaches a receiver by TLS under the name of its URL", () =>
    Effect.gen(function* () {
      const port = yield* secure(Certificates.certificate)

      const { error, remoteAddress, status } = yield* request(`https://hooks.example.com:${port}`)

      assert.deepStrictEqual(
        { error, remoteAddress, status },
        { error: null, remoteAddress: "127.0.0.1", status: 200 }
      )
    }).pipe(Effect.provide(trusting))
  )

  it.effect("refuses a certificate that is for another host", () =>
    Effect.gen(function* () {
      const port = yield* secure(Certificates.certificate)

      const { error, phase } = yield* request(`https://127.0.0.1:${port}`)

      assert.deepStrictEqual(
        { error, phase },
        { error: "The certificate of the receiver is for another host", phase: "connect" }
      )
    }).pipe(Effect.provide(trusting))
  )

  it.effect("refuses a certificate that has expired", () =>
    Effect.gen(function* () {
      const port = yield* secure(Certificates.expiredCertificate)

      const { error } = yield* request(`https://hooks.example.com:${port}`)

      assert.strictEqual(error, "The certificate of the receiver has expired")
    }).pipe(Effect.provide(trusting))
  )

  test("refuses a certificate of an authority that nobody trusts", function* () {
    const port = yield* secure(Certificates.certificate)

    const { error } = yield* request(`https://hooks.example.com:${port}`)

    assert.strictEqual(error, "The certificate of the receiver is not signed by a trusted authority")
  })

  it.effect("refuses a certificate that is signed by itself", () =>
    Effect.gen(function* () {
      const port = yield* secure(Certificates.selfSignedCertificate)

      const { error, phase, remoteAddress, requestHeaders } = yield* request(
        `https://hooks.example.com:${port}`
      )

      assert.deepStrictEqual(
        { error, phase, remoteAddress, requestHeaders },
        {
          error: "The certificate of the receiver is not signed by a trusted authority",
          phase: "connect",
          remoteAddress: "127.0.0.1",
          requestHeaders: {}
        }
      )
    }).pipe(Effect.provide(trusting))
  )

  it.effect("speaks no TLS older than 1.2", () =>
    Effect.gen(function* () {
      const port = yield* secure(Certificates.certificate, {
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT@SECLEVEL=0"
      })

      const { error, phase } = yield* request(`https://hooks.example.com:${port}`)

      assert.deepStrictEqual(
        { error, phase },
        { error: "The receiver speaks no TLS of version 1.2 or newer", phase: "connect" }
      )
    }).pipe(Effect.provide(trusting))
  )

  it.effect("does not send a request that was given up before there was a connection", () =>
    Effect.gen(function* () {
      const bytesRead = yield* Queue.unbounded<number>()
      const server = createTcpServer((socket) =>
        socket
          .on("data", () => socket.end())
          .on("close", () => Queue.offerUnsafe(bytesRead, socket.bytesRead))
      )
      const port = yield* listening(server)
      const isResolved = yield* Latch.make()
      const slow = Dns.make({
        lookup: () => Effect.succeed([]),
        resolve: () => Effect.as(isResolved.await, [record("127.0.0.1")])
      })
      yield* Effect.gen(function* () {
        const sending = request(`http://hooks.example.com:${port}`)
        const waiting = yield* Effect.forkChild(sending, { startImmediately: true })
        yield* Fiber.interrupt(waiting)

        yield* isResolved.open

        assert.strictEqual(yield* Queue.take(bytesRead), 0)
      }).pipe(
        Effect.provide(GuardedAgent.layer()),
        Effect.provideService(Dns.Dns, slow),
        Effect.provideService(CallbackTargets, loopbackAllowed)
      )
    })
  )

  it.live("gives up on a handshake that does not end", () =>
    Effect.gen(function* () {
      const port = yield* listening(createTcpServer(() => undefined))

      const { error, phase } = yield* request(`https://127.0.0.1:${port}`)

      assert.deepStrictEqual({ error, phase }, { error: "No connection was made in time", phase: "connect" })
    }).pipe(Effect.provide(agent({ policy: loopbackAllowed, timeLimits: { connect: Duration.millis(20) } })))
  )

  test("asks for no compression, which would hide how large an answer is", function* () {
    const { received, url } = yield* start(answering(204))

    yield* send(url)

    assert.strictEqual((yield* Queue.take(received)).headers["accept-encoding"], "identity")
  })

  for (const host of ["127.0.0.1", "hooks.example.com", "localhost", "2130706433", "[::ffff:7f00:1]"]) {
    it.effect(`does not even connect to ${host} when policy forbids it`, () =>
      Effect.gen(function* () {
        const { connections, port } = yield* start(answering(200))

        const { error, phase, remoteAddress, requestHeaders } = yield* send(`http://${host}:${port}/hook`)

        assert.deepStrictEqual(
          { error, phase, remoteAddress, requestHeaders },
          {
            error: "The URL is blocked by policy",
            phase: "policy",
            remoteAddress: null,
            requestHeaders: {}
          }
        )
        assert.strictEqual(connections(), 0)
      }).pipe(Effect.provide(onInternet))
    )
  }
})
