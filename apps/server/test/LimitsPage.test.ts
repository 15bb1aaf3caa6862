import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { limitsPage } from "../generate/limits/LimitsPage.ts"

describe("the page of limits", () => {
  it("has the numbers that the service counts with: `npm run generate` writes it", () => {
    const page = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8")

    assert.strictEqual(page, limitsPage)
  })
})
