import { assert, describe, it } from "vitest"
import { heightOf, rangeOf } from "../../../src/views/charts/Scales.ts"

describe("the scale of a chart", () => {
  it("reads a share from nothing, or close to all of it", () => {
    assert.deepInclude(rangeOf("share", [[0.97, null, 1]]), { low: 0.9, high: 1 })
    assert.deepInclude(rangeOf("share", [[0.42]]), { low: 0, high: 1 })
  })

  it("reads a count against none, with few lines across", () => {
    const { high, low, splits } = rangeOf("count", [[3, 90, null]])

    assert.deepStrictEqual([low, splits], [0, [0, 50]])
    assert.isAbove(high, 90)
    assert.deepStrictEqual(rangeOf("count", [[0, 0]]).splits, [0, 2, 4])
  })

  it("reads durations by their order of magnitude", () => {
    const range = rangeOf("duration", [[100, 10_000], [1_000]])

    assert.deepStrictEqual(range.splits, [100, 1_000, 10_000])
    const heights = range.splits.map((value) => heightOf("duration", range, value))
    assert.closeTo((heights[1] ?? 0) - (heights[0] ?? 0), (heights[2] ?? 0) - (heights[1] ?? 0), 1e-9)
    assert.isAtMost(rangeOf("duration", [[2, 60_000_000]]).splits.length, 5)
  })

  it("has a place for everything, also for nothing at all", () => {
    for (const scale of ["count", "duration", "share"] as const) {
      const range = rangeOf(scale, [[null, null]])
      for (const value of [0, 1, 1e12]) assert.isTrue(Number.isFinite(heightOf(scale, range, value)))
    }
  })
})
