/** It is the service that answers: what only that knows is known here. */
import { RunhookAdmin } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { openShop, paramsSchema, print, refusalOf } from "./Shop.ts"

describe("The service in memory", () => {
  it("refuses params by rules of JSON Schema that only a whole validator has", async () => {
    await using shop = openShop({ tasks: { print: { paramsSchema } } })
    const params = { copies: 3, by: "tomorrow" }

    const error = await refusalOf(shop.client.executions.create({ ...print(shop), params }))

    assert.deepInclude(error, {
      status: 422,
      code: "invalid_params",
      details: [
        { path: "/copies", keyword: "multipleOf", message: "must be multiple of 2" },
        { path: "/by", keyword: "format", message: 'must match format "date"' }
      ]
    })
  })

  it("makes one execution of equal requests under one idempotency key, and refuses others", async () => {
    await using shop = openShop()
    const { executions } = shop.client
    const options = { idempotencyKey: "order-1" }
    const first = await executions.create(print(shop), options)

    const again = await executions.create(print(shop), options)
    const other = await refusalOf(executions.create({ ...print(shop), priority: 9 }, options))

    assert.strictEqual(again.execution_id, first.execution_id)
    assert.deepInclude(other, { status: 409, code: "idempotency_conflict" })
  })

  it("lists page by page", async () => {
    await using shop = openShop()
    for (const reference of ["a", "b", "c"]) {
      await shop.client.executions.create({ ...print(shop), reference })
      shop.advance(1)
    }

    const first = await shop.client.executions.list({ limit: 2 }).page()
    const second = await shop.client.executions.list({ limit: 2, cursor: first.next_cursor ?? "" }).page()

    const references = [first, second].map(({ data }) => data.map(({ reference }) => reference))
    assert.deepStrictEqual(references, [["c", "b"], ["a"]])
    assert.strictEqual(second.next_cursor, null)
  })

  it("tells the history of an execution, and why one waits", async () => {
    await using shop = openShop()
    const { executions } = shop.client
    const { execution_id } = await executions.create(print(shop))
    const { execution_id: waiting } = await executions.create({ ...print(shop), hold: true })
    shop.complete(execution_id, { pages: 3 })

    const { data: events } = await executions.events(execution_id)
    const explained: { readonly blockers?: unknown } = await shop.client.request({
      method: "GET",
      path: `/executions/${waiting}/explain`
    })

    assert.deepStrictEqual(
      events.map(({ type }) => type),
      ["created", "claimed", "started", "completed"]
    )
    assert.include(JSON.stringify(explained), "held")
  })

  it("gives the files of a run", async () => {
    await using shop = openShop()
    const { executions, files } = shop.client
    const { execution_id } = await executions.create(print(shop))
    shop.capture(execution_id, { file_name: "page.txt", content_type: "text/plain", content: "one page" })
    shop.capture(execution_id, { file_name: "a.png", content: new Uint8Array([1]), kind: "screenshots" })
    shop.complete(execution_id, { pages: 1 })

    const { downloads, screenshots } = await executions.artifacts(execution_id)
    const [file] = downloads
    assert(file)

    assert.strictEqual(await (await files.download(file)).text(), "one page")
    assert.deepInclude(file, { file_name: "page.txt", content_type: "text/plain", size_bytes: 8 })
    assert.deepStrictEqual(
      screenshots.map(({ file_name }) => file_name),
      ["a.png"]
    )
  })

  it("holds a test to what it promised: a result that breaks its schema is refused", async () => {
    await using shop = openShop()
    const { execution_id } = await shop.client.executions.create(print(shop))

    assert.throws(() => shop.complete(execution_id, { sheets: 3 }), /\/pages is required/)
    assert.strictEqual((await shop.client.executions.get(execution_id)).status, "running")
  })

  it("answers operators: one may limit what the key may do", async () => {
    await using shop = openShop()
    const admin = new RunhookAdmin(shop)
    const account = admin.account(shop.accountId)
    const [key] = await account.keys.list().toArray({ limit: 1 })
    assert(key)
    await account.keys.update(key.id, { max_live: 1 })
    await shop.client.executions.create(print(shop))

    const error = await refusalOf(shop.client.executions.create(print(shop), { retries: 0 }))

    assert.deepInclude(error, { status: 429, code: "concurrency_limit_reached" })
  })

  it("knows nothing of another one in the same process", async () => {
    await using shop = openShop()
    await using other = openShop()
    const { execution_id } = await shop.client.executions.create(print(shop))

    const byId = await refusalOf(other.client.executions.get(execution_id))
    const byKey = await refusalOf(
      shop
        .fetch(`${shop.baseUrl}/api/v1/integrations/agents`, {
          headers: { authorization: `Bearer ${other.apiKey}` }
        })
        .then(async (answer) => (answer.ok ? "" : Promise.reject(await answer.json())))
    )

    assert.deepInclude(byId, { status: 404 })
    assert.nestedInclude(byKey, { "error.code": "unauthorized" })
    assert.isEmpty(await other.client.executions.list().toArray({ limit: 9 }))
  })
})
