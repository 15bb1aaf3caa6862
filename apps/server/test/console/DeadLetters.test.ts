/** A receiver that was down is repaired, and gets what it missed. */
import { answering, type Receiver, startReceiver } from "@runhook/test-support/receivers/Receiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite } from "./ConsoleSuite.ts"
import { deadLetters } from "./Dead.ts"
import { assertHarmless, hostileReceiver } from "./Hostile.ts"

describe("dead letters", () => {
  const { accountId, admin, openConsole } = consoleSuite()
  let receiver: Receiver
  const account = async () => admin().account(await accountId())

  beforeAll(async () => {
    receiver = await startReceiver(answering(401))
  })
  afterAll(() => receiver?.close())

  it("are none at first, which is said", async () => {
    const page = await openConsole("/dead-letters")

    await page.getByRole("heading", { name: "Nothing was given up" }).waitFor()

    await checkView(page, "dead-letters-none")
  })

  it("are sent again after one was tried, and what became of them is shown as it happens", async () => {
    const { id: keyId } = await (await account()).keys.create({ name: "Warehouse ERP" })
    const [one, other] = await deadLetters(await account(), { url: receiver.url, keyId, count: 3 })
    const page = await openConsole("/dead-letters")
    const row = page.getByRole("row", { name: new RegExp(receiver.origin.replace("http://", "")) })
    await row.waitFor()
    assert.match(await row.innerText(), /Refuses the signature[^]*3/)
    await checkView(page, "dead-letters")

    await row.getByRole("button", { name: /^Replay 3/ }).click()
    await page.getByRole("heading", { name: "Replay 3 dead letters?" }).waitFor()
    await page.getByText(/failed at .+ with 401/).waitFor()
    await checkView(page, "dead-letters-dialog")
    await page.getByRole("button", { name: "Try one first" }).click()
    await page.getByText(/It failed again, with 401/).waitFor()
    await checkView(page, "dead-letters-tried")

    receiver.answer(answering(200))
    const before = receiver.received.length
    await page.getByRole("button", { name: "Replay 2", exact: true }).click()
    await page.getByText("All delivered").first().waitFor()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("heading", { name: "Nothing was given up" }).waitFor()
    const sent = receiver.received.slice(before).map(({ headers }) => headers["x-webhook-event-id"])
    assert.includeMembers(sent, [one, other])
    await checkView(page, "dead-letters-replayed")

    await page.getByRole("link", { name: /refuses the signature/ }).click()
    await page.getByRole("heading", { level: 2, name: /^All delivered/ }).waitFor()
    await checkView(page, "replay")
  })

  it("of a receiver that means harm are shown as text", async () => {
    const harmful = await hostileReceiver()
    try {
      const { id: keyId } = await (await account()).keys.create({ name: "Hostile" })
      await deadLetters(await account(), { url: harmful.url, keyId, count: 1 })
      const page = await openConsole("/dead-letters")

      await page.getByRole("button", { name: /^Replay 1/ }).click()
      await page.getByText(/failed at .+ with 500/).waitFor()

      await assertHarmless(page)
    } finally {
      harmful.close()
    }
  })

  it("are for admins to replay, and for viewers to look at", async () => {
    const page = await openConsole("/dead-letters", { role: "viewer" })

    const button = page.getByRole("button", { name: /^Replay 1/ })
    await button.focus()

    assert.strictEqual(await button.getAttribute("aria-disabled"), "true")
    assert.match(await page.getByRole("tooltip").first().innerText(), /role/)
  })

  it("of a replay that nobody knows say so", async () => {
    const unknown = "0193a000-0000-7000-8000-000000000001"
    const page = await openConsole(`/replays/${unknown}`, { expects: /404/ })

    await page.getByRole("heading", { name: "This replay is not here" }).waitFor()

    await checkView(page, "replay-gone")
  })
})
