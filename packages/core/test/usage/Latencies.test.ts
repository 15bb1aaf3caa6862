import { assert, describe, it } from "@effect/vitest"
import { addLatencies, noLatencies, percentile, rangeCount, rangeOf } from "@runhook/core/usage/Latencies"

const of = (...millis: ReadonlyArray<number>) =>
  millis.reduce<ReadonlyArray<number>>((sum, each) => {
    const one = Array.from({ length: rangeOf(each) + 1 }, (_, range) => (range === rangeOf(each) ? 1 : 0))
    return addLatencies(sum, one)
  }, noLatencies)

describe("Latencies", () => {
  it("have no percentile while there are none", () => {
    assert.isNull(percentile(noLatencies, 0.5))
    assert.isNull(percentile([0, 0, 0], 0.95))
  })

  it("tell any time from milliseconds to days within half of it", () => {
    for (const millis of [1, 5, 6, 40, 999, 8_300, 61_000, 3_600_000, 86_400_000, 400_000_000]) {
      const shown = percentile(of(millis), 1) ?? 0
      assert.isAtLeast(shown, millis)
      assert.isAtMost(shown, Math.max(5, millis * 1.5 + 1))
    }
  })

  it("put what took longer than all ranges into the last", () => {
    assert.strictEqual(rangeOf(10 ** 12), rangeCount - 1)
    assert.strictEqual(rangeOf(0), 0)
  })

  it("say within which time most of them were done", () => {
    const mostlyShort = of(
      ...Array.from({ length: 94 }, () => 100),
      ...Array.from({ length: 6 }, () => 60_000)
    )

    assert.isBelow(percentile(mostlyShort, 0.5) ?? 0, 160)
    assert.isAbove(percentile(mostlyShort, 0.95) ?? 0, 40_000)
  })

  it("are the same in whichever order they are added", () => {
    assert.deepStrictEqual(addLatencies(of(3, 900), of(50)), addLatencies(of(50), of(3, 900)))
  })
})
