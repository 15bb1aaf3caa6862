import { assert, describe, it } from "vitest"
import { axisOf, phasesOf } from "../../../src/views/deliveries/AttemptAxis.ts"

const from = Date.parse("2026-11-19T00:58:45Z")
const waits = [0, 5, 35, 155, 755, 2_555, 6_155, 16_955, 38_555, 81_755, 168_155, 254_555]
const tries = waits.map((seconds) => ({ at: from + seconds * 1_000, kind: "failed" as const }))

describe("the axis of attempts", () => {
  it("has seconds and days apart on one line, in order, within it", () => {
    const places = axisOf({ from, tries }).marks.map(({ place }) => place)

    for (const [index, place] of places.entries()) {
      assert.isAtLeast(place, 0.02)
      assert.isAtMost(place, 0.98)
      if (index > 0) assert.isAbove(place - (places[index - 1] ?? 0), 0.02)
    }
  })

  it("has words that do not touch, none of them behind the last attempt", () => {
    const { ticks } = axisOf({ from, tries })

    assert.deepStrictEqual([ticks[0]?.words, ticks.at(-1)?.words], ["0", "1 d"])
    for (const [index, { place }] of ticks.entries()) {
      if (index > 0) assert.isAtLeast(place - (ticks[index - 1]?.place ?? 0), 0.08)
    }
  })

  it("takes attempts before its beginning for its beginning, and one alone for an axis", () => {
    const { marks } = axisOf({ from, tries: [{ at: from - 50, kind: "delivered" }] })

    assert.deepStrictEqual(marks, [{ place: 0.02, kind: "delivered" }])
  })
})

describe("the parts of an attempt", () => {
  it("stand one behind the other, to the scale of the slowest, without those there were not", () => {
    const phases = phasesOf({ dns: null, connect: 10, tls: 20, headers: 50, body: 0 }, 100)

    assert.deepStrictEqual(
      phases.map(({ name, from: begin, width }) => [name, begin, Number(width.toFixed(2))]),
      [
        ["connect", 0, 0.1],
        ["tls", 0.1, 0.2],
        ["headers", 0.1 + 0.2, 0.5],
        ["body", 0.1 + 0.2 + 0.5, 0.01]
      ]
    )
  })

  it("never stand out, whatever was measured", () => {
    const phases = phasesOf({ dns: 900, connect: 900, tls: 900, headers: 900, body: 900 }, 1_000)

    for (const { from: begin, width } of phases) assert.isAtMost(begin + width, 1.0001)
  })
})
