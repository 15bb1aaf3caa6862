import { assert, describe, it } from "@effect/vitest"
import { noted } from "./Campaign.ts"
import type { Struck } from "./history/History.ts"

describe("a strike", () => {
  it("is known to those who judge while it happens, and to others as long as it was", async () => {
    const struck: Array<Struck> = []
    const meanwhile: Array<Struck> = []
    let at = 0

    await noted(
      struck,
      () => ++at,
      async () => void meanwhile.push(...struck)
    )

    assert.deepStrictEqual(meanwhile, [{ is: "struck", from: 1, until: Infinity }])
    assert.deepStrictEqual(struck, [{ is: "struck", from: 1, until: 2 }])
  })
})
