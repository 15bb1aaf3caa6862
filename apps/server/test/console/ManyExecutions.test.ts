/** What is done with many executions: acts on all of them, and the search for a text in them. */
import { readFile } from "node:fs/promises"
import type { JsonObject } from "@runhook/sdk/admin"
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { assertHarmless } from "./Hostile.ts"
import { workplaceSuite } from "./WorkplaceSuite.ts"

describe("many executions", () => {
  const { baseUrl, openConsole, place, until } = workplaceSuite()

  /** Executions of an agent that nobody serves, the newest first. */
  const arrange = async (name: string, params: ReadonlyArray<JsonObject>) => {
    const agent = await place().account.agents.create({ name })
    for (const each of params.toReversed()) await place().run("capture", { agent_id: agent.id, params: each })
    return agent.id
  }

  const kestrels = (count: number) => Array.from({ length: count }, (_, at) => ({ carrier: `Kestrel ${at}` }))

  /** As where pages end early since what is on them is large. The result has the calls for further pages. */
  const withShortPages = async (page: Page, before: (count: number) => unknown = () => {}) => {
    const calls: Array<string> = []
    await page.route(/executions\?.*limit=100/, async (route) => {
      const url = route.request().url()
      if (url.includes("cursor=")) await before(calls.push(url))
      await route.continue({ url: url.replace("limit=100", "limit=5") }).catch(() => {})
    })
    return calls
  }

  it("are cancelled by boxes however often the service asks for a pause, and stay chosen when the connection is lost", async () => {
    const { account } = place()
    const nobody = await account.agents.create({ name: "Asks for a pause" })
    const ids = await Promise.all(
      Array.from({ length: 6 }, () => place().run("capture", { agent_id: nobody.id }))
    )
    const [limited = "", lost = ""] = ids
    const page = await openConsole(`/executions?agent=${nobody.id}`, { expects: /429|ERR_|fetch/ })
    const error = { code: "rate_limited", message: "too many", details: null, request_id: "req_01kavx7c2d" }
    let asked = 0
    await page.route(`**/${limited}/cancel`, (route) =>
      // Twice, as the client tries once more by itself.
      asked++ < 2
        ? route.fulfill({ status: 429, json: { error }, headers: { "retry-after": "1" } })
        : route.continue()
    )
    await page.route(`**/${lost}/cancel`, (route) => route.abort())
    const bar = page.getByRole("group", { name: "Chosen rows" })
    const dialog = page.getByRole("dialog")
    const cancel = async () => {
      await bar.getByRole("button", { name: "Cancel…" }).click()
      await dialog.getByRole("button", { name: /^Cancel \d$/ }).click()
    }
    await page.getByRole("checkbox", { name: "Choose this row" }).nth(5).waitFor()
    await page.getByRole("checkbox", { name: "Choose all rows shown" }).check()

    await cancel()
    await dialog.getByText("Connection lost").waitFor()
    await dialog.getByText(/^\d of 6 done, \d left\.$/).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await bar.getByText(/^[1-5] executions? chosen$/).waitFor()
    await page.unroute(`**/${lost}/cancel`)
    asked = 0
    await cancel()
    await dialog.getByText(/^(\d) of \1 done\.$/).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await bar.waitFor({ state: "detached" })
    const cancelled = await account.executions.list({ agent_id: nobody.id, status: "cancelled" }).page()
    assert.strictEqual(cancelled.data.length, 6)
    assert.isAbove(asked, 2)
  })

  it("are chosen by boxes or by what matches, counted, cancelled together and saved as a table", async () => {
    const { account } = place()
    const nobody = await account.agents.create({ name: "Holds them back" })
    const ids: Array<string> = []
    for (let count = 0; count < 60; count++)
      ids.push(await place().run("capture", { agent_id: nobody.id, reference: `=BULK-${count}` }))
    await account.executions.cancel(ids[0] ?? "")
    const page = await openConsole(`/executions?agent=${nobody.id}`)
    const boxes = page.getByRole("checkbox", { name: "Choose this row" })
    await boxes.nth(49).waitFor()

    await boxes.first().check()
    await boxes.nth(1).press("Space")
    const bar = page.getByRole("group", { name: "Chosen rows" })
    await bar.getByText("2 executions chosen").waitFor()
    await checkView(page, "executions-chosen")
    await bar.getByRole("button", { name: "All that match" }).click()
    await bar.getByText("All executions that match").waitFor()
    // Who chooses by boxes again means only what these say.
    await boxes.nth(1).uncheck()
    await bar.getByText("1 execution chosen").waitFor()
    await boxes.nth(1).check()
    await bar.getByText("2 executions chosen").waitFor()
    await bar.getByRole("button", { name: "All that match" }).click()
    await bar.getByRole("button", { name: "Cancel…" }).click()
    const dialog = page.getByRole("dialog")
    // The number comes first.
    await dialog.getByText("59 unfinished executions.").waitFor()
    await checkView(page, "executions-cancel-many")
    await dialog.getByLabel(/Reason/).fill("Wrong month")
    await dialog.getByRole("button", { name: "Cancel 59" }).click()
    await page.waitForURL(/\/cancels\//)
    await page.getByRole("heading", { level: 2, name: "59 executions cancelled" }).waitFor()
    await page.reload()
    await page.getByText("59 cancelled", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Holds them back" }).waitFor()
    await checkView(page, "executions-cancelled")
    const left = await account.executions.list({ agent_id: nobody.id, status: "queued" }).page()
    assert.deepStrictEqual(left.data, [])
    const [last] = (await account.executions.list({ agent_id: nobody.id, limit: 1 }).page()).data
    assert.strictEqual(last?.status_reason, "Wrong month")

    await page.getByRole("link", { name: "The executions that match now" }).click()
    await page.waitForURL(`${baseUrl()}/integrations/executions?agent=${nobody.id}`)
    await boxes.nth(1).check()
    await bar.getByRole("button", { name: "Cancel…" }).click()
    await dialog.getByText(/1 of the chosen ones have ended/).waitFor()
    await dialog.getByRole("button", { name: "Not now" }).click()
    await bar.getByRole("button", { name: "All that match" }).click()
    await bar.getByRole("button", { name: "Export…" }).click()
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "CSV" }).click()
    ])
    const lines = (await readFile(await saved.path(), "utf8")).split("\r\n")
    assert.strictEqual(lines.length, 62)
    // Nothing that strangers wrote is a formula.
    assert.include(lines[1], `"'=BULK-59"`)

    // A question about rows of one list is not asked about those that are chosen in another one.
    await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Stopped" }).click()
    await page.waitForURL(/status=stopped/)
    await page.locator("table.list:not(.dimmed)").waitFor()
    await boxes.nth(2).check()
    await bar.getByRole("button", { name: "Cancel…" }).click()
    await dialog.getByText(/1 of the chosen ones have ended/).waitFor()
    await page.goBack()
    await dialog.waitFor({ state: "detached" })
    await bar.getByText("1 execution chosen").waitFor()
  })

  it("are looked through for a text of their params, so many at once, and further when somebody asks", async () => {
    const odd = { note: `Shipped by "MERLIN & Söhne"` }
    const agentId = await arrange("Has two of Merlin", [odd, ...kestrels(60), odd, ...kestrels(7)])
    const page = await openConsole(`/executions?agent=${agentId}`)
    const calls = await withShortPages(page)

    await page.getByLabel("Params or result").fill('by "merlin')
    await page.getByLabel("Params or result").press("Enter")
    await page.getByText(/^1 execution found\. Looked through 50, back to .+\.$/).waitFor()
    assert.strictEqual(calls.length, 9)
    // Nobody knows yet what else matches.
    await page.getByRole("checkbox", { name: "Choose all rows shown" }).check()
    await page.getByRole("button", { name: "All that match" }).press("Enter")
    await page.getByText("Only the rows shown are known to match.").waitFor()
    await page.getByText("1 execution chosen").waitFor()
    await checkView(page, "executions-looked-through")
    await page.getByRole("button", { name: "Look further" }).click()
    await page.getByText("2 executions found. Looked through all 69.").waitFor()
    await page
      .getByText(String.raw`Params: {"note":"Shipped by \"MERLIN & Söhne\""}`)
      .last()
      .waitFor()
    assert.strictEqual(await page.locator("mark").last().innerText(), String.raw`by \"MERLIN`)
    await checkView(page, "executions-found")

    // Back finds the place; the address has the text, and begins anew.
    await page.locator("table.list tbody th a").last().click()
    await page.getByRole("heading", { name: "Params" }).waitFor()
    await page.goBack()
    await page.getByText("2 executions found. Looked through all 69.").waitFor()
    await page.reload()
    await page.getByText(/^1 execution found\. Looked through 50/).waitFor()
    await page.getByRole("button", { name: "Clear" }).click()
    await page.waitForURL(`${baseUrl()}/integrations/executions`)
    await page.locator("mark").waitFor({ state: "detached" })
  })

  it("are looked through until somebody stops that or leaves, and on from there after a pause or an error", async () => {
    const agentId = await arrange("Is slow to look through", [
      ...kestrels(30),
      { note: "<script>window.harmed=1</script> Merlin\u202e" }
    ])
    const page = await openConsole("/", { role: "viewer", expects: /429|500|ERR_|fetch/ })
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const calls = await withShortPages(page, (count) => (count === 2 ? held : undefined))
    await page.goto(`${baseUrl()}/integrations/executions?agent=${agentId}&contains=merlin`)
    await page.getByText(/^0 executions found\. Looked through 10, back to/).waitFor()
    await page.getByRole("button", { name: "Stop" }).click()
    go()
    await page.getByText(/^0 executions found\. Looked through 15, back to/).waitFor()
    await page.getByRole("button", { name: "Look further" }).waitFor()
    assert.strictEqual(calls.length, 2)

    const refused = [429, 429, 500, 500]
    await page.route(/executions\?.*cursor=/, (route) => {
      const status = refused.shift()
      if (status === undefined) return route.fallback()
      const error = {
        code: status === 429 ? "rate_limited" : "internal_error",
        message: "not now",
        details: null,
        request_id: "req_01kavx7c2d"
      }
      return route.fulfill({
        status,
        json: { error },
        headers: status === 429 ? { "retry-after": "1" } : {}
      })
    })
    await page.getByRole("button", { name: "Look further" }).click()
    // The pause ends by itself.
    await page.getByRole("heading", { name: "The server could not answer" }).waitFor()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("1 execution found. Looked through all 31.").waitFor()
    assert.deepStrictEqual(refused, [])
    // None of them twice.
    assert.strictEqual(new Set(calls).size, calls.length)
    await page.getByText("Params: ").getByText("RLO").waitFor()
    await assertHarmless(page)
    await checkView(page, "executions-found-hostile")

    // Held until somebody has left: it is aborted by then, and not answered.
    const left = new Promise<void>((resolve) => {
      go = resolve
    })
    await page.route(/executions\?.*limit=100/, async (route) => {
      await left
      await route.continue().catch(() => {})
    })
    const asked = page.waitForRequest(/limit=100/)
    await page.getByLabel("Params or result").fill("harrier")
    await page.getByLabel("Params or result").press("Enter")
    const call = await asked
    await page.getByRole("link", { name: "Tasks", exact: true }).click()
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor()
    go()
    assert.isNull(await call.response())
  })

  it("are found by what comes of them meanwhile, and from the field on top", async () => {
    await until(await place().run("capture", {}), "completed")
    const page = await openConsole("/")
    await page.keyboard.press("/")
    await page.keyboard.type("ke-409")
    await page.getByRole("option", { name: 'Search params and results for "ke-409"' }).click()
    await page.waitForURL(/executions\?contains=ke-409/)
    await page.getByText(/Result: .*"number":"KE-40981"/).waitFor()
    const before = await page.locator("mark").count()

    // The first has it in its error, which comes last; the other one never has it.
    await until(await place().run("fail", {}), "error")
    await place().run("capture", { hold: true })
    await until(await place().run("capture", {}), "completed")
    await page.getByRole("button", { name: "2 new executions: show them" }).click()
    await page.getByText(/Error message: No such invoice: <b>KE-40981/).waitFor()
    assert.strictEqual(await page.locator("mark").count(), before + 2)
  })
})
