/** Standing endpoints, as somebody adds, tries, pauses and removes them on the page. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { assertHarmless, hostileName } from "./Hostile.ts"
import { receiver } from "./Works.ts"

describe("endpoints in the console", () => {
  const { accountId, admin, openConsole } = consoleSuite()

  it("are added with a secret that is shown once, tried, paused, narrowed down, rotated and removed", async () => {
    const account = admin().account(await accountId())
    const task = await account.tasks.create({ slug: "bills", name: "Fetch bills" })
    const hook = await receiver()
    const page = await openConsole("/endpoints", { expects: /422/ })
    await page.getByRole("heading", { name: "No endpoints yet" }).waitFor()
    await checkView(page, "endpoints-none")
    await page.getByRole("button", { name: "New endpoint" }).first().click()
    const form = page.getByRole("dialog", { name: "New endpoint" })
    await form.getByLabel("URL", { exact: true }).fill("ftp://nowhere.example")
    await form.getByRole("button", { name: "Create endpoint" }).click()
    await form.getByLabel("URL", { exact: true }).and(form.locator("[aria-invalid]")).waitFor()
    // What the field says is not said again below.
    await form.getByRole("alert").getByText("Each marked field says what is wrong.").waitFor()
    await checkView(page, "endpoint-wrong")
    await form.getByLabel("URL", { exact: true }).fill(hook.url)
    await form.getByLabel("Description").fill(hostileName)
    await form.getByRole("button", { name: "Create endpoint" }).click()
    await page.getByText("Shown only once.").waitFor()
    await checkView(page, "endpoint-secret")
    await page.getByLabel("I have saved it").check()
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("row", { name: /Active.*All events.*Sent.*none/ }).waitFor()
    await checkView(page, "endpoints")
    await assertHarmless(page)

    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("button", { name: "Send test" }).click()
    await page.getByRole("link", { name: "Open the delivery" }).waitFor()
    const deliveries = page.getByRole("region", { name: "Its latest deliveries" })
    await deliveries.getByRole("row", { name: /Delivered.*webhook\.test.*204/ }).waitFor()
    await checkView(page, "endpoint")
    const [made] = (await account.endpoints.list()).data
    assert.isDefined(made)

    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("Events that happen now are never told to it.").waitFor()
    await page.getByRole("button", { name: "Change…" }).click()
    const change = page.getByRole("dialog", { name: "Change this endpoint" })
    await change.getByText("execution.queued").click()
    await change.getByRole("group", { name: "Of tasks", exact: true }).getByText("Only these").click()
    await change.getByLabel("Fetch bills").check()
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByText("started, completed, failed, aborted of 1 task").first().waitFor()
    assert.deepInclude(await account.endpoints.get(made.id), {
      enabled: false,
      task_ids: [task.id],
      agent_ids: null,
      description: hostileName,
      event_types: ["execution.started", "execution.completed", "execution.failed", "execution.aborted"]
    })

    const other = await openConsole("/endpoints")
    const none = other.getByRole("heading", { name: "No endpoints yet" })
    await page.getByRole("button", { name: "Rotate secret…" }).click()
    await checkView(page, "endpoint-rotate")
    await page.getByRole("button", { name: "Show the new secret" }).click()
    await page.getByRole("region", { name: "New secret" }).getByText("Shown only once.").waitFor()
    await page.getByLabel("I have saved it").check()
    await page.getByRole("button", { name: "Done" }).click()

    await page.getByRole("link", { name: "All of its deliveries" }).click()
    await page.getByRole("row", { name: /webhook\.test/ }).waitFor()
    await page.getByRole("button", { name: /^Endpoint:/ }).waitFor()
    await page.goBack()
    await page.getByRole("button", { name: "Remove…" }).click()
    await page.getByText("what waits for it is cancelled").waitFor()
    // Others hear of it before its own page has the answer, which then asks for it no more.
    await page.route(`**/webhooks/endpoints/${made.id}`, async (route) => {
      if (route.request().method() !== "DELETE") return route.fallback()
      const answer = await route.fetch()
      await none.waitFor()
      await route.fulfill({ response: answer })
    })
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByRole("heading", { name: "No endpoints yet" }).waitFor()
    hook.close()
  })

  it("that are polled say how to fetch from them, and are not shown to viewers", async () => {
    const account = admin().account(await accountId())
    const { id } = await account.endpoints.create({ kind: "poll", description: "Behind a firewall" })
    const page = await openConsole(`/endpoints/${id}`)
    const command = page.getByRole("region", { name: "command that fetches messages" })
    assert.include(await command.innerText(), `/webhooks/endpoints/${id}/messages?wait=30`)
    await checkView(page, "endpoint-poll")
    const theirs = await openConsole("/endpoints", { role: "viewer" })
    await theirs.getByText("Only admins see endpoints").waitFor()
    await checkView(theirs, "endpoints-viewer")
    await theirs.goto(page.url())
    await theirs.getByRole("heading", { name: /^Only admins see where an endpoint sends/ }).waitFor()
    await checkView(theirs, "endpoint-viewer")
    await theirs.getByRole("link", { name: "its deliveries" }).click()
    await theirs.waitForURL(`**/deliveries?endpoint=${id}`)
    await theirs.getByRole("heading", { name: "Nothing matches these filters" }).waitFor()
    await page.goto(page.url().replace(/endpoints.*/, "keys"))
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("firewall")
    await page.getByRole("option", { name: "Behind a firewall Endpoint" }).waitFor()
    await page.keyboard.press("Enter")
    await page.waitForURL(`**/endpoints/${id}`)
    await account.endpoints.remove(id)
  })
})
