/** A person tries their receiver. */
import { answering, type Receiver, startReceiver } from "@runhook/test-support/receivers/Receiver"
import { afterEach, assert, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { tryNow } from "./TryNow.ts"

describe("the test webhook", () => {
  const { accountId, admin, openConsole } = consoleSuite()
  const receivers: Array<Receiver> = []
  beforeAll(async () => {
    await admin()
      .account(await accountId())
      .keys.create({ name: "Warehouse ERP" })
  })
  afterEach(() => receivers.splice(0).forEach((receiver) => receiver.close()))
  /** A test event is sent to a receiver that answers so. */
  const sending = async (status: number) => {
    const receiver = await startReceiver(
      answering(status, status === 401 ? '{"error":"no such signature"}' : "")
    )
    receivers.push(receiver)
    const page = await openConsole("/test-webhook")
    await page.getByLabel("Send to").fill(receiver.url)
    await page.getByRole("button", { name: "Send" }).click()
    return { page, receiver }
  }

  it("shows step by step that it arrived", async () => {
    const { page, receiver } = await sending(204)

    await page.getByText(/^204 in .+: it works/).waitFor()

    assert.strictEqual(receiver.received.length, 1)
    assert.deepStrictEqual(
      (await page.locator(".steps > li").allInnerTexts()).map((step) =>
        step.replace(/[\d:.]+.*$/s, "").trim()
      ),
      ["Signed and sent", "Connected, in", "204 in"].map((step) => step.replace(/\d+.*/, "").trim())
    )
    await checkView(page, "test-webhook")
  })

  it("suggests nothing to whoever writes already", async () => {
    const { page, receiver } = await sending(204)
    await page.getByText(/^204 in .+: it works/).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(/\/deliveries\?/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()

    await page.getByLabel("Send to").focus()
    held.resolve()
    await page.locator(`datalist option[value="${receiver.url}"]`).waitFor({ state: "attached" })
    await page.keyboard.type("https://a")

    assert.strictEqual(await page.getByLabel("Send to").inputValue(), "https://a")
  })

  it("says what an answer means, tries again when asked, and shows that too", async () => {
    const { page, receiver } = await sending(401)
    await page.getByText(/refuses the signature/).waitFor()
    await page.getByRole("region", { name: "answer body" }).getByText("no such signature").waitFor()
    await checkView(page, "test-webhook-refused")

    await tryNow({
      button: page.getByRole("button", { name: "Try now" }),
      mend: () => receiver.answer(answering(200)),
      shown: page.getByText(/^200 in .+: it works/)
    })

    assert.isAtLeast(receiver.received.length, 2)
  })

  it("says what is wrong with an address where it was typed", async () => {
    const page = await openConsole("/test-webhook", { expects: /422/ })
    const field = page.getByLabel("Send to")

    await field.fill("https://10.0.0.1/hook")
    await page.getByRole("button", { name: "Send" }).click()
    await page.locator('input[aria-invalid="true"]').waitFor()

    assert.match(await page.locator(".wrong").innerText(), /\w/)
    await checkView(page, "test-webhook-wrong")
  })

  it("tells viewers why they may not send one", async () => {
    const page = await openConsole("/test-webhook", { role: "viewer" })
    await page.getByLabel("Send to").fill("https://receiver.example/hook")

    await page.getByRole("button", { name: "Send" }).focus()

    assert.match(await page.getByRole("tooltip").first().innerText(), /role/)
    assert.strictEqual(await page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled"), "true")
  })
})
