/** The frame of every view. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"

describe("the console's shell", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()

  it("shuts nobody out", async () => {
    const page = await openConsole("/nowhere")

    await checkView(page, "missing")
  })

  it("leads everywhere by keyboard alone", async () => {
    const page = await openConsole("/")

    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("d")
    await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor()

    assert.strictEqual(page.url(), `${baseUrl()}/integrations/deliveries`)
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Deliveries")
    assert.match(await page.title(), /^Deliveries - .+ - Runhook$/)
  })

  it("finds things by part of a name or the beginning of an id, as somebody types, and the last ones without", async () => {
    const account = admin().account(await accountId())
    const agent = await account.agents.create({ name: "Portal EU 1" })
    const task = await account.tasks.create({ slug: "carrier", name: "Download Carrier <b>invoices</b>" })
    await account.tasks.publish(task.id, { params_schema: { type: "object" } })
    const key = await account.keys.create({ name: "Northquay ERP" })
    const ids = { key_id: key.id, agent_id: agent.id, task_id: task.id, params: {} }
    const { execution_id: id } = await account.executions.create({ ...ids, reference: "INV-2026-0907" })
    const page = await openConsole("/")
    const dialog = page.getByRole("dialog", { name: "Find" })
    const field = dialog.getByRole("combobox")
    const options = dialog.getByRole("option")

    // From the keyboard alone, also while a field has the focus.
    await page.keyboard.press("Control+k")
    await field.pressSequentially("carrier inv")
    await options.filter({ hasText: "Download Carrier <b>invoices</b>" }).waitFor()
    await checkView(page, "palette")
    await field.fill("quay")
    await options.filter({ hasText: "Northquay ERP" }).waitFor()
    await field.fill("INV-2026")
    await options.filter({ hasText: "INV-2026-0907" }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(`${baseUrl()}/integrations/executions/${id}`)
    await page.locator("h1").getByText("Download Carrier").waitFor()
    await page.getByRole("button", { name: /Find/ }).click()
    await field.fill(id.slice(0, 13))
    await options.filter({ hasText: "INV-2026-0907" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowUp")
    await field.fill("")

    // What was opened last comes first.
    const first = options.first()
    await first.getByText("execution", { exact: true }).waitFor()
    assert.include(await first.innerText(), "Download Carrier")
    assert.strictEqual(await field.getAttribute("aria-activedescendant"), await first.getAttribute("id"))
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
  })

  it("hears the keys from the moment at which it is seen", async () => {
    // A window of its own, in which the script stays.
    const page = await openConsole("/deliveries", { role: "admin" })
    await page.addInitScript(`
        new MutationObserver((_, observer) => {
          if (document.querySelector(".finder") === null) return
          observer.disconnect()
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }))
        }).observe(document, { childList: true, subtree: true })
      `)

    await page.reload()

    await page.getByRole("dialog", { name: "Find" }).waitFor()
    assert.strictEqual(await page.evaluate("document.activeElement.role"), "combobox")
  })

  it("loses no key that is pressed right after those that open and close the search", async () => {
    const page = await openConsole("/deliveries")
    const field = page.getByRole("dialog", { name: "Find" }).getByRole("combobox")
    const typeAtOnce = (keys: ReadonlyArray<string>) =>
      // One is sent without a wait for the one before, and no frame is drawn in between.
      Promise.all(keys.map((key) => page.keyboard.press(key)))
    await page.evaluate("requestAnimationFrame = () => 0")

    const text = "ge quay".split("")
    // The first clears the field.
    const leaving = ["Escape", "Escape"]
    const isTyped = async () => {
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "ge quay")
    }

    for (const opening of ["/", "Control+k"]) {
      await page.keyboard.press(opening)
      await typeAtOnce(text)
      await isTyped()
      await typeAtOnce([...leaving, "/", ...text])
      await isTyped()
      await typeAtOnce(leaving)
      await field.waitFor({ state: "detached" })
    }
    assert.strictEqual(page.url(), `${baseUrl()}/integrations/deliveries`)
  })

  it("leads to what somebody chose among the found, whatever is found before it meanwhile", async () => {
    const account = admin().account(await accountId())
    await account.tasks.create({ slug: "key-check", name: "Key check" })
    const page = await openConsole("/deliveries")
    const names = await holdNext(page, /\/schedules\?/)
    await page.keyboard.press("/")
    const options = page.getByRole("option")
    await page.getByRole("combobox", { name: "Find" }).fill("key")
    await names.isAnswered
    await page.keyboard.press("ArrowDown")
    assert.include(await page.locator("[aria-selected=true]").innerText(), "New API key")
    await names.letGo()
    await options.first().getByText("Key check").waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(`${baseUrl()}/integrations/keys/new`)
  })

  it("finds a thing by its id, whatever it is of, and a key by the part that is no secret", async () => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug: "find-me", name: "Find me" })
    const key = await account.keys.create({ name: "Find me" })
    const page = await openConsole("/")
    const find = async (text: string, path: string) => {
      await page.getByRole("button", { name: /^Find/ }).click()
      await page.getByRole("combobox", { name: "Find" }).fill(text)
      await page.keyboard.press("Enter")
      await page.waitForURL(`${baseUrl()}/integrations${path}`)
      await page.getByRole("combobox", { name: "Find" }).waitFor({ state: "detached" })
    }

    await find(task.id, `/tasks/${task.id}`)
    await find(`rhlive_${key.prefix}_whatever`, `/keys/${key.id}`)
    await find("execution.failed", "/deliveries?q=execution.failed")
    await find("INV-2026-11-0642", "/deliveries?q=INV-2026-11-0642")
    await find("req_01kavx2m9t", "/audit?q=req_01kavx2m9t")

    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })

  it("lists its keys, and has them off for who wants that", async () => {
    const page = await openConsole("/deliveries")

    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
    await checkView(page, "keys-of-the-page")
    await page.getByRole("checkbox").uncheck()
    await page.keyboard.press("Escape")
    await page.keyboard.press("g")
    await page.keyboard.press("e")
    await page.keyboard.press("?")

    assert.strictEqual(page.url(), `${baseUrl()}/integrations/deliveries`)
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })

  it("keeps the theme that somebody chose in the account menu, which leads to the documentation", async () => {
    const page = await openConsole("/deliveries", { colorScheme: "light" })
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor")
    const light = await ground()
    await page.getByRole("button", { name: /Jana, admin/ }).click()
    await page.getByLabel("Theme").selectOption("Dark")
    const dark = await ground()
    await checkView(page, "theme")
    await page.reload()
    await page.getByRole("heading", { level: 1 }).waitFor()

    assert.notStrictEqual(dark, light)
    assert.strictEqual(await ground(), dark)
    await page.getByRole("button", { name: /Jana, admin/ }).click()
    await page.getByRole("link", { name: "API reference" }).click()
    await page.waitForURL(/\/docs\/api/)
  })

  it("prints what a page says, without what one presses", async () => {
    const page = await openConsole("/deliveries")
    const menu = page.getByRole("navigation", { name: "Console" })
    assert.isTrue(await menu.isVisible())
    await page.emulateMedia({ media: "print" })

    assert.isFalse(await menu.isVisible())
    assert.isFalse(await page.getByRole("form", { name: "Filters" }).isVisible())
    assert.isTrue(await page.getByRole("heading", { level: 1, name: "Deliveries" }).isVisible())
    await page.emulateMedia({ media: null })
  })

  it("opens its menu on a phone, and closes it where that leads somewhere", async () => {
    const page = await openConsole("/", { viewport: { width: 360, height: 800 } })
    const menu = page.getByRole("navigation", { name: "Console" })

    assert.isFalse(await menu.isVisible())
    await page.getByRole("button", { name: "Menu" }).click()
    await menu.getByRole("link", { name: "Tasks" }).click()
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor()

    assert.isFalse(await menu.isVisible())
  })
})
