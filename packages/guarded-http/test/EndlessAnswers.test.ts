import type { Socket } from "node:net"
import { createServer as createSecureServer } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import * as Certificates from "@runhook/test-support/receivers/Certificates"
import { listening } from "@runhook/test-support/receivers/Listening"
import { socketsTurn, speaking } from "@runhook/test-support/receivers/Sockets"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { agent, loopbackAllowed, send, test } from "./Agents.ts"

const trusting = agent({ policy: loopbackAllowed, authorities: [Certificates.authority] })

const interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"

/** Says something once, and something else without an end. */
const endlessly = (first: string, again: string) => (socket: Socket) => {
  const block = Buffer.from(again.repeat(Math.ceil(4096 / again.length)))
  const pour = () => {
    while (!socket.destroyed && socket.write(block)) continue
  }
  socket.on("drain", pour)
  socket.write(first)
  pour()
}

/** A receiver that speaks like that, and what it hears when its connection is cut. */
const pouring = Effect.fnUntraced(function* (first: string, again: string) {
  const closed = yield* Queue.unbounded<void>()
  const url = yield* speaking((socket) => {
    socket.on("close", () => Queue.offerUnsafe(closed, undefined))
    endlessly(first, again)(socket)
  })
  return { url, closed: Queue.take(closed) }
})

/** Answers that never end, and how they are told. */
const failures = {
  "interim answers": ["", interim, "The receiver sent more than 8 interim answers"],
  "one interim answer": ["HTTP/1.1 103 ", "x", "The answer is longer than 64 KiB"],
  "one header line": ["HTTP/1.1 200 OK\r\nx-long: ", "x", "The headers of the answer are too large"],
  "header lines": ["HTTP/1.1 200 OK\r\n", "a: b\r\n", "The headers of the answer are too large"],
  "header lines that hold next to nothing": [
    "HTTP/1.1 200 OK\r\n",
    `a:${" ".repeat(4000)}\r\n`,
    "The answer is longer than 64 KiB"
  ],
  "words beside its status": ["HTTP/1.1 200 ", "x", "The answer is longer than 64 KiB"]
} as const

/** Answers whose status came before what never ends. */
const successes = {
  "one extension of a chunk": [`${chunked}1;`, "x"],
  "chunks of a byte with an extension each": [chunked, "1;extension=some\r\nx\r\n"],
  trailers: [`${chunked}0\r\n`, "a: b\r\n"],
  "trailers that hold next to nothing": [`${chunked}0\r\n`, `a:${" ".repeat(4000)}\r\n`]
} as const

describe("a receiver whose answer does not end", () => {
  for (const [what, [first, again, cause]] of Object.entries(failures)) {
    test(`is cut off while it sends ${what}`, function* () {
      const { closed, url } = yield* pouring(first, again)

      const { error, phase, status } = yield* send(url)

      assert.deepStrictEqual({ error, phase, status }, { error: cause, phase: "headers", status: null })
      yield* closed
    })
  }

  for (const [what, [first, again]] of Object.entries(successes)) {
    test(`has succeeded, and is cut off while it sends ${what}`, function* () {
      const { closed, url } = yield* pouring(first, again)

      const { error, isTruncated, phase, status } = yield* send(url)

      assert.deepStrictEqual(
        { error, isTruncated, phase, status },
        { error: null, isTruncated: true, phase: "done", status: 200 }
      )
      yield* closed
    })
  }

  it.effect("is cut off inside TLS too", () =>
    Effect.gen(function* () {
      const closed = yield* Queue.unbounded<void>()
      const server = createSecureServer({ key: Certificates.privateKey, cert: Certificates.certificate })
      server.on("secureConnection", (socket) => {
        socket.on("error", () => undefined).on("close", () => Queue.offerUnsafe(closed, undefined))
        socket.once("data", () => endlessly("HTTP/1.1 200 ", "x")(socket))
      })
      const port = yield* listening(server)

      const { error } = yield* send(`https://hooks.example.com:${port}/hook`)

      assert.strictEqual(error, "The answer is longer than 64 KiB")
      yield* Queue.take(closed)
    }).pipe(Effect.provide(trusting))
  )

  test("may send 16 KiB in chunks of 3 bytes", function* () {
    const url = yield* speaking((socket) =>
      socket.write(`${chunked}${"3\r\nabc\r\n".repeat(16 * 341)}0\r\n\r\n`)
    )

    const { error, isTruncated, text } = yield* send(url)

    assert.deepStrictEqual(
      { error, isTruncated, length: text.length },
      {
        error: null,
        isTruncated: false,
        length: 16 * 341 * 3
      }
    )
  })

  test("has each answer of a kept connection counted afresh", function* () {
    const { request } = yield* GuardedAgent
    const ports = new Set<number | undefined>()
    const url = yield* speaking((socket) => {
      const answer = () => {
        ports.add(socket.remotePort)
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 900\r\nx-padding: ${"x".repeat(15_000)}\r\n\r\n`)
        socket.write("b".repeat(900))
      }
      answer()
      socket.on("data", answer)
    })

    const once = request({ method: "GET", url, headers: {}, body: null, bodyMax: 1024 })
    const answers = yield* Effect.replicateEffect(Effect.tap(once, socketsTurn), 5)

    assert.deepStrictEqual(
      answers.map(({ body, error }) => [error, body.length]),
      Array.from({ length: 5 }, () => [null, 900])
    )
    assert.strictEqual(ports.size, 1)
  })
})
