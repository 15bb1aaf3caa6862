/** Alerts as people see them on the page, and who is told, as admins set and try it there. */
import { answering, type Receiver, startReceiver } from "@runhook/test-support/receivers/Receiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"

describe("who is told of alerts", () => {
  const { accountId, admin, openConsole } = consoleSuite()
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.close())

  it("is added with a secret that is shown once, tried, paused, narrowed down and removed", async () => {
    const page = await openConsole("/alerts")
    await page.getByText("No alert is open.").waitFor()
    await checkView(page, "alerts-empty")
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route("**/api/**/alerts", async (route) => {
      await answered
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await page.getByRole("heading", { name: "Alerts" }).waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: "Who is told" }).count(), 0)
    answer()
    await page.getByRole("button", { name: "Add target" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill(receiver.url)
    await checkView(page, "alerts-add")
    await dialog.getByRole("button", { name: "Add target" }).click()
    assert.match(await page.locator(".secret code").innerText(), /^whsec_/)
    await page.getByLabel("I have saved it").check()
    await page.getByRole("button", { name: "Done" }).click()
    const target = page.getByRole("article", { name: new RegExp(receiver.origin) })

    await target.getByRole("button", { name: "Send test" }).click()
    await target.getByText("The test was accepted.").waitFor()
    assert.match(receiver.received[0]?.body ?? "", /"alerts\.test"/)
    receiver.answer(answering(500))
    await target.getByRole("button", { name: "Send test" }).click()
    await target.getByText(/The test was not accepted: .*500/).waitFor()
    await checkView(page, "alerts")
    await target.getByRole("button", { name: "Pause for a day" }).click()
    await target.getByText("Paused").waitFor()
    await target.getByRole("button", { name: "Resume" }).click()
    await target.getByText("No alert sent yet").waitFor()
    await target.getByRole("button", { name: "Change…" }).click()
    await dialog.getByLabel("New dead letters").uncheck()
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    const kept = (
      await admin()
        .account(await accountId())
        .alerts.targets.list()
    ).data
    await target.getByRole("button", { name: "Remove…" }).click()
    await dialog.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor()

    assert.deepStrictEqual(kept[0]?.kinds, ["receiver_held", "no_runner", "failing_rate"])
    assert.lengthOf(
      (
        await admin()
          .account(await accountId())
          .alerts.targets.list()
      ).data,
      0
    )
  })

  it("is said at the field if it cannot be, and viewers only look", async () => {
    const page = await openConsole("/alerts", { expects: /4\d\d/ })
    await page.getByRole("button", { name: "Add target" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("By").selectOption("E-mail")
    await dialog.getByLabel("E-mail address").fill("ops@example.com")
    await dialog.getByRole("button", { name: "Add target" }).click()
    await dialog
      .getByText(/sends no mails/)
      .first()
      .waitFor()
    await checkView(page, "alerts-no-mail")

    const looking = await openConsole("/alerts", { role: "viewer" })
    await looking.getByRole("heading", { name: "Only admins see who is told" }).waitFor()
    await looking.getByText("No alert is open.").waitFor()
  })
})
