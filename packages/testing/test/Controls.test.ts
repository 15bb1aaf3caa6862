import { RateLimitedError } from "@runhook/sdk"
import * as SdkEffect from "@runhook/sdk/effect"
import { webhookHandler, type WebhookEvent } from "@runhook/sdk/webhooks"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import { createFakeRunhook } from "../src/Testing.ts"

const fakeShop = () =>
  createFakeRunhook({
    tasks: {
      print: { timeoutSeconds: 60 },
      add: { run: ({ a, b }) => ({ sum: Number(a) + Number(b) }) },
      jam: {
        run: () => {
          throw new Error("out of paper")
        }
      },
      gone: { enabled: false }
    },
    agents: ["Press"]
  })

type Shop = ReturnType<typeof fakeShop>

const print = ({ agentIds, taskIds }: Shop) => ({ agent_id: agentIds.Press, task_id: taskIds.print })

describe("a task with work of its own", () => {
  it("completes with what the work gives", async () => {
    const { agentIds, client, taskIds } = fakeShop()

    const { result, status } = await client.executions.createAndWait({
      agent_id: agentIds.Press,
      task_id: taskIds.add,
      params: { a: 1, b: 2 }
    })

    assert.deepStrictEqual([status, result], ["completed", { sum: 3 }])
  })

  it("fails with what the work throws", async () => {
    const { agentIds, client, taskIds } = fakeShop()

    const { error_message, status } = await client.executions.createAndWait({
      agent_id: agentIds.Press,
      task_id: taskIds.jam
    })

    assert.deepStrictEqual([status, error_message], ["error", "out of paper"])
  })

  it("begins when it is released", async () => {
    const { agentIds, client, taskIds } = fakeShop()
    const { execution_id } = await client.executions.create({
      agent_id: agentIds.Press,
      task_id: taskIds.add,
      hold: true
    })

    await client.executions.release(execution_id)

    assert.strictEqual((await client.executions.waitFor(execution_id)).status, "completed")
  })
})

describe("an execution of the fake", () => {
  it("ends the wait of its caller when the test completes it", async () => {
    const shop = fakeShop()
    const { execution_id } = await shop.client.executions.create(print(shop))
    const waiting = shop.client.executions.waitFor(execution_id)

    shop.complete(execution_id, { pages: 3 })

    assert.deepStrictEqual((await waiting).result, { pages: 3 })
  })

  it("is not waited for when its caller gives up", async () => {
    const shop = fakeShop()
    const { execution_id } = await shop.client.executions.create(print(shop))
    const giveUp = new AbortController()
    const waiting = shop.client.executions.waitFor(execution_id, { signal: giveUp.signal })

    giveUp.abort(new Error("enough"))

    const reason = await waiting.catch((cause: unknown) => cause)
    assert.strictEqual(String(reason), "Error: enough")
  })

  it("runs out of the time that a test moves on", async () => {
    const shop = fakeShop()
    const { executions } = shop.client
    const soon = new Date(new Date().getTime() + 3_600_000).toISOString()
    const { execution_id: late } = await executions.create({ ...print(shop), expires_at: soon })
    const { execution_id: slow } = await executions.create(print(shop))
    const { execution_id: asking } = await executions.create({ ...print(shop), timeout_seconds: 604_800 })
    shop.start(slow)
    shop.ask(asking, { prompt: "Which code?", key: "code" })

    shop.advance(3_600_000)

    const ended = await Promise.all([late, slow, asking].map((id) => executions.get(id)))
    assert.deepStrictEqual(
      ended.map(({ error_message, status, status_reason }) => [status, status_reason ?? error_message]),
      [
        ["cancelled", "not started before expires_at"],
        ["error", "timed out after 60 seconds"],
        ["error", 'input "code" was not answered in time']
      ]
    )
  })

  it("ends a wait without news when time has moved on", async () => {
    const shop = fakeShop()
    const { execution_id } = await shop.client.executions.create(print(shop))
    const waiting = shop.client.executions.get(execution_id, { wait: 60 })

    // It may not have begun to wait when time is first moved on.
    for (let round = 0; round < 10; round++) {
      shop.advance(60_000)
      await shop.client.agents.list().page()
    }

    assert.strictEqual((await waiting).status, "queued")
  })

  it("tells a test that completes what is over", async () => {
    const shop = fakeShop()
    const { execution_id } = await shop.client.executions.create(print(shop))
    shop.cancel(execution_id, "closed for today")

    assert.throws(() => shop.complete(execution_id), "it is cancelled")
  })

  it("is refused for a task that is disabled", async () => {
    const { agentIds, client, taskIds } = fakeShop()

    const error: unknown = await client.executions
      .create({ agent_id: agentIds.Press, task_id: taskIds.gone })
      .catch((cause: unknown) => cause)

    assert.deepInclude(error, { status: 422, details: { reason: "task_disabled", field: "task_id" } })
  })
})

