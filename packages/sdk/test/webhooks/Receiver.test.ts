import { createServer } from "node:http"
import { listen } from "@runhook/test-support/receivers/Listening"
import { assert, describe, it } from "vitest"
import {
  type Dedupe,
  type DedupeState,
  nodeWebhookHandler,
  type ReceiverOptions,
  signTest,
  webhookHandler,
  type WebhookEvent,
  WebhookRejectedError
} from "../../src/webhooks/Webhooks.ts"

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const event: WebhookEvent = {
  event_id: "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f",
  type: "webhook.test",
  occurred_at: "2026-03-07T09:30:00.000Z",
  request_id: "req_1",
  reference: "webhook-test",
  metadata: { text: "Grüße, 世界 🚀" },
  execution: null,
  message: "Hello"
}

const url = "http://localhost/hook"

/** A dedupe in memory. */
const remembering = (): Dedupe => {
  const states = new Map<string, DedupeState>()
  return {
    begin: (id) => {
      const state = states.get(id) ?? "new"
      if (state === "new") states.set(id, "busy")
      return state
    },
    done: (id) => void states.set(id, "done"),
    forget: (id) => void states.delete(id)
  }
}

/** A receiver that keeps what it handled. */
const makeReceiver = (options: Partial<ReceiverOptions> = {}) => {
  const handled: Array<WebhookEvent> = []
  const receive = webhookHandler({ secrets: secret, onEvent: (one) => void handled.push(one), ...options })
  const send = async (init: RequestInit = {}) =>
    (await receive(new Request(url, { method: "POST", ...(await signTest(event, { secret })), ...init })))
      .status
  return { handled, receive, send }
}

describe("a receiver", () => {
  it("handles a genuine event and answers 200", async () => {
    const { handled, send } = makeReceiver()

    assert.strictEqual(await send(), 200)
    assert.deepStrictEqual(handled, [event])
  })

  it.each([
    ["a forged body", { body: "{}" }, 401],
    ["no signature", { headers: {} }, 401],
    ["a body without end", { body: "x".repeat(2 ** 21 + 1) }, 413],
    ["another method", { method: "PUT" }, 405]
  ])("handles nothing of %s", async (_, init, status) => {
    const { handled, send } = makeReceiver()

    assert.strictEqual(await send(init), status)
    assert.deepStrictEqual(handled, [])
  })

  it("handles a repeated event once", async () => {
    const { handled, send } = makeReceiver({ dedupe: remembering() })

    assert.deepStrictEqual([await send(), await send()], [200, 200])
    assert.strictEqual(handled.length, 1)
  })

  it("answers 503 while the same event is being handled", async () => {
    const statuses: Array<number> = []
    const { send } = makeReceiver({
      dedupe: remembering(),
      onEvent: async () => void statuses.push(await send())
    })

    statuses.push(await send())

    assert.deepStrictEqual(statuses, [503, 200])
  })

  it("answers 500 when handling fails, and handles the event when it comes again", async () => {
    const failures: Array<unknown> = []
    let calls = 0
    const { send } = makeReceiver({
      dedupe: remembering(),
      onError: (failure) => failures.push(failure),
      onEvent: () => {
        calls++
        if (calls === 1) throw new Error("out of paper")
      }
    })

    assert.deepStrictEqual([await send(), await send()], [500, 200])
    assert.deepStrictEqual([calls, failures.length], [2, 1])
  })

  it.each([
    ["", "secrets must not be empty"],
    ["whsec_a b", "secrets must be of visible ASCII characters"]
  ])("says that it has no secret, where the delivery shows it: %j", async (secrets, words) => {
    const { receive } = makeReceiver({ secrets })

    const answer = await receive(new Request(url, { method: "POST", ...(await signTest(event, { secret })) }))

    assert.deepStrictEqual([answer.status, await answer.text()], [500, words])
  })

  it.each([
    ["read", (request: Request) => request.json()],
    ["being read", (request: Request) => void request.body?.getReader()]
  ])("says that its body was %s by something else, and is sent the event again", async (_, read) => {
    const failures: Array<unknown> = []
    const { handled, receive } = makeReceiver({ onError: (failure) => failures.push(failure) })
    const request = new Request(url, { method: "POST", ...(await signTest(event, { secret })) })
    await read(request)

    const answer = await receive(request)

    const [failure] = failures
    assert.instanceOf(failure, WebhookRejectedError)
    assert.deepStrictEqual([answer.status, await answer.text()], [500, failure.message])
    assert.isEmpty(handled)
  })

  it("is also one for node:http", async () => {
    const handled: Array<WebhookEvent> = []
    const receive = nodeWebhookHandler({ secrets: secret, onEvent: (one) => void handled.push(one) })
    await using server = await listen(createServer((request, response) => void receive(request, response)))

    const callback = await signTest(event, { secret })
    const { status } = await fetch(server.origin, { method: "POST", ...callback })

    assert.deepStrictEqual([status, handled], [200, [event]])
  })
})
