import { once } from "node:events"
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { Runhook } from "@runhook/sdk"
import { signTest, type WebhookEvent } from "@runhook/sdk/webhooks"
import { listen } from "@runhook/test-support/receivers/Listening"
import { openRunner } from "@runhook/test-support/world/Runner"
import { type Service, startService } from "@runhook/test-support/world/Service"
import { makeTenant, type Tenant } from "@runhook/test-support/world/Tenant"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeShop } from "../src/Shop.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Takes one piece of work, captures a file, and ends it with a result. */
const workOnce = async (tenant: Pick<Tenant, "runnerKey">, file: string, result: object) => {
  const runner = await openRunner(service, tenant)
  const claim = await runner.start()
  await runner.capture(claim, file, { file_name: "receipt.txt" })
  await runner.complete(claim, result)
}

/** A shop of its own, listening, and the agent that works for it. */
const openShop = async () => {
  const tenant = await makeTenant(service.make, {
    task: { slug: "visit-page", name: "Visit a page" },
    version: { params_schema: { type: "object", required: ["url"] } }
  })
  const server = createServer()
  const listening = await listen(server)
  const url = listening.origin
  const shop = makeShop({
    ...tenant,
    runhook: new Runhook({ baseUrl: service.url, apiKey: tenant.apiKey }),
    signingSecrets: [tenant.signingSecret],
    callbackUrl: `${url}/callbacks`
  })
  /** Statuses of the answers to callbacks, and who waits for the next. */
  const answered: Array<number> = []
  const handle = getRequestListener(shop.fetch)
  server.on("request", (request, response) => {
    if (request.url === "/callbacks") {
      response.once("finish", () => {
        answered.push(response.statusCode)
        server.emit("answered")
      })
    }
    void handle(request, response)
  })

  const get = async (path: string) => bodyOf(await fetch(url + path))
  return {
    ...tenant,
    get,
    text: async (path: string) => (await fetch(url + path)).text(),
    order: (body: object, query = "") =>
      fetch(`${url}/orders${query}`, { method: "POST", body: JSON.stringify(body) }),
    callBack: (body: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${url}/callbacks`, { method: "POST", headers, body }),
    /** The order once the callbacks say that it has that status. */
    orderThatIs: async (status: string, id: string) => {
      for (;;) {
        const seen = answered.length
        const order = await get(`/orders/${id}`)
        if (order.status === status) return order
        // One that came meanwhile is not waited for.
        if (answered.length === seen) await once(server, "answered")
      }
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]()
  }
}

const bodyOf = async (response: Response) => JSON.parse(await response.text())

const page = "https://example.com/"

/** An event about an unknown order. */
const makeEvent = (reference: string): WebhookEvent => {
  const at = new Date().toISOString()
  return {
    event_id: crypto.randomUUID(),
    type: "execution.started",
    occurred_at: at,
    request_id: "req_test",
    reference,
    metadata: {},
    execution: {
      id: crypto.randomUUID(),
      account_id: crypto.randomUUID(),
      agent_id: crypto.randomUUID(),
      task_id: crypto.randomUUID(),
      task_version_id: crypto.randomUUID(),
      status: "running",
      result: null,
      error_message: null,
      started_at: at,
      stopped_at: null,
      created_at: at,
      updated_at: at
    }
  }
}

describe("the shop", () => {
  it("learns of the end of an order by callbacks, and passes its files on", async () => {
    await using shop = await openShop()

    const accepted = await shop.order({ id: "order-1", page })
    await workOnce(shop, "One tea", { total: 3 })

    assert.strictEqual(accepted.status, 202)
    const order = await shop.orderThatIs("completed", "order-1")
    assert.deepStrictEqual(order.result, { total: 3 })
    const [file] = await shop.get("/orders/order-1/files")
    assert.strictEqual(file.file_name, "receipt.txt")
    assert.strictEqual(await shop.text(`/orders/order-1/files/${file.id}`), "One tea")
  })

  it("answers with the result when it is asked to wait", async () => {
    await using shop = await openShop()

    const ordering = shop.order({ id: "order-2", page }, "?wait")
    await workOnce(shop, "Two teas", { total: 6 })

    assert.deepInclude(await bodyOf(await ordering), {
      id: "order-2",
      status: "completed",
      result: { total: 6 }
    })
  })

  it("queues an order that is sent twice only once", async () => {
    await using shop = await openShop()

    const first = await shop.order({ id: "order-3", page })
    const second = await shop.order({ id: "order-3", page })

    const [{ executionId }, again] = [await bodyOf(first), await bodyOf(second)]
    assert.strictEqual(again.executionId, executionId)
  })

  it("handles an event once, however often it comes", async () => {
    await using shop = await openShop()
    const { body, headers } = await signTest(makeEvent("order-4"), { secret: shop.signingSecret })

    const first = await shop.callBack(body, headers)
    const second = await shop.callBack(body, headers)

    assert.deepStrictEqual([first.status, second.status], [200, 200])
    assert.strictEqual((await shop.get("/orders/order-4")).changes, 1)
  })

  it("refuses callbacks that are forged or stale", async () => {
    await using shop = await openShop()
    const event = makeEvent("order-5")
    const other = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    const genuine = await signTest(event, { secret: shop.signingSecret })
    const forged = await signTest(event, { secret: other })
    const stale = await signTest(event, { secret: shop.signingSecret, now: new Date("2026-01-01") })

    const answers = [
      await shop.callBack(forged.body, forged.headers),
      await shop.callBack(genuine.body.replace("order-5", "order-6"), genuine.headers),
      await shop.callBack(stale.body, stale.headers)
    ]

    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [401, 401, 401]
    )
    assert.strictEqual((await shop.get("/orders/order-5")).error, "Not found")
  })
})
