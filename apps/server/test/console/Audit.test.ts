import { readFile } from "node:fs/promises"
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { assertHarmless, hostileName } from "./Hostile.ts"

describe("the audit log", () => {
  const { accountId, admin, openConsole } = consoleSuite()

  /** A history with something of everything. */
  const someHistory = async () => {
    const account = admin().account(await accountId())
    const key = await account.keys.create({ name: "Warehouse ERP", max_live: 50 })
    await account.keys.update(key.id, { max_live: 500, name: "Warehouse ERP 2" })
    await account.keys.rotateSigningSecret(key.id, { mode: "staged" })
    const task = await account.tasks.create({ slug: `task-of-${key.id}`, name: "Fetch page" })
    const version = await account.tasks.publish(task.id, {
      params_schema: { type: "object" },
      make_current: false
    })
    await account.tasks.moveTag({ task_id: task.id, name: "canary" }, { version_id: version.id })
    await account.runnerKeys.create({ name: hostileName })
    return { account, key }
  }

  it("tells who changed what, from where, and shows strangers' names as text", async () => {
    const { key } = await someHistory()
    const page = await openConsole("/audit")
    const row = page.getByRole("row").filter({ hasText: "Key updated" })
    await row.getByText("Before and after").click()

    assert.include(await row.innerText(), "Admin key 1")
    assert.include(await row.innerText(), "127.0.0.1")
    assert.match(await row.innerText(), /max live[^]*50[^]*500/)
    assert.strictEqual(await row.getByRole("link").getAttribute("href"), `/integrations/keys/${key.id}`)
    await assertHarmless(page)
    await checkView(page, "audit")
  })

  it("is narrowed down by kind and by words, in the address, and comes as a file", async () => {
    const { key } = await someHistory()
    const page = await openConsole("/audit")

    await page.getByLabel("Kind").selectOption({ label: "Keys and secrets" })
    await page.getByRole("searchbox", { name: "Who, what or id" }).fill(key.id)
    await page.keyboard.press("Enter")
    await page.getByText("3 changes").waitFor()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as CSV" }).click()
    ])

    assert.strictEqual(new URL(page.url()).search, `?q=${key.id}&kind=key`)
    assert.strictEqual(file.suggestedFilename(), "audit.csv")
    const text = await readFile(await file.path(), "utf8")
    assert.lengthOf(text.trim().split("\r\n"), 4)
    assert.notInclude(text, key.signing_secret)
    // What was typed is one step of the history, by Enter too.
    await page.goBack()
    assert.strictEqual(new URL(page.url()).search, "?kind=key")
  })

  it("is narrowed down by two filters that change before the page is drawn again", async () => {
    const page = await openConsole("/audit")

    await page.evaluate(`for (const [label, value] of [["Kind", "key"], ["From", "2026-11-01"]]) {
        const labels = [...document.querySelectorAll("form.tools label")]
        const field = labels.find(({ textContent }) => textContent === label).control
        field.value = value
        field.dispatchEvent(new Event("change", { bubbles: true }))
      }`)

    await page.waitForURL(/kind=/)
    assert.strictEqual(new URL(page.url()).search, "?kind=key&from=2026-11-01")
  })

  it("shows what changes while it is looked at, to viewers too", async () => {
    const account = admin().account(await accountId())
    const page = await openConsole("/audit", { role: "viewer" })
    await page.getByRole("row").nth(1).waitFor()

    await account.agents.create({ name: "Portal EU 2" })
    await page.getByRole("button", { name: /new change/ }).click()

    const made = page.getByRole("row").filter({ hasText: "Agent created" }).first()
    await made.waitFor()
    assert.include(await made.innerText(), "Portal EU 2")
  })

  it("says that nothing matches, and leads back", async () => {
    const page = await openConsole("/audit?q=nobody-of-that-name")
    await page.getByRole("heading", { name: "Nothing matches nobody-of-that-name" }).waitFor()
    await checkView(page, "audit-nothing")

    await page.getByRole("button", { name: "Clear filters" }).first().click()

    await page.getByText("Account created").waitFor()
  })
})
