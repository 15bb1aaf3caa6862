import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { renderSettingsPage, renderSettingsText } from "../../src/settings/SettingsPage.ts"

describe("the page of settings", () => {
  it("is what `runhook settings --markdown` prints", () => {
    const page = readFileSync(new URL("../../../../docs/operating/settings.md", import.meta.url), "utf8")

    assert.strictEqual(page, renderSettingsPage())
  })

  it("is plain on a terminal", () => {
    assert.include(renderSettingsText(), "RUNHOOK_PORT\n  The TCP port")
    assert.notInclude(renderSettingsText(), "`")
  })
})
