/** The bundle in a page of the service's own origin: the service sends no CORS headers, so only such a page may call it. */
import { launchBrowser } from "@runhook/example-agent/Browser"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { openRunner } from "@runhook/test-support/world/Runner"
import { type Service, startService } from "@runhook/test-support/world/Service"
import { makeTenant, workOf } from "@runhook/test-support/world/Tenant"
import { bundle } from "../package/Bundle.ts"

let service: Service
let browser: Browser
beforeAll(async () => {
  service = await startService()
  browser = await launchBrowser({})
})
afterAll(async () => {
  await browser?.close()
  await service?.[Symbol.asyncDispose]()
})

it("runs in a page: creates, waits, reads a file, lists, and verifies webhooks", async () => {
  const tenant = await makeTenant(service.make)
  const scripts: Readonly<Record<string, string>> = {
    "/client.js": await bundle("Runhook.ts"),
    "/webhooks.js": await bundle("webhooks/Webhooks.ts")
  }
  const page = await browser.newPage()
  await page.route(`${service.url}/page`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Page</h1>" })
  )
  for (const [path, body] of Object.entries(scripts)) {
    await page.route(service.url + path, (route) => route.fulfill({ contentType: "text/javascript", body }))
  }
  await page.goto(`${service.url}/page`)
  const runner = (async () => {
    const { capture, complete, start } = await openRunner(service, tenant)
    const claim = await start()
    await capture(claim, "a report")
    await complete(claim)
  })()

  const seen: unknown = await page.evaluate(`(async () => {
    const { Runhook, NotFoundError } = await import("/client.js")
    const { signTest, verifyWebhook } = await import("/webhooks.js")
    const runhook = new Runhook({ baseUrl: location.origin, apiKey: ${JSON.stringify(tenant.apiKey)} })
    const done = await runhook.executions.createAndWait(${JSON.stringify(workOf(tenant))})
    const file = await runhook.files.download(done.downloads[0])
    const listed = await runhook.executions.list().toArray({ limit: 10 })
    const missing = await runhook.executions.get(crypto.randomUUID()).catch((error) => error instanceof NotFoundError)
    const event = { event_id: "e-1", type: "webhook.test" }
    const verified = await verifyWebhook({ ...(await signTest(event, { secret: "whsec_a" })), secrets: "whsec_a" })
    return [done.status, await file.text(), listed.length, missing, verified.event_id]
  })()`)

  await runner
  assert.deepStrictEqual(seen, ["completed", "a report", 1, true, "e-1"])
})
