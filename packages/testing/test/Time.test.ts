import { verifyWebhook, webhookHandler, type WebhookEvent } from "@runhook/sdk/webhooks"
import { assert, describe, it } from "vitest"
import { minute, openShop, print, refusalOf, type Shop } from "./Shop.ts"

const callback_url = "https://shop.example.com/hooks"

interface RunnerAnswer {
  readonly session_id: string
  readonly claims: ReadonlyArray<{ readonly execution_id: string; readonly epoch: number }>
}

/** A call of a runner. */
const asRunner = async (shop: Shop, path: string, body: object): Promise<RunnerAnswer> => {
  const answer = await shop.fetch(`${shop.baseUrl}/api/v1/runner${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.runnerKey}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return JSON.parse(await answer.text())
}

/** A runner that takes what is queued, begins it, and is never heard of again. */
const beginAndVanish = async (shop: Shop): Promise<void> => {
  const session = { instance_id: "cellar-1", runner_name: "Cellar", capacity: 1 }
  const { session_id } = await asRunner(shop, "/sessions", session)
  const claim = { session_id, claim_id: "claim-1", free_slots: 1, wait_ms: 0 }
  const { claims } = await asRunner(shop, "/claims", claim)
  for (const { epoch, execution_id } of claims) {
    await asRunner(shop, `/executions/${execution_id}/start`, { epoch })
  }
}

describe("Time that stands still", () => {
  it("is what the service says it is, and moves when it is told to", async () => {
    await using shop = openShop()
    const { execution_id } = await shop.client.executions.create(print(shop))

    shop.advance(90 * minute)
    shop.start(execution_id)

    const { created_at, started_at } = await shop.client.executions.get(execution_id)
    assert.deepStrictEqual([created_at, started_at], ["2030-01-01T00:00:00.000Z", "2030-01-01T01:30:00.000Z"])
  })

  it("is each service's own", async () => {
    await using shop = openShop()
    await using other = openShop()
    shop.advance(minute)

    const made = await Promise.all([shop, other].map((each) => each.client.executions.create(print(each))))
    const [one, two] = await Promise.all(
      [shop, other].map((each, index) => each.client.executions.get(made[index]?.execution_id ?? ""))
    )

    assert.deepStrictEqual(
      [one?.created_at, two?.created_at],
      ["2030-01-01T00:01:00.000Z", "2030-01-01T00:00:00.000Z"]
    )
  })

  it("keeps work from starting before its time", async () => {
    await using shop = openShop({ tasks: { print: { run: () => ({ pages: 1 }) } } })
    const scheduled_at = "2030-01-01T00:10:00.000Z"
    const { execution_id } = await shop.client.executions.create({ ...print(shop), scheduled_at })

    assert.throws(() => shop.start(execution_id), `cannot run before ${scheduled_at}`)
    await shop.settled()
    const before = await shop.client.executions.get(execution_id)
    shop.advance(10 * minute)
    await shop.settled()
    const after = await shop.client.executions.get(execution_id)

    assert.deepStrictEqual([before.status, after.status], ["queued", "completed"])
  })

  it("takes its work from a runner that is silent for too long, and from no other", async () => {
    await using shop = openShop()
    const { execution_id: lost } = await shop.client.executions.create(print(shop))
    await beginAndVanish(shop)
    const { execution_id: kept } = await shop.client.executions.create(print(shop))
    shop.start(kept)

    shop.advance(minute)

    const [first, second] = await Promise.all([lost, kept].map((id) => shop.client.executions.get(id)))
    assert.deepStrictEqual([first?.status, first?.attempt], ["queued", 1])
    assert.deepStrictEqual([second?.status, second?.attempt], ["running", 1])
  })

  it("tries work again after a while, as often as its task says", async () => {
    await using shop = openShop()
    const { execution_id } = await shop.client.executions.create(print(shop))

    shop.fail(execution_id, "out of paper")
    assert.throws(() => shop.start(execution_id), "advance the time")
    shop.advance(minute)
    shop.fail(execution_id, "still out of paper")

    const { attempt, error_message, status } = await shop.client.executions.get(execution_id)
    assert.deepStrictEqual([attempt, error_message, status], [2, "still out of paper", "error"])
  })

  it("has ended what ran out of it as soon as it has moved", async () => {
    await using shop = openShop()
    const { execution_id } = await shop.client.executions.create({
      ...print(shop),
      timeout_seconds: 60,
      callback_url
    })
    shop.start(execution_id)

    shop.advance(minute)

    assert.deepStrictEqual(
      shop.callbacks().map(({ event }) => event.type),
      ["execution.queued", "execution.started", "execution.failed"]
    )
  })

  it("goes over a month at once", async () => {
    await using shop = openShop()
    const { execution_id } = await shop.client.executions.create(print(shop))
    shop.start(execution_id)

    shop.advance(31 * 24 * 60 * minute)
    shop.complete(execution_id, { pages: 3 })

    const [agent] = await shop.client.agents.list().toArray({ limit: 1 })
    assert.strictEqual((await shop.client.executions.get(execution_id)).status, "completed")
    assert.strictEqual(agent?.status, "online")
  })
})

describe("Callbacks to a receiver", () => {
  it("come signed, each once, in the order of what happened", async () => {
    const events: Array<WebhookEvent> = []
    await using shop = openShop({
      receive: async (request) => {
        const body = await request.text()
        const now = new Date("2030-01-01T00:00:00Z")
        events.push(await verifyWebhook({ body, headers: request.headers, secrets: shop.signingSecret, now }))
        return new Response()
      }
    })
    const { execution_id } = await shop.client.executions.create({ ...print(shop), callback_url })

    shop.complete(execution_id, { pages: 3 })
    await shop.settled()

    assert.deepStrictEqual(
      events.map(({ type }) => type),
      ["execution.queued", "execution.started", "execution.completed"]
    )
    assert.deepStrictEqual(
      shop.callbacks().map(({ event }) => event),
      events
    )
  })

  it("are sent again when their time has come, and all attempts are told", async () => {
    const answers = [500, 200]
    await using shop = openShop({ receive: () => new Response("busy", { status: answers.shift() ?? 200 }) })
    const { delivery_id } = await shop.client.webhooks.test({ callback_url })

    await shop.settled()
    const failed = await shop.client.deliveries.get(delivery_id)
    shop.advance(minute)
    await shop.settled()
    const delivered = await shop.client.deliveries.get(delivery_id)

    assert.deepStrictEqual([failed.state, delivered.state], ["pending", "delivered"])
    assert.deepStrictEqual(
      delivered.attempts_log.map(({ response }) => response?.status),
      [500, 200]
    )
  })

  it("are given up at last, and sent again when somebody replays them", async () => {
    let isOpen = false
    await using shop = openShop({
      receive: () => (isOpen ? new Response() : Promise.reject(new Error("closed for today")))
    })
    const { delivery_id } = await shop.client.webhooks.test({ callback_url })
    for (let day = 0; day < 40; day++) {
      await shop.settled()
      shop.advance(12 * 60 * minute)
    }
    await shop.settled()
    const dead = await shop.client.deliveries.get(delivery_id)

    isOpen = true
    await shop.client.deliveries.replay(delivery_id)
    await shop.settled()

    assert.deepStrictEqual([dead.state, dead.last_error], ["dead", "closed for today"])
    assert.strictEqual((await shop.client.deliveries.get(delivery_id)).state, "delivered")
  })

  it("go nowhere that the service may not call", async () => {
    await using shop = openShop({ callbackAllow: "hooks.internal" })
    const { webhooks } = shop.client

    const refused = await refusalOf(webhooks.test({ callback_url: "http://10.0.0.1/hooks" }))
    const { status } = await webhooks.test({ callback_url: "http://hooks.internal/hooks" })

    assert.deepInclude(refused, { status: 422, code: "invalid_request" })
    assert.strictEqual(status, "queued")
  })
})

it("runs as everywhere unless it is told to stand still", async () => {
  const before = new Date().toISOString()
  await using shop = openShop({ now: undefined })
  const { execution_id } = await shop.client.executions.create({ ...print(shop), callback_url })
  const { created_at } = await shop.client.executions.get(execution_id, { wait: 1 })
  const receive = webhookHandler({ secrets: shop.signingSecret, onEvent: () => {} })

  const [callback] = shop.callbacks()
  const answer = await callback?.deliverTo(receive)

  assert.isTrue(before <= created_at && created_at <= new Date().toISOString())
  assert.strictEqual(answer?.status, 200)
})
