import { assert, describe, it } from "@effect/vitest"
import { drawn, secondHalf, slopePerHour } from "../src/soak/Curve.ts"

const points = (values: ReadonlyArray<number>) => values.map((value, place) => ({ at: place * 60, value }))

describe("the curve of a quantity", () => {
  it.each([
    { values: [1, 2, 3], slope: 60 },
    { values: [5, 5, 5], slope: 0 },
    { values: [3, Number.NaN, 1], slope: -60 },
    { values: [3], slope: Number.NaN }
  ])("grows by $slope in an hour: $values", ({ slope, values }) => {
    assert.deepStrictEqual(slopePerHour(points(values)), slope)
  })

  it("has a second half, in which it may go elsewhere", () => {
    assert.strictEqual(slopePerHour(secondHalf(points([0, 90, 100, 100]))), 0)
  })

  it("is drawn between its least and its greatest value", () => {
    assert.deepStrictEqual(drawn(points([0, 1, 2, 3, 4, 5])).split("\n"), [
      "  |     *",
      "  |    *",
      "  |   *",
      "  |  *",
      "  | *",
      "  |*"
    ])
  })

  it("says when nothing was told", () => {
    assert.include(drawn(points([Number.NaN])), "not told")
  })
})
