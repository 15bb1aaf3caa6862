/** Who may see an account, and which runners may connect, as admins manage it on the page. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { holdNext } from "./Held.ts"
import { assertHarmless, hostileName } from "./Hostile.ts"

describe("access to an account", () => {
  const { accountId, admin, baseUrl, openConsole } = consoleSuite()
  const account = async () => admin().account(await accountId())

  it("is given by a link that is shown once, seen in use, and taken back with everybody it let in", async () => {
    const page = await openConsole("/access")
    await page.getByRole("button", { name: "Invite somebody" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("Ada Lovelace")
    await checkView(page, "access-invite")
    await dialog.getByRole("button", { name: "Create link" }).click()
    const link = await dialog.getByRole("region", { name: "sign-in link" }).innerText()
    await checkView(page, "access-link")
    await dialog.getByRole("button", { name: "Done" }).click()
    const open = page.getByRole("row", { name: /Ada Lovelace.*viewer.*Not used yet/ })
    await open.waitFor()

    const theirs = await openConsole(link.slice(`${baseUrl()}/integrations`.length), {
      role: null,
      expects: /401/
    })
    await theirs.getByRole("button", { name: "Sign in" }).click()
    await theirs.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    await page.getByRole("button", { name: "Sign out Ada Lovelace" }).waitFor()
    await page.getByText("you, here").first().waitFor()
    await checkView(page, "access")
    await page.getByRole("button", { name: "Sign out Ada Lovelace" }).click()
    await checkView(page, "access-sign-out")
    await dialog.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign out Ada Lovelace" }).waitFor({ state: "detached" })
    await theirs.reload()
    await theirs.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()

    const { data } = await (await account()).consoleLinks.list().page()
    assert.deepInclude(data[0], { name: "Ada Lovelace", role: "viewer", state: "used" })
  })

  it("gets another role by a new link, and an unused link is withdrawn", async () => {
    const { consoleLinks, consoleSessions } = await account()
    const { url } = await consoleLinks.create({ name: hostileName, role: "viewer" })
    const theirs = await openConsole(url.slice(`${baseUrl()}/integrations`.length), {
      role: null,
      expects: /401/
    })
    await theirs.getByRole("button", { name: "Sign in" }).click()
    await theirs.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    const page = await openConsole("/access")
    const hostile = page.getByRole("row").filter({ hasText: "viewer" }).filter({ hasText: "Sign out" })
    await hostile.first().waitFor()
    await assertHarmless(page)

    await hostile
      .first()
      .getByRole("button", { name: /^Change role/ })
      .click()
    const dialog = page.getByRole("dialog")
    assert.strictEqual(await dialog.getByLabel("Role").inputValue(), "admin")
    await dialog.getByRole("button", { name: "Create link" }).click()
    await dialog.getByRole("button", { name: "Done" }).click()
    await page
      .getByRole("button", { name: /^Withdraw the link/ })
      .first()
      .click()
    await page.getByText("Withdrawn").first().waitFor()

    const sessions = await consoleSessions.list().toArray({ limit: 50 })
    assert.isFalse(sessions.some(({ name }) => name === hostileName))
    assert.deepInclude((await consoleLinks.list().page()).data[0], { role: "admin", state: "withdrawn" })
  })

  it("keeps the older links that somebody went down to, when it looks again", async () => {
    const { consoleLinks } = await account()
    for (let index = 0; index < 51; index++)
      await consoleLinks.create({ name: `Visitor ${index}`, role: "viewer" })
    const page = await openConsole("/access", { role: "admin" })
    const links = page.getByRole("region", { name: "Sign-in links" })
    await page.clock.install()
    await page.reload()
    // Older ones load once the end of the list comes near.
    await links.locator(".more").scrollIntoViewIfNeeded()
    await links.getByRole("button", { name: "Withdraw the link for Visitor 0", exact: true }).focus()

    const looked = page.waitForResponse(/links/)
    await page.clock.runFor(5_000)
    await (await looked).finished()
    const again = page.waitForResponse(/links/)
    await page.clock.runFor(5_000)
    await again

    const focused = await page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert.strictEqual(focused, "Withdraw the link for Visitor 0")
  })

  it("of runners is a key that is made for agents, shown once, and revoked", async () => {
    const { agents, runnerKeys } = await account()
    const agent = await agents.create({ name: "Portal EU 1" })
    const page = await openConsole("/access")
    await page.getByRole("button", { name: "New runner key" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("eu-1")
    await dialog.getByLabel("Only these").check()
    await dialog.getByLabel("Portal EU 1").check()
    await checkView(page, "access-runner-key")
    await dialog.getByRole("button", { name: "Create runner key" }).click()
    const key = await page.locator(".secret code").innerText()
    await checkView(page, "access-runner-key-shown")
    await page.getByLabel("I have saved it").check()
    await page.getByRole("button", { name: "Done" }).click()
    const mayConnect = async () =>
      (
        await fetch(`${baseUrl()}/api/v1/runner/sessions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ runner_name: "eu-1", instance_id: "one", capacity: 1 })
        })
      ).status
    const before = await mayConnect()
    const active = await holdNext(page, /\/runner-keys/)
    await agents.create({ name: "Portal EU 2" })
    await active.isAnswered
    await page.keyboard.press(".")
    await page.getByRole("button", { name: "Revoke eu-1" }).click()
    await checkView(page, "access-runner-key-revoke")
    await dialog.getByRole("button", { name: "Revoke" }).click()
    const revoked = page.getByRole("row", { name: /eu-1.*Revoked/ })
    await revoked.waitFor()
    // An answer that was asked for before does not take its place.
    await active.letGo()
    await revoked.waitFor()

    assert.match(key, /^rhrun_/)
    assert.notStrictEqual(before, 401)
    assert.strictEqual(await mayConnect(), 401)
    const [made] = (await runnerKeys.list().page()).data
    assert.deepStrictEqual([made?.name, made?.agent_ids], ["eu-1", [agent.id]])
  })

  it("is not shown to viewers, who are told whom to ask", async () => {
    const page = await openConsole("/access", { role: "viewer" })

    await page.getByRole("heading", { name: "Only admins see who has access" }).waitFor()
    await page.getByRole("heading", { name: "Runner keys" }).waitFor()
    assert.strictEqual(
      await page.getByRole("button", { name: "Invite somebody" }).getAttribute("aria-disabled"),
      "true"
    )
    await checkView(page, "access-viewer")
  })
})
