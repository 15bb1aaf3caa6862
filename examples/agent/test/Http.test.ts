import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { assert, describe, it } from "vitest"
import { Refused, send } from "../src/Http.ts"

type Answer = (response: ServerResponse) => void

const answer =
  (status: number, body: object = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

const noAnswer: Answer = (response) => {
  response.destroy()
}

/** Gives the answers one after the other, and the last one from then on. */
const startService = async (...answers: readonly [Answer, ...ReadonlyArray<Answer>]) => {
  const asked: Array<string> = []
  const server = createServer(({ method = "", url = "" }, response) => {
    const next = answers[Math.min(asked.length, answers.length - 1)]
    asked.push(`${method} ${url}`)
    next?.(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    asked,
    server,
    call: {
      method: "POST",
      url: `http://127.0.0.1:${port}/claims`,
      headers: {},
      body: "{}",
      timeoutMs: 5_000
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}

const never = new AbortController().signal

describe("send", () => {
  it("repeats a call until the service answers it", async () => {
    await using service = await startService(noAnswer, answer(503), answer(200, { claims: [] }))

    const response = await send(service.call, never)

    assert.deepStrictEqual(await response.json(), { claims: [] })
    assert.deepStrictEqual(service.asked, ["POST /claims", "POST /claims", "POST /claims"])
  })

  it("does not repeat a call that is refused, and says why it was", async () => {
    await using service = await startService(
      answer(401, { error: { code: "unauthorized", message: "No such key.", details: null } })
    )

    const refusal: unknown = await send(service.call, never).catch((cause: unknown) => cause)

    assert.instanceOf(refusal, Refused)
    assert.strictEqual(refusal.message, "POST /claims answered 401: No such key.")
    assert.strictEqual(service.asked.length, 1)
  })

  it("knows a lost lease from other conflicts", async () => {
    const conflict = (reason: string) => answer(409, { error: { message: "No.", details: { reason } } })
    await using service = await startService(conflict("lease_lost"), conflict("already_finished"))

    const refusals: ReadonlyArray<unknown> = [
      await send(service.call, never).catch((cause: unknown) => cause),
      await send(service.call, never).catch((cause: unknown) => cause)
    ]

    assert.deepStrictEqual(
      refusals.map((refusal) => refusal instanceof Refused && refusal.isLeaseLost),
      [true, false]
    )
  })

  it("ends a parked call as soon as nobody wants it any more", async () => {
    await using service = await startService(() => {})
    const wish = new AbortController()
    service.server.once("request", () => wish.abort())

    const failure: unknown = await send(service.call, wish.signal).catch((cause: unknown) => cause)

    assert.strictEqual(failure, wish.signal.reason)
    assert.strictEqual(service.asked.length, 1)
  })
})
