import { assert, describe, it } from "vitest"
import { axisOf, type Span } from "../../../src/views/executions/Axis.ts"

const s = 1_000
const min = 60 * s
const hour = 60 * min

const of = ({
  busy = [],
  moments = [],
  waits = []
}: {
  readonly busy?: ReadonlyArray<Span>
  readonly moments?: ReadonlyArray<number>
  readonly waits?: ReadonlyArray<Span>
}) => axisOf({ busy, moments, waits })

const cutsOf = (axis: ReturnType<typeof axisOf>) =>
  axis.cuts.map(({ from, isWait, to, words }) => [Math.round(from), Math.round(to), words, isWait])

describe("the axis of an execution", () => {
  it("is linear while something happens", () => {
    const axis = of({ moments: [0, 10 * s], busy: [{ from: 0, to: 40 * s }] })

    assert.deepStrictEqual(axis.cuts, [])
    assert.deepStrictEqual([0, 10 * s, 20 * s, 40 * s].map(axis.at), [0, 25, 50, 100])
  })

  it("draws waits to scale, whether they are over or not", () => {
    const queued = { from: 0, to: 15 * min }
    const asking = { from: 15 * min + 91, to: 24 * min }
    const axis = of({ waits: [queued, asking], busy: [{ from: queued.to, to: asking.from }] })

    assert.deepStrictEqual(axis.cuts, [])
    assert.approximately(axis.at(queued.to), (100 * 15) / 24, 0.1)
  })

  it("cuts a wait short that is ten times as long as all else, and says how long it was", () => {
    const axis = of({ waits: [{ from: 0, to: 15 * min }], busy: [{ from: 15 * min, to: 15 * min + 9 * s }] })

    assert.deepStrictEqual(cutsOf(axis), [[0, 34, "15 min", true]])
    assert.deepStrictEqual(
      axis.ticks.map(({ words }) => words),
      ["15 min", "+2 s", "+4 s", "+6 s", "+8 s"]
    )
  })

  it("cuts quiet time short that is longer than a tenth of the rest, and leaves shorter", () => {
    const axis = of({ moments: [0, 40 * s, 43 * s, 43 * s + hour], busy: [{ from: 0, to: 40 * s }] })

    assert.deepStrictEqual(cutsOf(axis), [[96, 100, "1 h", false]])
    assert.approximately(axis.at(43 * s), 96, 0.001)
    assert.approximately(axis.at(40 * s), (96 * 40) / 43, 0.001)
    assert.approximately(axis.at(43 * s + hour), 100, 0.001)
  })

  it("never goes back, and never leaves its width, however many cuts there are", () => {
    const moments = [0, ...Array.from({ length: 30 }, (_, at) => 50 * s + at * hour)]
    const axis = of({ moments, busy: [{ from: 0, to: 50 * s }] })

    const places = moments.map(axis.at)

    assert.strictEqual(axis.cuts.length, 29)
    assert.isAtMost(
      axis.cuts.reduce((sum, { from, to }) => sum + to - from, 0),
      40.001
    )
    assert.deepStrictEqual(
      places,
      places.toSorted((one, other) => one - other)
    )
    assert.isTrue(places.every((place) => place >= 0 && place <= 100))
  })

  it("cuts nothing where nothing but waiting has happened yet", () => {
    assert.deepStrictEqual(of({ moments: [0, 5 * hour] }).cuts, [])
    assert.deepStrictEqual(of({ waits: [{ from: 0, to: 5 * hour }] }).cuts, [])
    assert.deepStrictEqual(of({ moments: [7] }).cuts, [])
    assert.strictEqual(of({}).at(0), 0)
  })

  it("gives attempts of a delivery as much room each, since nothing else happens between them", () => {
    const moments = [0, 5, 35, 155, 755, 2_555, 6_155, 254_555].map((seconds) => seconds * s)
    const axis = of({ moments })

    assert.deepStrictEqual(
      moments.map((moment) => Math.round((axis.at(moment) * 7) / 100)),
      [0, 1, 2, 3, 4, 5, 6, 7]
    )
    assert.strictEqual(axis.cuts.at(-1)?.words, "2 d 21 h")
    assert.isAtLeast(axis.ticks.length, 4)
  })

  it("has ticks that all read differently, and whose words do not touch on a phone", () => {
    const queue = [300, 14 * s, 868 * s, 3 * hour, 60 * hour]
    const runs = [91, 2_500, 41 * s, 20 * min]
    for (const waited of queue) {
      for (const ran of runs) {
        const { ticks } = of({
          waits: [{ from: 0, to: waited }],
          busy: [{ from: waited, to: waited + ran }],
          moments: [0, 20, waited + ran + 40, waited + ran + 2 * hour]
        })
        const words = ticks.map((tick) => tick.words)
        assert.deepStrictEqual([...new Set(words)], words)
        assert.isAtLeast(words.length, 2)
        for (const [index, { at }] of ticks.entries()) {
          const before = ticks[index - 1]
          if (before !== undefined) assert.isAtLeast(at - before.at, before.words.length * 0.9)
        }
      }
    }
  })
})
