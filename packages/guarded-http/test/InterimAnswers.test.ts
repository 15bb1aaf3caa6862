import type { Socket } from "node:net"
import { assert, describe } from "@effect/vitest"
import { socketsTurn, speaking } from "@runhook/test-support/receivers/Sockets"
import * as Effect from "effect/Effect"
import { send, test } from "./Agents.ts"

const final = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
const goOn = "HTTP/1.1 100 Continue\r\n\r\n"
const processing = "HTTP/1.1 102 Processing\r\nx-step: 1\r\n\r\n"
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\nlink: </b.css>\r\n\r\n"

const sequences = {
  "a 100": [goOn],
  "a 102": [processing],
  "a 103": [hints],
  "a 199 without a reason": ["HTTP/1.1 199 \r\n\r\n"],
  "a 100 of HTTP/1.0": ["HTTP/1.0 100 Continue\r\n\r\n"],
  "a 100, a 102 and a 103": [goOn, processing, hints],
  "eight of them": Array.from({ length: 8 }, () => goOn)
}

/** Ways to write the parts of an answer. */
const manners: {
  readonly [manner: string]: (socket: Socket, parts: ReadonlyArray<string>) => Effect.Effect<void>
} = {
  "in one packet": (socket, parts) => Effect.sync(() => socket.write(parts.join(""))),
  "in a packet each": (socket, parts) => inTurn(socket, parts),
  "byte by byte": (socket, parts) => inTurn(socket, [...parts.join("")])
}

const inTurn = (socket: Socket, packets: ReadonlyArray<string>) =>
  Effect.forEach(
    packets,
    (packet) =>
      Effect.andThen(
        Effect.sync(() => socket.write(packet)),
        socketsTurn
      ),
    {
      discard: true
    }
  )

describe("an interim answer", () => {
  for (const [what, interim] of Object.entries(sequences)) {
    for (const [how, write] of Object.entries(manners)) {
      test(`leaves the decision to the answer behind it: ${what}, ${how}`, function* () {
        const url = yield* speaking((socket) => {
          socket.setNoDelay()
          Effect.runFork(write(socket, [...interim, final]))
        })

        const { error, status, text } = yield* send(url)

        assert.deepStrictEqual({ error, status, text }, { error: null, status: 200, text: "ok" })
      })
    }
  }

  test("leaves the decision to a refusal too", function* () {
    const url = yield* speaking((socket) =>
      socket.write(`${goOn}HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n`)
    )

    assert.strictEqual((yield* send(url)).status, 503)
  })

  test("is no answer if nothing follows", function* () {
    const url = yield* speaking((socket) => socket.end(goOn))

    const { error, phase, status } = yield* send(url)

    assert.deepStrictEqual(
      { error, phase, status },
      { error: "The receiver closed the connection", phase: "headers", status: null }
    )
  })

  test("is one too many after eight", function* () {
    const url = yield* speaking((socket) => socket.write(goOn.repeat(9) + final))

    const { error, status } = yield* send(url)

    assert.deepStrictEqual(
      { error, status },
      { error: "The receiver sent more than 8 interim answers", status: null }
    )
  })

  test("is left in a body that looks like one", function* () {
    const url = yield* speaking((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${goOn.length}\r\n\r\n${goOn}`)
    )

    assert.strictEqual((yield* send(url)).text, goOn)
  })

  for (const [status, answer] of [
    [101, "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n"],
    [101, `HTTP/1.1 101 Switching Protocols\r\n\r\n${final}`],
    [101, `${goOn}HTTP/1.1 101 Switching Protocols\r\n\r\n${final}`],
    [99, `HTTP/1.1 099 Odd\r\n\r\n${final}`]
  ] as const) {
    test(`is a failure where it is ${JSON.stringify(answer)}`, function* () {
      const url = yield* speaking((socket) => socket.write(answer))

      const { code, error, status: found } = yield* send(url)

      assert.deepStrictEqual(
        { code, error, found },
        { code: "UnaskedStatus", error: `The receiver sent ${status}, which nobody asked for`, found: null }
      )
    })
  }
})