describe("the callbacks of the fake", () => {
  it("are believed by a receiver with its secret, and by no other", async () => {
    const shop = fakeShop()
    const callback_url = "https://shop.example.com/hooks"
    const { execution_id } = await shop.client.executions.create({ ...print(shop), callback_url })
    shop.complete(execution_id, { pages: 3 })
    const events: Array<WebhookEvent> = []
    const onEvent = (event: WebhookEvent) => void events.push(event)
    const receive = webhookHandler({ secrets: shop.signingSecret, onEvent })
    const stranger = webhookHandler({ secrets: "whsec_other", onEvent })

    const answers = []
    for (const callback of shop.callbacks()) {
      answers.push(await callback.deliverTo(receive), await callback.deliverTo(stranger))
    }

    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 401, 200, 401, 200, 401]
    )
    assert.deepStrictEqual(
      events.map(({ type }) => type),
      ["execution.queued", "execution.started", "execution.completed"]
    )
  })
})

describe("the fake", () => {
  it("refuses what a test wants refused, once", async () => {
    const { baseUrl, client, refuseNext, requests } = fakeShop()
    const refusal = { status: 429, code: "rate_limited", message: "Not so fast", retryAfterSeconds: 0 }
    refuseNext(refusal)
    refuseNext(refusal)

    const error: unknown = await client.agents
      .list({}, { retries: 0 })
      .page()
      .catch((cause: unknown) => cause)
    const { attempts } = await client.agents.list().page().withResponse()

    assert.instanceOf(error, RateLimitedError)
    assert.deepStrictEqual([attempts, baseUrl], [2, "http://runhook.test"])
    assert.deepStrictEqual(
      requests.map(({ method, path }) => `${method} ${path}`),
      Array.from({ length: 3 }, () => "GET /api/v1/integrations/agents")
    )
  })

  it("serves the client for Effect", async () => {
    const shop = fakeShop()
    const layer = SdkEffect.Runhook.layer({ ...shop, apiKey: Redacted.make(shop.apiKey) }).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provideMerge(Layer.succeed(FetchHttpClient.Fetch, shop.fetch))
    )
    const program = Effect.flatMap(SdkEffect.Runhook, ({ executions }) =>
      executions.createAndWait({ ...print(shop), task_id: shop.taskIds.add, params: { a: 1, b: 2 } })
    )

    const { result } = await Effect.runPromise(Effect.provide(program, layer))

    assert.deepStrictEqual(result, { sum: 3 })
  })

  it("checks the common part of JSON Schema", async () => {
    const schema = {
      type: "object",
      required: ["url", "a/b"],
      additionalProperties: false,
      properties: {
        url: { type: "string", minLength: 3, pattern: "^https:" },
        "a/b": {},
        size: { enum: ["S", "L"] },
        pages: { type: "array", items: { type: ["integer", "null"], minimum: 1, maximum: 9 } }
      }
    } as const
    const { agentIds, client, taskIds } = createFakeRunhook({
      tasks: { print: { paramsSchema: schema } },
      agents: ["Press"]
    })
    const params = { url: "x", size: "M", pages: [1, null, 0, 10, "one"], colour: "red" }

    const error: unknown = await client.executions
      .create({ agent_id: agentIds.Press, task_id: taskIds.print, params })
      .catch((cause: unknown) => cause)

    assert.deepInclude(error, {
      details: [
        { path: "/a~1b", keyword: "required", message: "is required" },
        {
          path: "/colour",
          keyword: "additionalProperties",
          message: "is not a property that the schema knows"
        },
        { path: "/url", keyword: "minLength", message: "must not have fewer than 3 characters" },
        { path: "/url", keyword: "pattern", message: 'must match pattern "^https:"' },
        { path: "/size", keyword: "enum", message: 'must be one of ["S","L"]' },
        { path: "/pages/2", keyword: "minimum", message: "must be >= 1" },
        { path: "/pages/3", keyword: "maximum", message: "must be <= 9" },
        { path: "/pages/4", keyword: "type", message: "must be integer,null" }
      ]
    })
  })
})
