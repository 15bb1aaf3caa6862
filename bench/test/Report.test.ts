import { assert, describe, it } from "@effect/vitest"
import { median, number, quantile, ratio, ratioOfRounds, tableOf } from "../src/Report.ts"

describe("the report of a benchmark", () => {
  it.each([
    { values: [3, 1, 2], expected: 2 },
    { values: [4, 1, 3, 2], expected: 3 },
    { values: [], expected: Number.NaN }
  ])("has $expected in the middle of $values", ({ expected, values }) => {
    assert.deepStrictEqual(median(values), expected)
  })

  it.each([
    { value: 12_345.6, expected: "12,346" },
    { value: 1.23456, expected: "1.23" },
    { value: 0, expected: "0" },
    { value: Number.NaN, expected: "n/a" }
  ])("writes $value as $expected", ({ expected, value }) => {
    assert.strictEqual(number(value), expected)
  })

  it("compares with what was measured, and says when nothing was", () => {
    assert.deepStrictEqual([ratio(3, 2), ratio(3, 0)], ["1.50 x", "n/a"])
  })

  it("compares sides that ran in turns round by round", () => {
    const [ours, theirs] = [
      [{ rate: 100 }, { rate: 10 }, { rate: 90 }],
      [{ rate: 50 }, { rate: 5 }, { rate: 30 }]
    ]

    const found = ratioOfRounds(ours, theirs, ({ rate }) => rate)

    assert.strictEqual(found, "2.00 x")
  })

  it.each([
    { share: 0.5, expected: 3 },
    { share: 0.99, expected: 4 },
    { share: 1, expected: 5 }
  ])("has $expected above that share of five: $share", ({ expected, share }) => {
    assert.strictEqual(quantile([5, 1, 4, 2, 3], share), expected)
  })

  it("is a table in Markdown", () => {
    const table = tableOf("create", [
      { side: "service", "requests/s": 3_855 },
      { side: "handler", "requests/s": Number.NaN }
    ])

    assert.deepStrictEqual(table.split("\n"), [
      "",
      "### create",
      "",
      "| side | requests/s |",
      "| --- | --- |",
      "| service | 3,855 |",
      "| handler | n/a |"
    ])
  })
})
