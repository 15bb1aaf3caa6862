import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { inexactNumbers } from "../../../src/domain/json/ExactNumbers.ts"

const tooLarge = "must be an integer from -9007199254740991 to 9007199254740991, or text"

describe("inexactNumbers", () => {
  it.each([
    ["9007199254740992", []],
    ["-9007199254740993", []],
    [`{"params": {"id": 9007199254740993}}`, ["params", "id"]],
    [`{"a": [1, "2", [3], {"b": 12345678901234567890}]}`, ["a", "3", "b"]],
    [`{"a": {"b": [1, 2]}, "c" : 12345678901234567890}`, ["c"]],
    [`{"say \\"id\\": {[": 12345678901234567890}`, [`say "id": {[`]],
    [`{"": [[], {}, 12345678901234567890]}`, ["", "2"]]
  ])("finds the integer in %s", (text, path) => {
    assert.deepStrictEqual(inexactNumbers(text), [{ path, message: tooLarge }])
  })

  it.each(["1e400", "-1e+309", "12.5E999", `1${"0".repeat(400)}.5`])(
    "finds %s, which is infinite as a double",
    (number) => {
      assert.deepStrictEqual(inexactNumbers(`{"a": ${number}}`), [
        { path: ["a"], message: "must be a number below 1.8e308" }
      ])
    }
  )

  it.each([
    ["1e400", []],
    ["[1e400 , 1]", ["0"]],
    ["[1,\n1e400\n]", ["1"]],
    [`{"a": 1e400}`, ["a"]]
  ])("finds an infinite number wherever it ends: %s", (text, path) => {
    assert.deepStrictEqual(
      inexactNumbers(text).map((issue) => issue.path),
      [path]
    )
  })

  it("finds each of several", () => {
    const paths = inexactNumbers("[9007199254740992, 1, 9007199254740992]").map(({ path }) => path)

    assert.deepStrictEqual(paths, [["0"], ["2"]])
  })

  it.each([
    "9007199254740991",
    "-9007199254740991",
    "0.12345678901234567890",
    "6.02214076e23",
    "1.7976931348623157e308",
    "1e-400",
    `{"a": "12345678901234567890", "12345678901234567890": 1}`,
    `["\\"", "1e400"]`
  ])("passes over %s", (text) => {
    assert.deepStrictEqual(inexactNumbers(text), [])
  })

  it.each([`{"a": 12345678901234567890`, "12345678901234567890]", `{a: 12345678901234567890}`])(
    "leaves it to others that %s is no JSON",
    (text) => {
      assert.deepStrictEqual(inexactNumbers(text), [])
    }
  )

  it("comes through half a megabyte of brackets", () => {
    const text = `${"[".repeat(250_000)}12345678901234567${"]".repeat(250_000)}`

    assert.lengthOf(inexactNumbers(text), 1)
  })

  it.prop("has nothing to say of what a program writes of its own small numbers", [Schema.Json], ([json]) => {
    const text = JSON.stringify(json, (_, value) =>
      typeof value === "number" && !Number.isSafeInteger(value) ? value % 1 : value
    )

    assert.deepStrictEqual(inexactNumbers(text), [])
  })
})
