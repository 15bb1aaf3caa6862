/** Executions on the Integrations page. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { arrangeHostile, assertHarmless } from "./Hostile.ts"
import { aWorkplace, type Captures, capturesOf, receiver } from "./Works.ts"

/** Waits until it is so in the page. Its policy lets no text be run in it, so it is asked from outside. */
const become = (page: Page, what: string) =>
  vi.waitFor(async () => assert.isTrue(await page.evaluate(what), what), { timeout: patience, interval: 100 })

describe("executions", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  let captures: Captures
  let place: Awaited<ReturnType<typeof aWorkplace>>
  let hooks: Awaited<ReturnType<typeof receiver>>

  beforeAll(async () => {
    hooks = await receiver()
    const page = await openConsole("/nowhere")
    captures = await capturesOf(page)
    await page.context().close()
    place = await aWorkplace({
      admin: admin(),
      baseUrl: baseUrl(),
      accountId: await accountId(),
      captures: () => captures
    })
  }, patience)

  afterAll(async () => {
    hooks?.close()
    await place?.runner.stop({ graceMs: 0 })
  }, patience)

  /** Waits until the execution has become one of these. */
  const until = async (id: string, ...statuses: ReadonlyArray<string>) => {
    for (let looks = 0; looks < 60; looks++) {
      const { status } = await place.account.executions.get(id, { wait: 1 })
      if (statuses.includes(status)) return
    }
    assert.fail(`Execution ${id} did not become ${statuses.join(" or ")}`)
  }

  it(
    "say that nothing matches, and lead to what does",
    async () => {
      const page = await openConsole("/executions?status=pending")

      await page.getByRole("heading", { name: "Nothing matches these filters" }).waitFor()
      await checkView(page, "executions-no-match")
      await page.getByRole("link", { name: "Search all states" }).click()
      await page.waitForURL(`${baseUrl()}/integrations/executions`)
    },
    patience
  )

  it(
    "are listed with their callbacks, and found by status and reference in the address",
    async () => {
      const done = await place.run("capture", { callback_url: hooks.url, reference: "INV-2026-11-0907" })
      const failed = await place.run("fail", { callback_url: hooks.url, reference: "INV-2026-11-0908" })
      await until(done, "completed")
      await until(failed, "error")
      await place.run("wait", { hold: true, reference: "INV-2026-11-0909" })
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
    },
    patience
  )

  it(
    "leave alone what is being typed while more of them come",
    async () => {
      await place.run("capture", {})
      const page = await openConsole("/executions")
      await page.locator("table.list tbody th a").first().waitFor()
      await page.getByLabel("Reference or id").pressSequentially("INV-2026")

      await place.run("capture", { reference: "INV-WHILE-TYPING" })
      await page.getByRole("button", { name: /new execution/ }).waitFor()

      assert.strictEqual(await page.getByLabel("Reference or id").inputValue(), "INV-2026")
    },
    patience
  )

  it(
    "appear while somebody looks",
    async () => {
      await place.run("capture", {})
      const page = await openConsole("/executions")
      await page.locator("table.list tbody th a").first().waitFor()

      await place.run("capture", { reference: "INV-LIVE" })

      await page.getByRole("button", { name: /new execution/ }).click()
      await page.getByText("INV-LIVE").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /new execution/ }).count(), 0)
    },
    patience
  )

  it(
    "change where they stand, though more have come since than a page has",
    async () => {
      const agent = await place.account.agents.create({ name: "Holds many" })
      const held = { hold: true, agent_id: agent.id }
      const first = await place.run("capture", { ...held, reference: "INV-FIRST" })
      const page = await openConsole(`/executions?agent=${agent.id}`)
      const row = page.getByRole("row", { name: /INV-FIRST/ })
      await row.getByText("Held").waitFor()
      await page.getByRole("button", { name: /^Live/ }).waitFor()
      await Promise.all(Array.from({ length: 51 }, () => place.run("capture", held)))
      await page.getByRole("button", { name: /50\+ new executions/ }).waitFor()

      await place.account.executions.cancel(first)

      await row.getByText("Cancelled").waitFor()
      assert.strictEqual(await page.getByRole("row").count(), 2)
    },
    patience
  )

  it(
    "show what happened on one axis, and their pictures and video at one moment",
    async () => {
      const id = await place.run("capture", { callback_url: hooks.url, reference: "INV-PICTURES" })
      await until(id, "completed")
      const page = await openConsole(`/executions/${id}`)
      const shot = page.getByRole("button", { name: /after sign-in/ })
      await shot.waitFor()
      await become(page, "document.querySelector('video')?.readyState > 0")

      await shot.click()
      await page.waitForURL(/[?&]t=/)
      await page.getByRole("img", { name: /Screenshot at/ }).waitFor()
      await page.getByText("As a table").click()
      await checkView(page, "execution")

      const link = page.getByRole("region", { name: "Files" }).getByRole("link", { name: /invoice/ })
      const href = await link.getAttribute("href")
      const file = await page.request.get(`${baseUrl()}${href}`)
      assert.match(file.headers()["content-disposition"] ?? "", /^attachment/)
      assert.include(await page.locator(".rail").innerText(), "execution.completed")
      assert.isTrue(await page.getByRole("cell", { name: "Started", exact: true }).isVisible())
      await assertHarmless(page)
    },
    patience
  )

  it(
    "wind their video by the address, with parts of it fetched as they are needed",
    async () => {
      const id = await place.run("capture")
      await until(id, "completed")
      const page = await openConsole(`/executions/${id}?t=1`)

      await become(page, "document.querySelector('video')?.currentTime > 0.9")
      const { url } = (await place.account.executions.artifacts(id)).videos[0] ?? { url: "" }
      const part = await page.request.get(url, { headers: { range: "bytes=0-3" } })

      assert.strictEqual(part.status(), 206)
      assert.deepStrictEqual([...(await part.body())], [0x1a, 0x45, 0xdf, 0xa3])
    },
    patience
  )

  it(
    "say that the work is done and nobody knows",
    async () => {
      hooks.answers.set("execution.completed", 500)
      const id = await place.run("capture", { callback_url: hooks.url })
      await until(id, "completed")
      const page = await openConsole(`/executions/${id}`)

      await page.getByText("The work is done, but the outcome has not arrived").waitFor()
      await page.getByText("answers 500 to completed", { exact: false }).waitFor()
      await checkView(page, "execution-untold")
      hooks.answers.clear()
    },
    patience
  )

  it(
    "ask by a form, which says at the field what is wrong, and go on with the answer",
    async () => {
      const id = await place.run("ask", { reference: "DOCK-88213" })
      await until(id, "awaiting_input")
      const page = await openConsole(`/executions/${id}`, { expects: /422/ })
      const code = page.getByLabel("Code")

      await code.fill("48 21")
      await page.getByRole("button", { name: "Answer" }).click()
      await page.locator(".wrong").waitFor()
      await page.getByText("Sign in to the carrier portal").waitFor()
      await checkView(page, "execution-input")
      await code.fill("482153")
      await page.getByRole("button", { name: "Answer" }).click()
      await page.locator("h1").getByText("Completed").waitFor()

      const { result } = await place.account.executions.get(id)
      assert.deepStrictEqual(result, { signed_in: { code: "482153" } })
    },
    patience
  )

  it(
    "are cancelled with a reason, run again and released where they stand",
    async () => {
      const id = await place.run("wait", { reference: "INV-CANCEL" })
      await until(id, "running")
      const page = await openConsole(`/executions/${id}`)

      await page.getByRole("button", { name: "Cancel…" }).click()
      await page.getByRole("dialog").waitFor()
      await checkView(page, "execution-cancel")
      await page.getByLabel(/Reason/).fill("Wrong month")
      await page.getByRole("button", { name: "Cancel execution" }).click()
      await page.getByText("Wrong month").first().waitFor()
      await page.getByRole("button", { name: "Run again…" }).click()
      await page.getByRole("button", { name: "Run again", exact: true }).click()
      await page.waitForURL((url) => !url.pathname.endsWith(id))
      await page.getByRole("link", { name: /…/ }).first().waitFor()
      const held = await place.run("capture", { hold: true })
      await page.goto(`${baseUrl()}/integrations/executions/${held}`)
      await page.getByRole("button", { name: "Release" }).click()
      await page.locator("h1").getByText("Completed").waitFor()

      const [again] = (await place.account.executions.list({ reference: "INV-CANCEL" }).page()).data
      assert.strictEqual(again?.rerun_of, id)
      await place.account.executions.cancel(again?.id ?? "")
    },
    patience
  )

  it(
    "are cancelled by boxes however often the service asks for a pause, and stay chosen when the connection is lost",
    async () => {
      const { account } = place
      const nobody = await account.agents.create({ name: "Asks for a pause" })
      const ids = await Promise.all(
        Array.from({ length: 6 }, () => place.run("capture", { agent_id: nobody.id }))
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
      const { account } = place
      const nobody = await account.agents.create({ name: "Holds them back" })
      const ids: Array<string> = []
      for (let count = 0; count < 60; count++)
        ids.push(await place.run("capture", { agent_id: nobody.id, reference: `=BULK-${count}` }))
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
    },
    patience
  )

  it(
    "are shown by the columns and under the names that somebody chose",
    async () => {
      await place.run("capture", {})
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
    },
    patience
  )

  it(
    "say why they wait, and let who may only look see what they may not",
    async () => {
      const { account, key, task } = place
      const nobody = await account.agents.create({ name: "Nobody serves it" })
      const id = await place.run("capture", { agent_id: nobody.id, key_id: key.id, task_id: task.id })
      const page = await openConsole(`/executions/${id}`, { role: "viewer" })

      await page.getByText("No runner serves its agent").waitFor()
      await checkView(page, "execution-waiting")

      const button = page.getByRole("button", { name: "Cancel…" })
      assert.strictEqual(await button.getAttribute("aria-disabled"), "true")
    },
    patience
  )

  it(
    "are text, whatever strangers call them",
    async () => {
      const harm = await arrangeHostile(
        { admin: admin(), accountId: await accountId(), baseUrl: baseUrl() },
        hooks.url
      )
      const page = await openConsole("/executions")
      await page
        .getByRole("link", { name: /invoice/ })
        .first()
        .waitFor()
      await assertHarmless(page)
      await checkView(page, "executions-hostile")

      await page.goto(`${baseUrl()}/integrations/executions/${harm.executionId}`)
      await page.getByRole("heading", { name: "Timeline" }).waitFor()
      await checkView(page, "execution-hostile")
      await assertHarmless(page)
    },
    patience
  )

  it(
    "that are not here say so",
    async () => {
      const page = await openConsole("/executions/0192f0c1-2d3e-7abc-8def-0123456789ab", { expects: /404/ })

      await page.getByText("This execution is not here").waitFor()
      await checkView(page, "execution-gone")
    },
    patience
  )
})
