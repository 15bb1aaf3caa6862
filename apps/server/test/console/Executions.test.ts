/** Executions on the Integrations page, as a list. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { workplaceSuite } from "./WorkplaceSuite.ts"

describe("executions", () => {
  const { baseUrl, hooks, openConsole, place, until } = workplaceSuite()

  it("say that nothing matches, and lead to what does", async () => {
    const page = await openConsole("/executions?status=pending")

    await page.getByRole("heading", { name: "Nothing matches these filters" }).waitFor()
    await checkView(page, "executions-no-match")
    await page.getByRole("link", { name: "Search all states" }).click()
    await page.waitForURL(`${baseUrl()}/integrations/executions`)
  })

  it("are listed with their callbacks, and found by status and reference in the address", async () => {
    const done = await place().run("capture", { callback_url: hooks().url, reference: "INV-2026-11-0907" })
    const failed = await place().run("fail", { callback_url: hooks().url, reference: "INV-2026-11-0908" })
    await until(done, "completed")
    await until(failed, "error")
    await place().run("wait", { hold: true, reference: "INV-2026-11-0909" })
    const page = await openConsole("/executions")

    await page.getByRole("cell", { name: "Error" }).waitFor()
    await checkView(page, "executions")
    await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Error" }).click()
    await page.waitForURL(/status=error/)
    await page.getByText("INV-2026-11-0907").waitFor({ state: "detached" })
    await page.getByText("INV-2026-11-0908").waitFor()
    await page.getByRole("link", { name: "All", exact: true }).click()
    await page.getByLabel("Reference or id").fill("INV-2026-11-0909")
    await page.getByLabel("Reference or id").press("Enter")
    await page.getByText("1 execution", { exact: true }).waitFor()

    assert.include(page.url(), "find=INV-2026-11-0909")
    await page.getByRole("cell", { name: "Held" }).waitFor()
  })

  it("leave alone what is being typed while more of them come", async () => {
    await place().run("capture", {})
    const page = await openConsole("/executions")
    await page.locator("table.list tbody th a").first().waitFor()
    await page.getByLabel("Reference or id").pressSequentially("INV-2026")

    await place().run("capture", { reference: "INV-WHILE-TYPING" })
    await page.getByRole("button", { name: /new execution/ }).waitFor()

    assert.strictEqual(await page.getByLabel("Reference or id").inputValue(), "INV-2026")
  })

  it("appear while somebody looks", async () => {
    await place().run("capture", {})
    const page = await openConsole("/executions")
    await page.locator("table.list tbody th a").first().waitFor()

    await place().run("capture", { reference: "INV-LIVE" })

    await page.getByRole("button", { name: /new execution/ }).click()
    await page.getByText("INV-LIVE").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /new execution/ }).count(), 0)
  })

  it("change where they stand, though more have come since than a page has", async () => {
    const agent = await place().account.agents.create({ name: "Holds many" })
    const held = { hold: true, agent_id: agent.id }
    const first = await place().run("capture", { ...held, reference: "INV-FIRST" })
    const page = await openConsole(`/executions?agent=${agent.id}`)
    const row = page.getByRole("row", { name: /INV-FIRST/ })
    await row.getByText("Held").waitFor()
    await page.getByRole("button", { name: /^Live/ }).waitFor()
    await Promise.all(Array.from({ length: 51 }, () => place().run("capture", held)))
    await page.getByRole("button", { name: /50\+ new executions/ }).waitFor()

    await place().account.executions.cancel(first)

    await row.getByText("Cancelled").waitFor()
    assert.strictEqual(await page.getByRole("row").count(), 2)
  })

  it("are shown by the columns and under the names that somebody chose", async () => {
    await place().run("capture", {})
    const page = await openConsole("/executions?status=completed")
    const head = page.getByRole("columnheader", { name: "Id", exact: true })
    const view = page.getByText("View", { exact: true })
    await view.click()
    await page.getByRole("checkbox", { name: "Id" }).check()
    await head.waitFor()
    await page.getByRole("checkbox", { name: "Took" }).uncheck()
    await page.getByLabel("Name for these filters").fill("Done <b>well</b>")
    await page.getByRole("button", { name: "Save" }).click()
    await checkView(page, "executions-view")

    await page.goto(`${baseUrl()}/integrations/executions`)
    await head.waitFor()
    assert.strictEqual(await page.getByRole("columnheader", { name: "Took" }).count(), 0)
    await page.keyboard.press("/")
    await page.keyboard.type("done")
    await page.getByRole("option", { name: /Done <b>well/ }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(/status=completed/)
  })
})
