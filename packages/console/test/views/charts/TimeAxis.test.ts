import { assert, describe, it } from "vitest"
import { indexAt, timeAxisOf } from "../../../src/views/charts/TimeAxis.ts"

const start = Date.parse("2026-11-16T00:00:00.000Z")
const every = (count: number, ms: number) =>
  Array.from({ length: count }, (_, place) => new Date(start + place * ms).toISOString())
const [hour, day] = [3_600_000, 86_400_000]
const wordsOf = (at: ReadonlyArray<string>) => timeAxisOf(at, "utc").ticks.map(({ words }) => words)

describe("the times below a chart", () => {
  it("are hours within one day, and days of more", () => {
    assert.deepStrictEqual(wordsOf(every(24, hour)), ["00:00", "06:00", "12:00", "18:00"])
    assert.deepStrictEqual(wordsOf(every(168, hour)), ["16 Nov", "18 Nov", "20 Nov", "22 Nov"])
    assert.deepStrictEqual(wordsOf(every(30, day)), ["16 Nov", "22 Nov", "28 Nov", "4 Dec", "10 Dec"])
  })

  it("have room on a phone, however many they are", () => {
    for (const count of [1, 2, 47, 48, 49, 168, 500]) assert.isAtMost(wordsOf(every(count, hour)).length, 9)
  })

  it("lie where the pointer finds them", () => {
    const axis = timeAxisOf(every(5, day), "utc")

    assert.deepStrictEqual(axis.at.map(axis.placeOf), [0, 25, 50, 75, 100])
    assert.deepStrictEqual(
      [-9, 0, 30, 49, 120].map((percent) => indexAt(axis, percent)),
      [0, 0, 1, 2, 4]
    )
    assert.strictEqual(timeAxisOf(every(1, day), "utc").placeOf(every(1, day)[0] ?? ""), 50)
    assert.isNull(indexAt(timeAxisOf([], "utc"), 5))
  })
})
