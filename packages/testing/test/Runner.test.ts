/** A runner of the SDK, served by the service in memory. */
import { createRunner, type Handler } from "@runhook/sdk/runner"
import { assert, describe, it } from "vitest"
import { openShop, print, type Shop } from "./Shop.ts"

const runnerOf = (shop: Shop, handler: Handler) =>
  createRunner({
    baseUrl: shop.baseUrl,
    apiKey: shop.runnerKey,
    fetch: shop.fetch,
    tasks: { print: handler },
    log: () => {}
  })

describe("A runner of the SDK", () => {
  it("does the work that callers queue, with files and a question", async () => {
    await using shop = openShop({ now: undefined })
    const { executions, files } = shop.client
    await using runner = runnerOf(shop, async ({ artifacts, ask, params }) => {
      const pages = await ask({ key: "pages", prompt: "How many pages?", schema: { type: "integer" } })
      await artifacts.download(new TextEncoder().encode(String(params["text"])))
      return { pages }
    })
    await runner.start()
    const { execution_id } = await executions.create({ ...print(shop), params: { text: "hello" } })
    const asking = await executions.waitFor(execution_id, { until: "input" })
    await executions.answer({ execution_id, input_id: asking.input_request?.input_id ?? "" }, { value: 3 })

    const { result, status } = await executions.waitFor(execution_id, { until: "finished" })
    const [file] = (await executions.artifacts(execution_id)).downloads
    assert(file)

    assert.deepStrictEqual([status, result], ["completed", { pages: 3 }])
    assert.strictEqual(await (await files.download(file)).text(), "hello")
  })

  it("drops its work when the caller stops it", async () => {
    await using shop = openShop({ now: undefined })
    const { executions } = shop.client
    let told: unknown
    await using runner = runnerOf(
      shop,
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            told = signal.reason
            reject(signal.reason)
          })
        })
    )
    await runner.start()
    const { execution_id } = await executions.create(print(shop))
    await executions.get(execution_id, { wait: 0 })
    while ((await executions.get(execution_id)).status === "queued") await executions.get(execution_id)

    await executions.cancel(execution_id, { reason: "enough" })
    await runner.stop()

    assert.strictEqual((await executions.get(execution_id)).status, "aborted")
    assert.match(String(told), /stop|abort|cancel|enough/i)
  })
})
