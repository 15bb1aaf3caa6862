/** One delivery as a person finds out what is wrong with it, and repairs it. */
import { createHmac } from "node:crypto"
import { assert, describe, it, vi } from "vitest"
import { checkView } from "./CheckView.ts"
import { patience } from "./ConsoleSuite.ts"
import { deliveriesSuite, receiver } from "./DeliveriesSuite.ts"
import { holdNext } from "./Held.ts"
import { assertHarmless } from "./Hostile.ts"

describe("one delivery in the console", () => {
  const { account, made, openConsole, site, tried } = deliveriesSuite()

  it("say what is wrong first, and find what is wrong with a signature, while attempts go on", async () => {
    const page = await openConsole("/deliveries")
    const taken = await holdNext(page, /\/deliveries\?.*url_origin=/)
    await page.locator(`a[href$="${made.refused}"]`).click()
    await taken.isAnswered
    // Whether its receiver ever took one is not known yet.
    assert.strictEqual(await page.getByRole("heading", { name: /never accepted/ }).count(), 0)
    await taken.letGo()
    await page.getByRole("heading", { level: 2, name: /refuses/ }).waitFor()
    await checkView(page, "delivery")
    const shown = await tried(made.refused)
    const { payload } = shown
    const timestamp = shown.attempts_log.at(-1)?.request?.headers["X-Webhook-Timestamp"] ?? ""
    const signature = shown.attempts_log.at(-1)?.request?.headers["X-Webhook-Signature"] ?? ""
    assert.strictEqual(
      createHmac("sha256", made.secret)
        .update(payload + timestamp)
        .digest("hex"),
      signature
    )

    await page.getByLabel("Signing secret of the receiver").fill(made.secret)
    await page.getByRole("button", { name: "Try now" }).click()
    await page.getByRole("link", { name: `Attempt ${shown.attempts + 1}` }).waitFor()
    await page.getByLabel("Body, exactly").fill(payload.replace(":", ": "))
    await page.getByRole("button", { name: "Check", exact: true }).click()

    const found = page.locator("#check dl")
    await found.waitFor()
    assert.match(await found.innerText(), /is the one that signed this attempt/)
    assert.match(await found.innerText(), /a space that was not sent/)
    await checkView(page, "delivery-checked")
  })

  it("tell who replaced the secret that a receiver has not", async () => {
    const { keys, webhooks } = await account()
    const key = await keys.create({ name: "Customs broker" })
    const sent = async () => {
      const { delivery_id } = await webhooks.test({ key_id: key.id, callback_url: `${site().origin}/gate` })
      return await tried(delivery_id)
    }
    await sent()
    await keys.rotateSigningSecret(key.id, { mode: "immediate" })
    site().answerBy(401)
    const { id } = await sent()
    const page = await openConsole(`/deliveries/${id}`)

    await page.getByRole("heading", { level: 2, name: "The receiver refuses the signature" }).waitFor()
    const said = page.locator("section.note")

    assert.match(await said.innerText(), /It accepted callbacks of the key until .+ was replaced at .+ by /)
    await checkView(page, "delivery-rotated")
  })

  it("are tried again and given out as a signed command, in place", async () => {
    const page = await openConsole(`/deliveries/${made.failing}`)
    await page.getByRole("button", { name: "Copy as curl, freshly signed" }).click()
    await page.getByRole("region", { name: "command" }).waitFor()
    const { attempts } = await tried(made.failing)

    await page.getByRole("button", { name: "Try now" }).click()

    await page.getByText("It goes out now.").waitFor()
    await page.getByRole("link", { name: `Attempt ${attempts + 1}` }).waitFor()
    assert.isAbove((await tried(made.failing)).attempts, attempts)
  })

  it("are replayed where they were delivered, and show the new round", async () => {
    const page = await openConsole(`/deliveries/${made.ok}`)

    await page.getByRole("button", { name: "Replay" }).click()

    await page.getByRole("link", { name: "Attempt 2.1" }).waitFor()
    await page.getByText("Round 2 is over: delivered.").waitFor()
    const body = page.getByRole("region", { name: "body", exact: true })
    await body.getByText("type:").waitFor()
    await page.getByRole("button", { name: "Show raw of body", exact: true }).click()
    assert.strictEqual(await body.innerText(), (await tried(made.ok)).payload)
    await checkView(page, "delivery-delivered")
  })

  it("show the answer of a hostile receiver as text", async () => {
    const page = await openConsole(`/deliveries/${made.hostile}`)
    const answer = page.getByRole("region", { name: "answer body" })
    await answer.waitFor()

    await checkView(page, "delivery-hostile")

    assert.include(await answer.innerText(), "<script>")
    assert.isAtLeast(await answer.locator("i").count(), 3)
    await page.getByText("Hidden characters are shown as marks").waitFor()
    await assertHarmless(page)
  })

  it("say that nobody listens, and that a viewer may look and not change", async () => {
    const page = await openConsole(`/deliveries/${made.lost}`, { role: "viewer" })
    await page.getByRole("heading", { level: 2, name: /Nobody listens at 127.0.0.1/ }).waitFor()

    const button = page.getByRole("button", { name: "Try now" })
    assert.strictEqual(await button.getAttribute("aria-disabled"), "true")
    // Nothing was sent, so there is no signature to check.
    assert.strictEqual(await page.getByRole("heading", { name: "Signature checker" }).count(), 0)
    await checkView(page, "delivery-viewer")
  })

  it("say what is not here, whosever it is", async () => {
    const page = await openConsole("/deliveries/0192f0c1-2d3e-7abc-8def-0123456789ab", {
      expects: /404/
    })

    await page.getByRole("link", { name: "All deliveries" }).waitFor()
    await checkView(page, "delivery-gone")
  })

  it("say everything that they wait for, with its end, the longest first", async () => {
    const down = await receiver()
    try {
      const { deliveries, webhooks } = await account()
      const url = `${down.origin}/503`
      const { delivery_id: id } = await webhooks.test({ key_id: made.key, callback_url: url })
      // So often that it waits for longer than its receiver is left alone.
      for (let attempts = 1; attempts <= 6; attempts++) {
        await vi.waitFor(
          async () => assert.isAtLeast((await deliveries.get(id)).attempts_log.length, attempts),
          { timeout: patience }
        )
        if (attempts < 6) await deliveries.tryNow(id)
      }
      const page = await openConsole(`/deliveries/${id}`)
      const reasons = page.getByRole("table", { name: "Reasons" }).locator("tbody th")
      await reasons.filter({ hasText: "Receiver paused" }).waitFor()

      const said = (await reasons.allInnerTexts()).map((each) => each.trim())

      assert.deepStrictEqual(said, ["Retry time", "Receiver paused", "Given up"])
      await checkView(page, "delivery-waiting")
    } finally {
      down.close()
    }
  })
})
