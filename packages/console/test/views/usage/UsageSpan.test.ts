import { assert, describe, it } from "vitest"
import { groupOf, spanOf, usageQueryOf } from "../../../src/views/usage/UsageSpan.ts"

const now = Date.parse("2026-11-22T02:14:00.000Z")

describe("the time that usage is shown for", () => {
  it("begins so many hours or days before, the present one included", () => {
    assert.deepStrictEqual(usageQueryOf(spanOf("24h"), now), { by: "hour", from: "2026-11-21T03:14:00.000Z" })
    assert.deepStrictEqual(usageQueryOf(spanOf("30d"), now), { by: "day", from: "2026-10-24T02:14:00.000Z" })
  })

  it("is a week where the address says nothing, or nonsense", () => {
    assert.deepStrictEqual([spanOf(undefined).name, spanOf("9 years").name], ["7d", "7d"])
    assert.deepStrictEqual(["key", "task", "none", "x", undefined].map(groupOf), [
      "key",
      "task",
      "none",
      "none",
      "none"
    ])
  })
})
