import { assert, describe, it } from "vitest"
import {
  groupSize,
  nearOf,
  type ListLayout,
  segmentsOf,
  wholeUpTo,
  withMeasured
} from "../../src/parts/Segments.ts"

const rowHeight = 40

const placed = (change: Partial<ListLayout> = {}): ListLayout => ({
  count: 10_000,
  heights: [rowHeight],
  near: { top: 200_000, bottom: 202_000 },
  focused: -1,
  ...change
})

const drawnOf = (change?: Partial<ListLayout>) =>
  segmentsOf(placed(change)).flatMap(({ from, isDrawn, to }) => (isDrawn ? [[from, to]] : []))

describe("the rows of a list that are drawn", () => {
  it("are all of them in a short list", () => {
    assert.deepStrictEqual(drawnOf({ count: wholeUpTo }), [[0, wholeUpTo]])
  })

  it("are few even where none was measured, as when somebody returns to a long list", () => {
    const drawn = drawnOf({ heights: [], focused: 5_000 }).map(([from = 0, to = 0]) => to - from)

    assert.isBelow(
      drawn.reduce((sum, count) => sum + count, 0),
      8 * groupSize
    )
  })

  it("are what is near, the first and the last ones", () => {
    assert.deepStrictEqual(drawnOf(), [
      [0, groupSize],
      [5_000, 5_050],
      [10_000 - groupSize, 10_000]
    ])
  })

  it("are besides the one with the focus and its neighbours, over the border of a group too", () => {
    assert.deepInclude(drawnOf({ focused: 1_012 }), [1_000, 1_025])
    assert.deepInclude(drawnOf({ focused: 1_000 }), [975, 1_025])
    assert.deepInclude(drawnOf({ focused: 1_024 }), [1_000, 1_050])
  })

  it("follow each other with the gaps, none twice and none left out, wherever the window is", () => {
    for (let top = -3_000; top < 420_000; top += 3_777) {
      const segments = segmentsOf(placed({ near: { top, bottom: top + 2_700 }, count: 9_987 }))
      const ends = [0, ...segments.map(({ to }) => to)]
      assert.deepStrictEqual(ends, [...segments.map(({ from }) => from), 9_987])
      assert.strictEqual(
        segments.reduce((sum, { height }) => sum + height, 0),
        9_987 * rowHeight
      )
    }
  })

  it("are found by the heights of those above, each group by its own", () => {
    // The first hundred rows are three times as high.
    const heights = [120, 120, 120, 120, ...Array.from({ length: 396 }, () => 40)]

    assert.deepInclude(drawnOf({ heights, near: { top: 20_000, bottom: 20_500 } }), [300, 325])
  })
})

describe("what is near", () => {
  it("is a window above and a window below at least, and stays for small steps", () => {
    const near = nearOf(5_050, 900)

    assert.isAtMost(near.top, 5_050 - 900)
    assert.isAtLeast(near.bottom, 5_050 + 2 * 900)
    assert.deepStrictEqual(nearOf(5_150, 900), near)
    assert.notDeepEqual(nearOf(5_250, 900), near)
  })
})

describe("measured heights", () => {
  it("are the same ones when nothing differs by a pixel", () => {
    const heights = [40, undefined, 44]

    assert.strictEqual(withMeasured(heights, [[0, 40.01]]), heights)
    assert.deepStrictEqual(withMeasured(heights, [[1, 41]]), [40, 41, 44])
    assert.deepStrictEqual(withMeasured(heights, [[4, 41]]), [40, undefined, 44, undefined, 41])
  })
})
