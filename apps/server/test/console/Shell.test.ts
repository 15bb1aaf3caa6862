/** What every view stands in. */
import { assert, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"

describe("the console's shell", () => {
  const { baseUrl, openConsole } = consoleSuite()

  it(
    "shuts nobody out",
    async () => {
      const page = await openConsole("/nowhere")

      await checkView(page, "missing")
    },
    patience
  )

  it(
    "leads everywhere by keyboard alone",
    async () => {
      const page = await openConsole("/")

      await page.keyboard.press("g")
      await page.keyboard.press("d")
      await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor()

      assert.strictEqual(page.url(), `${baseUrl()}/integrations/deliveries`)
      assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Deliveries")
      assert.match(await page.title(), /^Deliveries - .+ - Runhook$/)
    },
    patience
  )
})
