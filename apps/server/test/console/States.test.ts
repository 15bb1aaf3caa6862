/** What goes wrong is said as it is, with what can be done about it. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"

/** The browser tells of every answer that is an error. */
const expects = /Failed to load|ERR_/

/** Answers what a list asks for, in the service's place: that it fails is the one thing it cannot be asked for. */
const refuse = (page: Page, status: number, error: object, headers: Record<string, string> = {}) =>
  page.route(/\/deliveries(?:\?|$)/, (route) =>
    route.request().resourceType() === "fetch"
      ? route.fulfill({
          status,
          json: { error: { details: null, request_id: "req_01kavx7c2d", ...error } },
          headers
        })
      : route.continue()
  )

/** Goes on in the page, as no new page would keep the routes of the one before. */
const toDeliveries = (page: Page) => page.getByRole("link", { name: "Deliveries" }).click()

describe("a list that cannot be had", () => {
  const { openConsole } = consoleSuite()

  it("says that the server failed, with the id to tell the operator, and tries again when asked", async () => {
    const page = await openConsole("/nowhere", { expects })
    await refuse(page, 500, { code: "internal_error", message: "broken" })
    await toDeliveries(page)

    const alert = page.getByRole("alert", { name: "The server could not answer" })
    await alert.waitFor()
    assert.include(await alert.innerText(), "req_01kavx7c2d")
    await checkView(page, "state-failed")
    await page.unroute(/\/deliveries(?:\?|$)/)
    await alert.getByRole("button", { name: "Try again" }).click()

    await page.getByRole("heading", { name: "No deliveries yet" }).waitFor()
  })

  it("waits as long as it is asked to, and goes on by itself", async () => {
    const page = await openConsole("/nowhere", { expects })
    await refuse(page, 429, { code: "rate_limited", message: "too many" }, { "retry-after": "3" })
    await toDeliveries(page)

    await page.getByRole("alert", { name: /^Too many requests, for/ }).waitFor()
    await checkView(page, "state-limited")
    await page.unroute(/\/deliveries(?:\?|$)/)

    await page.getByRole("heading", { name: "No deliveries yet" }).waitFor()
  })

  it("says that the connection is lost", async () => {
    const page = await openConsole("/nowhere", { expects })
    await page.route(/\/deliveries(?:\?|$)/, (route) => route.abort())
    await toDeliveries(page)

    await page.getByRole("alert", { name: "Connection lost" }).waitFor()
    await checkView(page, "state-lost")
  })
})

describe("what is not there", () => {
  const { openConsole } = consoleSuite()
  const id = "01a2026d-0000-7000-8000-000000000000"

  it.each([
    ["delivery", `/deliveries/${id}`, "This delivery is not here"],
    ["page", "/no/such/page", "There is no such page"]
  ])("is said of a %s", async (what, path, title) => {
    const page = await openConsole(path, { expects })

    await page.getByRole("heading", { name: title }).waitFor()
    await checkView(page, `state-no-${what}`)
  })
})

describe("the parts of a view", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()

  it("come without what comes late moving what is seen", async () => {
    const account = admin().account(await accountId())
    const gone = await account.keys.create({ name: "Gone" })
    await account.keys.revoke(gone.id)
    for (const name of ["Portal EU", "Portal US"]) await account.agents.create({ name })
    for (const name of ["Jana", "Ines", "Omar"]) await account.consoleLinks.create({ name })
    const task = await account.tasks.create({ slug: "moves", name: "Fetch bills" })
    await account.tasks.publish(task.id, {
      params_schema: {
        type: "object",
        properties: { carrier: { type: "string" }, month: { type: "string" } }
      }
    })
    const page = await openConsole("/")
    await page.addInitScript(`
        moved = 0
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) moved += value
        }).observe({ type: "layout-shift", buffered: true })
      `)
    const session = await page.context().newCDPSession(page)
    await session.send("Network.enable")
    for (const latency of [40, 400]) {
      const network = { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 }
      await session.send("Network.emulateNetworkConditions", network)
      for (const [path, last] of [
        ["/keys", "Gone"],
        ["/access", "No runner key yet"],
        ["/agents", "No runner here"],
        [`/tasks/${task.id}`, "Changed"]
      ] as const) {
        await page.goto(`${baseUrl()}/integrations${path}`)
        await page.getByText(last).first().waitFor()
        await page.evaluate("new Promise((then) => requestAnimationFrame(() => setTimeout(then)))")
        assert.isAtMost(await page.evaluate<number>("moved"), 0.05, path)
      }
    }
  })
})
