import { assert, describe, it } from "vitest"
import { heightOf, namedTimes, nearest, rangeOf } from "../../../src/views/charts/Scales.ts"

const hour = 3_600

describe("the scale of a chart", () => {
  it("reads a share against all of it", () => {
    assert.deepInclude(rangeOf("share", [[0.97, null, 1]]), { low: 0.9, high: 1 })
    assert.deepInclude(rangeOf("share", [[0.42]]), { low: 0.4, high: 1 })
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
  })

  it("has a place for everything, also for nothing at all", () => {
    for (const scale of ["count", "duration", "share"] as const) {
      const range = rangeOf(scale, [[null, null]])
      for (const value of [0, 1, 1e12]) assert.isTrue(Number.isFinite(heightOf(scale, range, value)))
    }
  })
})

describe("the words below a chart", () => {
  const dayOf = (at: number) => String(Math.floor(at / (24 * hour)))

  it("name the first hour of each day", () => {
    const at = Array.from({ length: 96 }, (_, place) => place * hour)

    assert.deepStrictEqual(namedTimes(at, { dayOf, max: 10 }), [0, 24 * hour, 48 * hour, 72 * hour])
    assert.deepStrictEqual(namedTimes(at, { dayOf, max: 2 }), [0, 48 * hour])
  })

  it("name hours of a single day, no more than there is room for", () => {
    const at = Array.from({ length: 24 }, (_, place) => place * hour)

    assert.deepStrictEqual(namedTimes(at, { dayOf, max: 4 }), [0, 6 * hour, 12 * hour, 18 * hour])
    assert.deepStrictEqual(namedTimes(at, { dayOf, max: 0.4 }), [0])
  })
})

describe("what is below the pointer", () => {
  it("is the nearest hour or day", () => {
    assert.strictEqual(nearest([0, 10, 20], 14), 1)
    assert.strictEqual(nearest([0, 10, 20], 99), 2)
    assert.isNull(nearest([], 5))
  })
})
