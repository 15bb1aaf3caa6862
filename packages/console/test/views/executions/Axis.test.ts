import { assert, describe, it } from "vitest"
import { axisOf } from "../../../src/views/executions/Axis.ts"

const s = 1_000
const hour = 3_600 * s

describe("the axis of an execution", () => {
  it("is linear while something happens", () => {
    const axis = axisOf([0, 10 * s], [{ from: 0, to: 40 * s }])

    assert.deepStrictEqual(axis.folds, [])
    assert.deepStrictEqual([0, 10 * s, 20 * s, 40 * s].map(axis.at), [0, 25, 50, 100])
  })

  it("folds quiet time that is longer than a tenth of the rest, and leaves shorter", () => {
    const axis = axisOf([0, 40 * s, 43 * s, 43 * s + hour], [{ from: 0, to: 40 * s }])

    assert.deepStrictEqual(
      axis.folds.map(({ from, to, words }) => [Math.round(from), Math.round(to), words]),
      [[96, 100, "1 h"]]
    )
    assert.approximately(axis.at(43 * s), 96, 0.001)
    assert.approximately(axis.at(40 * s), (96 * 40) / 43, 0.001)
    assert.approximately(axis.at(43 * s + hour), 100, 0.001)
  })

  it("never goes back, and never leaves its width, however many folds there are", () => {
    const moments = [0, ...Array.from({ length: 30 }, (_, at) => 50 * s + at * hour)]
    const axis = axisOf(moments, [{ from: 0, to: 50 * s }])

    const places = moments.map(axis.at)

    assert.strictEqual(axis.folds.length, 29)
    assert.isAtMost(
      axis.folds.reduce((sum, { from, to }) => sum + to - from, 0),
      40.001
    )
    assert.deepStrictEqual(
      places,
      places.toSorted((one, other) => one - other)
    )
    assert.isTrue(places.every((place) => place >= 0 && place <= 100))
  })

  it("folds nothing where nothing but waiting has happened yet", () => {
    assert.deepStrictEqual(axisOf([0, 5 * hour], []).folds, [])
    assert.deepStrictEqual(axisOf([7], []).folds, [])
    assert.strictEqual(axisOf([], []).at(0), 0)
  })

  it("names moments since the start, as far apart as their words need", () => {
    const { ticks } = axisOf([0, 3 * hour], [{ from: 0, to: 41 * s }])

    assert.deepStrictEqual(
      ticks.map(({ words }) => words),
      ["0", "10 s", "20 s", "30 s", "40 s"]
    )
    for (const [index, { at }] of ticks.entries()) {
      assert.isTrue(index === 0 || at - (ticks[index - 1]?.at ?? 0) >= 13)
    }
  })
})
