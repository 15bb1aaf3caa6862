import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { assert, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { assertHarmless, hostileName } from "./Hostile.ts"
import { viewport } from "./KeptWindows.ts"

/** Everything that a page keeps or shows outside of itself. */
const kept = `JSON.stringify([
  location.href, document.title, history.state, { ...localStorage }, { ...sessionStorage }
])`

const secretsOn = (page: Page) => page.locator(".secret code").allInnerTexts()

describe("the keys of an account", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  const account = async () => admin().account(await accountId())

  const statusOf = async (key: string) =>
    (await fetch(`${baseUrl()}/api/v1/integrations/tasks`, { headers: { authorization: `Bearer ${key}` } }))
      .status

  it("are made with scopes by name, shown once, tried, and kept nowhere", async () => {
    await (await account()).tasks.create({ slug: "fetch-page", name: "Fetch page" })
    const page = await openConsole("/keys/new")
    await page.getByLabel("Name").fill("Warehouse ERP")
    const tasks = page.getByRole("group", { name: "Tasks it may run" }).first()
    await tasks.getByLabel("Only these").check()
    await tasks.getByLabel("Fetch page").check()
    await page.getByLabel("Choose of 9 capabilities").check()
    await page.getByLabel(/Read tasks and agents/).check()
    await page.getByLabel("Expires").selectOption({ label: "In 90 days" })
    await page.getByLabel("Max. concurrent executions").fill("50")
    await checkView(page, "key-new")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByText("Waiting for the first call of this key").waitFor()
    const [key = "", signingSecret = ""] = await secretsOn(page)
    await checkView(page, "key-created")
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download .env" }).click()
    ])

    assert.strictEqual(await statusOf(key), 200)
    await page.getByText(/First call received/).waitFor()

    const env = await readFile(await file.path(), "utf8")
    assert.strictEqual(file.suggestedFilename(), "warehouse-erp.env")
    assert.strictEqual(
      env,
      `RUNHOOK_BASE_URL=${baseUrl()}\nRUNHOOK_API_KEY=${key}\nRUNHOOK_SIGNING_SECRET=${signingSecret}\n`
    )
    const around = String(await page.evaluate(kept))
    assert.notInclude(around, key)
    assert.notInclude(around, signingSecret)
    const [made] = await (await account()).keys.list().toArray({ limit: 1 })
    assert.deepInclude(made, { name: "Warehouse ERP", capabilities: ["catalog:read"], max_live: 50 })
    assert.lengthOf(made?.allowed_task_ids ?? [], 1)

    await page.getByLabel("I have saved both").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("heading", { level: 1, name: "Warehouse ERP" }).waitFor()
    await page.goBack()
    assert.notInclude(await page.locator("body").innerText(), key)
  })

  it("ask once before somebody leaves without the secrets", async () => {
    const page = await openConsole("/keys/new")
    await page.getByLabel("Name").fill("Forgetful")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByRole("heading", { name: "API key", exact: true }).waitFor()

    await page.getByRole("link", { name: "Audit log" }).click()
    const question = page.getByRole("dialog", { name: "Leave without the secrets?" })
    await question.getByRole("button", { name: "Stay" }).click()
    const [stayed] = await secretsOn(page)
    await page.getByRole("link", { name: "Audit log" }).click()
    await question.getByRole("button", { name: "Leave" }).click()
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor()

    assert.match(stayed ?? "", /^rhlive_/)
    assert.strictEqual(new URL(page.url()).pathname, "/integrations/audit")
  })

  it("are listed with what they may use and how they stand, whatever they are called", async () => {
    const { keys } = await account()
    const { created_at } = await keys.create({ name: hostileName })
    const soon = new Date(Date.parse(created_at) + 3 * 86_400_000).toISOString()
    await keys.create({ name: "Staging, old", expires_at: soon, allowed_task_ids: [] })
    const gone = await keys.create({ name: "Laptop of Tom" })
    await keys.revoke(gone.id)
    const page = await openConsole("/keys")
    const rowOf = (name: string) => page.getByRole("row").filter({ hasText: name })

    assert.match(await rowOf("Staging, old").innerText(), /Expires soon[^]*None/)
    assert.match(await rowOf("Laptop of Tom").innerText(), /Revoked/)
    await assertHarmless(page)
    await checkView(page, "keys")
    await page.getByLabel("Show revoked").uncheck()
    await rowOf("Laptop of Tom").waitFor({ state: "detached" })

    assert.strictEqual(new URL(page.url()).search, "?revoked=hidden")
  })

  it("are rotated with an overlap, in which both are accepted", async () => {
    const { keys } = await account()
    const before = await keys.create({ name: "Customs desk" })
    const page = await openConsole(`/keys/${before.id}`)

    await page.getByRole("button", { name: "Rotate key…" }).click()
    const dialog = page.getByRole("dialog", { name: "Rotate the key" })
    await dialog.getByLabel(/stays valid for/).selectOption({ label: "1 hour" })
    await checkView(page, "key-rotate")
    // Whoever closes the dialog meanwhile would never see the key.
    const made = Promise.withResolvers<void>()
    await page.route("**/rotate", (route) => made.promise.then(() => route.continue()))
    await dialog.getByRole("button", { name: "Show the new key" }).click()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await dialog.getByRole("button", { name: "Not now" }).click({ force: true })
    made.resolve()
    await page.locator(".secret").waitFor()
    assert.strictEqual(await dialog.count(), 0)
    const [after = ""] = await secretsOn(page)

    assert.notStrictEqual(after, before.key)
    assert.deepStrictEqual([await statusOf(before.key), await statusOf(after)], [200, 200])
    await page.getByLabel("I have saved it").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.locator(".secret").waitFor({ state: "detached" })
    await page.getByText("accepted until").waitFor()
  })

  it("get another signing secret staged, or at once", async () => {
    const { keys } = await account()
    const { id, signing_secret } = await keys.create({ name: "Portal" })
    const page = await openConsole(`/keys/${id}`)
    const states = async () => (await keys.get(id)).signing_secrets.map(({ state }) => state)

    await page.getByRole("button", { name: "Rotate signing secret…" }).click()
    await checkView(page, "key-rotate-secret")
    await page.getByRole("button", { name: "Show the next secret" }).click()
    await page.locator(".secret").waitFor()
    const [staged] = await secretsOn(page)
    await checkView(page, "key-secret-shown")
    const whileStaged = await states()
    await page.getByLabel("I have saved it").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByText("Staged", { exact: true }).waitFor()
    await page.getByText(/Replaced staged at .+ by Jana/).waitFor()
    await page.getByRole("button", { name: "Rotate signing secret…" }).click()
    await page.getByLabel(/At once: the secret leaked/).check()
    assert.strictEqual(
      await page.locator(".sub", { hasText: "Every receiver" }).innerText(),
      "Every receiver with the old one refuses callbacks until it has the new one. No callback is waiting now."
    )
    await page.getByRole("button", { name: "Replace it now" }).click()
    await page.locator(".secret").waitFor()

    assert.match(staged ?? "", /^whsec_/)
    assert.notStrictEqual(staged, signing_secret)
    assert.deepStrictEqual(whileStaged, ["active", "staged"])
    assert.deepStrictEqual(await states(), ["active"])
  })

  it("are changed in their name, scopes, permissions and limits, and keep the rest", async () => {
    const { keys } = await account()
    const expires_at = "2030-05-06T07:08:09.000Z"
    const { id } = await keys.create({ name: "Old name", expires_at, capabilities: ["webhooks:test"] })
    const page = await openConsole(`/keys/${id}`)
    // Nothing was sent for this key yet, so the inbox of this machine is suggested for a test.
    await vi.waitFor(
      async () =>
        assert.strictEqual(await page.getByLabel("Send to").inputValue(), `${baseUrl()}/demo/inbox`),
      { timeout: patience }
    )

    await page.getByRole("button", { name: "Change…" }).click()
    const dialog = page.getByRole("dialog", { name: "Change this key" })
    await dialog.getByLabel("Name").fill("New name")
    await dialog.getByLabel("Read executions").check()
    await dialog.getByLabel("Requests per second").fill("2")
    await dialog.getByLabel("Requests at once").fill("10")
    await checkView(page, "key-change")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { level: 1, name: "New name" }).waitFor()

    assert.deepInclude(await keys.get(id), {
      name: "New name",
      expires_at,
      capabilities: ["executions:read", "webhooks:test"],
      rate_limit: { per_second: 2, burst: 10 },
      allowed_task_ids: null,
      max_live: null
    })
  })

  it("are revoked once it was said in numbers what that costs", async () => {
    const { keys } = await account()
    const { id, key } = await keys.create({ name: "Leaked" })
    const page = await openConsole(`/keys/${id}`)
    await page.getByText("by Admin key 1").waitFor()
    await checkView(page, "key")

    await page.getByRole("button", { name: "Revoke…" }).click()
    const dialog = page.getByRole("dialog", { name: "Revoke Leaked" })
    const cost = await dialog.innerText()
    await checkView(page, "key-revoke")
    await dialog.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("heading", { name: "This key is revoked" }).waitFor()

    assert.match(cost, /Never used[^]*calls get 401[^]*No callback is waiting/)
    assert.strictEqual(await statusOf(key), 401)
    assert.strictEqual(await page.getByRole("button", { name: "Rotate key…" }).count(), 0)
    await checkView(page, "key-revoked")
  })

  it("say who may not change them, and that one is not there", async () => {
    const page = await openConsole("/keys", { role: "viewer", expects: /404/ })
    const button = page.getByRole("button", { name: "New key" }).first()
    const ground = () => button.evaluate("(each) => getComputedStyle(each).backgroundColor")
    const before = await ground()
    await button.hover()
    const below = await ground()
    const why = await page.getByRole("tooltip").first().boundingBox()
    await button.focus()

    assert.strictEqual(below, before, "the pointer gives it the ground of a button that may be pressed")
    assert.isAtMost((why?.x ?? Infinity) + (why?.width ?? 0), viewport.width, "the reason is cut off")
    assert.strictEqual(await button.getAttribute("aria-disabled"), "true")
    await page.getByText("You have the role viewer.").first().waitFor()
    await page.goto(`${baseUrl()}/integrations/keys/new`)
    await page.getByRole("heading", { name: "You can look at this form, but not send it" }).waitFor()
    await checkView(page, "key-new-viewer")
    await page.goto(`${baseUrl()}/integrations/keys/0192f0c1-2d3e-7abc-8def-0123456789ab`)
    await page.getByRole("heading", { name: "This API key is not here" }).waitFor()
    await checkView(page, "key-gone")
  })
})
