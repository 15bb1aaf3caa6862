import { assert, describe, it } from "@effect/vitest"
import { median, number, ratio, tableOf } from "../src/Report.ts"

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
