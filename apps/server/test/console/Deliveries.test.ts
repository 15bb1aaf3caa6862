/** Deliveries as a person looks through them. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { deliveriesSuite } from "./DeliveriesSuite.ts"
import { assertHarmless } from "./Hostile.ts"

describe("deliveries in the console", () => {
  const { account, baseUrl, made, openConsole, site } = deliveriesSuite()

  it("are listed with what became of them in words, and shut nobody out", async () => {
    const page = await openConsole("/deliveries")
    const table = page.getByRole("table", { name: "Deliveries, newest first" })
    await table.getByRole("row").nth(5).waitFor()

    await checkView(page, "deliveries")

    // In between each of them is in flight again.
    await table.getByText("401, refuses the signature").waitFor()
    await table.getByText("503, failing").waitFor()
    await assertHarmless(page)
  })

  it("are narrowed down by what is in the address, and widened again", async () => {
    const page = await openConsole("/deliveries")
    const rows = page.locator("table.list tbody tr")
    await rows.nth(4).waitFor()

    await page.getByLabel("Answer").selectOption("4xx")
    await page.waitForURL(/answer=4xx/)
    await rows.nth(1).waitFor({ state: "detached" })
    assert.strictEqual(await rows.count(), 1)
    await page.goto(`${baseUrl()}/integrations/deliveries?cause=blocked`)
    const nothing = page.getByRole("heading", { name: "Nothing matches these filters" })
    await nothing.waitFor()
    await checkView(page, "deliveries-none")
    await page.getByRole("button", { name: "Clear filters" }).click()

    await rows.nth(4).waitFor()
    assert.strictEqual(new URL(page.url()).search, "")
  })

  it("show a new one when somebody asks for it, and not before", async () => {
    const page = await openConsole("/deliveries")
    await page.locator("table.list tbody th a").nth(4).waitFor()
    const { webhooks } = await account()

    const { delivery_id } = await webhooks.test({ key_id: made.key, callback_url: `${site().origin}/204` })
    await page.getByRole("button", { name: /1 new delivery: show it/ }).click()

    await page.locator(`a[href$="${delivery_id}"]`).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /new deliver/ }).count(), 0)
  })
})
