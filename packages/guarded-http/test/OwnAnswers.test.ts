import { createServer, type Socket } from "node:net"
import { assert, describe } from "@effect/vitest"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import { listening } from "@runhook/test-support/receivers/Listening"
import { headRead, socketsTurn } from "@runhook/test-support/receivers/Sockets"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { send, test } from "./Agents.ts"

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
const refusal = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n"

/** More than the buffers of two sockets take. */
const bulk = "x".repeat(32 * 1024 * 1024)

/** What a receiver says to the first request of its first connection, and to the next on any connection. */
interface Script {
  readonly first: string
  readonly next: (connection: number) => string
}

const scripted = Effect.fnUntraced(function* ({ first, next }: Script) {
  const sockets: Array<Socket> = []
  const server = createServer((socket) => {
    sockets.push(socket)
    const connection = sockets.length
    let requests = 0
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      if (!data.includes("}")) return
      requests += 1
      socket.write(connection === 1 && requests === 1 ? first : next(connection))
    })
  })
  return { sockets, url: `http://127.0.0.1:${yield* listening(server)}/hook` }
})

/** On the connection of the first request, what was meant for that one; else a refusal. */
const lateTo = (first: string): Script => ({
  first,
  next: (connection) => (connection === 1 ? ok : refusal)
})

const post = Effect.fnUntraced(function* (url: string, body: string) {
  const { request } = yield* GuardedAgent
  return yield* request({ method: "POST", url, headers: {}, body, bodyMax: 1024 })
})

/** Answers after which a connection may not be used again. */
const unclean = {
  "a 500": "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n",
  "a 404 with a body": "HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\nnone",
  "a 429 in chunks": "HTTP/1.1 429 Slow\r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
  "a 302": "HTTP/1.1 302 Found\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n",
  "a 304": "HTTP/1.1 304 Not Modified\r\n\r\n",
  "a 200 with another behind it": ok + ok,
  "a 200 with a 100 behind it": `${ok}HTTP/1.1 100 Continue\r\n\r\n`,
  "a 200 with half an answer behind it": `${ok}HTTP/1.1 2`,
  "a 200 with a body longer than it says": "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nok",
  "a 204 with a body": "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok"
}

const clean = {
  "a 200": ok,
  "a 202 with a body": "HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok",
  "a 200 in chunks": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "a 204": "HTTP/1.1 204 No Content\r\n\r\n",
  "a 200 after a 100": `HTTP/1.1 100 Continue\r\n\r\n${ok}`
}

describe("an event", () => {
  for (const [what, first] of Object.entries(unclean)) {
    test(`is not delivered by what comes late after ${what}`, function* () {
      const { url } = yield* scripted(lateTo(first))
      yield* Effect.andThen(send(url), socketsTurn)

      const { status } = yield* send(url)

      assert.strictEqual(status, 503)
    })
  }

  for (const [what, first] of Object.entries(clean)) {
    test(`shares its connection with the next after ${what}`, function* () {
      const { sockets, url } = yield* scripted({ first, next: () => ok })
      yield* Effect.andThen(send(url), socketsTurn)

      const { status } = yield* send(url)

      assert.deepStrictEqual([status, sockets.length], [200, 1])
    })
  }

  for (const [when, between] of [
    ["long before it", socketsTurn],
    ["at the moment when it is sent", Effect.void]
  ] as const) {
    test(`is not delivered by an answer that came over an idle connection ${when}`, function* () {
      const { sockets, url } = yield* scripted({ first: ok, next: () => refusal })
      yield* Effect.andThen(send(url), socketsTurn)
      sockets[0]?.write(ok)
      yield* between

      const { status } = yield* send(url)

      assert.deepStrictEqual([status, sockets.length], [503, 2])
    })
  }

  test("is sent again where an answer came over its kept connection while it was being written", function* () {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      const connection = connections
      let isKept = false
      socket.on("error", () => undefined)
      socket.on("data", (data) => {
        if (connection === 1 && isKept) return socket.pause().write(ok)
        if (!data.includes("}")) return
        isKept = true
        socket.write(connection === 1 ? ok : refusal)
      })
    })
    const url = `http://127.0.0.1:${yield* listening(server)}/hook`
    yield* Effect.andThen(send(url), socketsTurn)

    const { status, timings } = yield* post(url, `${bulk}}`)

    assert.deepStrictEqual([status, timings.connect, connections], [503, 0, 2])
  })
})

/** A receiver that answers when it has seen the beginning of a request, and reads on when it is told to. */
const hasty = Effect.fnUntraced(function* (answer: string) {
  const answered = yield* Queue.unbounded<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on("error", () => undefined)
    socket.once("data", () => {
      socket.pause().write(answer)
      Queue.offerUnsafe(answered, socket)
    })
  })
  return {
    url: `http://127.0.0.1:${yield* listening(server)}/hook`,
    answered: Queue.take(answered),
    connections: () => connections
  }
})

describe("an answer to half a request", () => {
  test("counts when the request was written whole, and ends the connection", function* () {
    const { answered, connections, url } = yield* hasty(ok)
    const read = yield* Effect.forkChild(headRead, { startImmediately: true })
    const sending = yield* Effect.forkChild(post(url, bulk), { startImmediately: true })
    const socket = yield* answered
    yield* Effect.andThen(Fiber.join(read), socketsTurn)
    assert.isUndefined(sending.pollUnsafe())

    socket.resume()

    const { error, status } = yield* Fiber.join(sending)
    assert.deepStrictEqual([error, status], [null, 200])
    yield* socketsTurn
    yield* send(url)
    assert.strictEqual(connections(), 2)
  })

  test("fails where the rest is never read", function* () {
    const { answered, url } = yield* hasty(ok)
    const read = yield* Effect.forkChild(headRead, { startImmediately: true })
    const sending = yield* Effect.forkChild(post(url, bulk), { startImmediately: true })
    yield* answered
    yield* Effect.andThen(Fiber.join(read), socketsTurn)

    yield* TestClock.adjust("15 seconds")

    const { error } = yield* Fiber.join(sending)
    assert.strictEqual(error, "The answer was not complete in time")
  })

  test("fails where the connection ends instead", function* () {
    const { answered, url } = yield* hasty(ok)
    const read = yield* Effect.forkChild(headRead, { startImmediately: true })
    const sending = yield* Effect.forkChild(post(url, bulk), { startImmediately: true })
    const socket = yield* answered
    yield* Effect.andThen(Fiber.join(read), socketsTurn)

    socket.resetAndDestroy()

    const { error } = yield* Fiber.join(sending)
    assert.strictEqual(error, "The receiver closed the connection")
  })

  test("counts at once where it is a refusal", function* () {
    const { url } = yield* hasty("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n")

    const { error, status } = yield* post(url, bulk)

    assert.deepStrictEqual([error, status], [null, 413])
  })
})
