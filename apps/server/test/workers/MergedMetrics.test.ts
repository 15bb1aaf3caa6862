import { assert, describe, it } from "@effect/vitest"
import { mergedMetrics } from "../../src/workers/MergedMetrics.ts"

const text = (attempts: number, first: number, sum: number, flying: number, labels = "") =>
  [
    "# HELP attempts_total Attempts made",
    "# TYPE attempts_total counter",
    `attempts_total{cause="none"} ${attempts}`,
    "# TYPE lag_seconds histogram",
    `lag_seconds_bucket{le="0.1"} ${first}`,
    `lag_seconds_sum ${sum}`,
    "# TYPE in_flight gauge",
    `in_flight${labels} ${flying}`,
    ""
  ].join("\n")

describe("the metrics of several workers", () => {
  it("are the sums of what they counted, and the gauges of each", () => {
    const all = mergedMetrics([
      { worker: 1, text: text(3, 2, 0.5, 7) },
      { worker: 2, text: text(4, 1, 0.25, 8, '{of="a b"}') }
    ])

    assert.strictEqual(
      all,
      [
        "# HELP attempts_total Attempts made",
        "# TYPE attempts_total counter",
        'attempts_total{cause="none"} 7',
        "# TYPE lag_seconds histogram",
        'lag_seconds_bucket{le="0.1"} 3',
        "lag_seconds_sum 0.75",
        "# TYPE in_flight gauge",
        'in_flight{worker="1"} 7',
        'in_flight{of="a b",worker="2"} 8',
        ""
      ].join("\n")
    )
  })

  it("keep what was counted by those that have ended, without their gauges", () => {
    const counted = mergedMetrics([{ worker: null, text: text(3, 2, 0.5, 7) }])

    const all = mergedMetrics([
      { worker: null, text: counted },
      { worker: 1, text: text(1, 1, 1, 1) }
    ])

    assert.include(all, 'attempts_total{cause="none"} 4\n')
    assert.notInclude(counted, "in_flight")
    assert.deepStrictEqual(all.match(/^in_flight.*$/gm), ['in_flight{worker="1"} 1'])
  })
})
