import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Certificates from "@runhook/test-support/receivers/Certificates"
import { listening } from "@runhook/test-support/receivers/Listening"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { agent, loopbackAllowed, send } from "./Agents.ts"

/** A proxy that writes down what it is asked for, and connects to this port of loopback in any case. */
const proxyTo = Effect.fnUntraced(function* (receiver: number) {
  const asked: Array<string> = []
  const credentials: Array<string | undefined> = []
  const server = createServer().on("connect", (request, socket) => {
    asked.push(request.url ?? "")
    credentials.push(request.headers["proxy-authorization"])
    const onward = connect({ host: "127.0.0.1", port: receiver }, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      onward.pipe(socket).pipe(onward)
    })
    onward.on("error", () => socket.destroy())
    socket.on("error", () => onward.destroy())
  })
  return { asked, credentials, port: yield* listening(server) }
})

/** Sends by way of a proxy on this port of loopback. */
const sendBy = (proxy: number, url: string) =>
  send(url).pipe(
    Effect.provide(
      agent({
        policy: loopbackAllowed,
        authorities: [Certificates.authority],
        proxy: Redacted.make(new URL(`http://us%40er:secret@127.0.0.1:${proxy}`))
      })
    )
  )

describe("the egress proxy", () => {
  it.effect("is asked for the address that was judged, and not for the name", () =>
    Effect.gen(function* () {
      const receiver = yield* start(answering(200))
      const proxy = yield* proxyTo(receiver.port)

      const { error, remoteAddress } = yield* sendBy(proxy.port, "http://public.example.com/hook")

      assert.deepStrictEqual({ error, remoteAddress }, { error: null, remoteAddress: "93.184.215.14" })
      assert.deepStrictEqual(proxy.asked, ["93.184.215.14:80"])
    })
  )

  it.effect("is told who asks", () =>
    Effect.gen(function* () {
      const receiver = yield* start(answering(200))
      const proxy = yield* proxyTo(receiver.port)

      yield* sendBy(proxy.port, "http://public.example.com/hook")

      assert.deepStrictEqual(proxy.credentials, [`Basic ${btoa("us@er:secret")}`])
    })
  )

  it.effect("sees nothing of what goes through it by TLS, which is verified against the name", () =>
    Effect.gen(function* () {
      const server = createTlsServer(
        { key: Certificates.privateKey, cert: Certificates.certificate },
        (_request, response) => response.end()
      )
      const proxy = yield* proxyTo(yield* listening(server))

      const { error, phase } = yield* sendBy(proxy.port, "https://public.example.com/hook")

      assert.deepStrictEqual(proxy.asked, ["93.184.215.14:443"])
      assert.deepStrictEqual(
        { error, phase },
        { error: "The certificate of the receiver is for another host", phase: "connect" }
      )
    })
  )

  it.effect("is not asked for what policy forbids", () =>
    Effect.gen(function* () {
      const receiver = yield* start(answering(200))
      const proxy = yield* proxyTo(receiver.port)

      const { phase } = yield* sendBy(proxy.port, "https://mixed.example.com/hook")

      assert.strictEqual(phase, "policy")
      assert.deepStrictEqual(proxy.asked, [])
    })
  )

  it.effect("is left out on the way to a private address that the operator allows", () =>
    Effect.gen(function* () {
      const receiver = yield* start(answering(200))
      const proxy = yield* proxyTo(receiver.port)

      const { error } = yield* sendBy(proxy.port, receiver.url)

      assert.isNull(error)
      assert.deepStrictEqual(proxy.asked, [])
    })
  )

  it.effect("is named when it refuses to connect", () =>
    Effect.gen(function* () {
      const refusing = createServer().on("connect", (_request, socket) =>
        socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
      )

      const { error, phase } = yield* sendBy(yield* listening(refusing), "http://public.example.com/hook")

      assert.deepStrictEqual(
        { error, phase },
        { error: "The egress proxy answered 403 instead of connecting", phase: "connect" }
      )
    })
  )

  it.effect("is named when it is not there", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(listening(createServer()))

      const { error, phase } = yield* sendBy(port, "http://public.example.com/hook")

      assert.deepStrictEqual(
        { error, phase },
        { error: "The egress proxy cannot be reached", phase: "connect" }
      )
    })
  )
})
