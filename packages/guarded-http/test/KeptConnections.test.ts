import { createServer, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import * as Certificates from "@runhook/test-support/receivers/Certificates"
import { listening } from "@runhook/test-support/receivers/Listening"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import { socketsTurn } from "@runhook/test-support/receivers/Sockets"
import * as Effect from "effect/Effect"
import { agent, loopbackAllowed, send, test } from "./Agents.ts"

const onLoopbackTls = agent({ policy: loopbackAllowed, authorities: [Certificates.authority] })

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"

/** What a receiver does with the n-th request of its n-th connection, both counted from 1. */
type Conduct = (socket: Socket, connection: number, request: number) => void

const conducted = (conduct: Conduct) => {
  let connections = 0
  return {
    connections: () => connections,
    listener: (socket: Socket) => {
      connections += 1
      const connection = connections
      let requests = 0
      socket.on("error", () => undefined)
      socket.on("data", (data) => {
        // A request may come in pieces; this is its last one.
        if (!data.includes("}")) return
        requests += 1
        conduct(socket, connection, requests)
      })
    }
  }
}

/** Sends, and lets the client see the answer to the end, after which the connection is free again. */
const sendAndFree = (url: string) => Effect.andThen(send(url), socketsTurn)

describe("a connection that was kept", () => {
  test("carries the next request, which takes no time to connect", function* () {
    const { connections, url } = yield* start(answering(200))
    yield* sendAndFree(url)

    const { remoteAddress, timings } = yield* send(url)

    assert.strictEqual(connections(), 1)
    assert.strictEqual(remoteAddress, "127.0.0.1")
    assert.deepStrictEqual(timings, { dns: null, connect: null, tls: null, headers: 0, body: 0 })
  })

  for (const end of ["end", "resetAndDestroy"] as const) {
    test(`is replaced by a new one where it turns out to be closed by ${end}`, function* () {
      const { connections, listener } = conducted((socket, _connection, request) =>
        request === 1 ? socket.write(ok) : socket[end]()
      )
      const url = `http://127.0.0.1:${yield* listening(createServer(listener))}/hook`
      yield* sendAndFree(url)

      const { error, timings } = yield* send(url)

      assert.deepStrictEqual({ error, connections: connections() }, { error: null, connections: 2 })
      assert.strictEqual(timings.connect, 0)
    })
  }

  it.effect("is replaced under TLS as well", () =>
    Effect.gen(function* () {
      const { connections, listener } = conducted((socket, _connection, request) =>
        request === 1 ? socket.write(ok) : socket.end()
      )
      const certified = { key: Certificates.privateKey, cert: Certificates.certificate }
      const server = createTlsServer(certified, listener)
      const url = `https://hooks.example.com:${yield* listening(server)}/hook`
      yield* sendAndFree(url)

      const { error, timings } = yield* send(url)

      assert.deepStrictEqual({ error, connections: connections() }, { error: null, connections: 2 })
      assert.strictEqual(timings.tls, 0)
    }).pipe(Effect.provide(onLoopbackTls))
  )

  test("is not replaced after a single byte of an answer", function* () {
    const { connections, listener } = conducted((socket, _connection, request) =>
      request === 1 ? socket.write(ok) : socket.end("H")
    )
    const url = `http://127.0.0.1:${yield* listening(createServer(listener))}/hook`
    yield* sendAndFree(url)

    const { error } = yield* send(url)

    assert.isNotNull(error)
    assert.strictEqual(connections(), 1)
  })

  test("is replaced once only", function* () {
    const { connections, listener } = conducted((socket, connection, request) =>
      connection === 1 && request === 1 ? socket.write(ok) : socket.end()
    )
    const url = `http://127.0.0.1:${yield* listening(createServer(listener))}/hook`
    yield* sendAndFree(url)

    const { error } = yield* send(url)

    assert.strictEqual(error, "The receiver closed the connection")
    assert.strictEqual(connections(), 2)
  })

  test("is not what a new one is: that is not tried again", function* () {
    const { connections, listener } = conducted((socket) => socket.end())
    const url = `http://127.0.0.1:${yield* listening(createServer(listener))}/hook`

    const { error } = yield* send(url)

    assert.strictEqual(error, "The receiver closed the connection")
    assert.strictEqual(connections(), 1)
  })
})
