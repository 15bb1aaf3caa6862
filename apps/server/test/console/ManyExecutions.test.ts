/** Acts on many executions at once. */
import { readFile } from "node:fs/promises"
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { patience } from "./ConsoleSuite.ts"
import { workplaceSuite } from "./WorkplaceSuite.ts"

describe("many executions", () => {
  const { baseUrl, openConsole, place } = workplaceSuite()

  it(
    "are cancelled by boxes however often the service asks for a pause, and stay chosen when the connection is lost",
    async () => {
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
    },
    patience
  )

  it(
    "are chosen by boxes or by what matches, counted, cancelled together and saved as a table",
    async () => {
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
    },
    patience
  )
})
