import { assert, describe, it } from "@effect/vitest"
import { inexactNumbers, misreadKeys } from "../../../src/shared/json/MisreadJson.ts"
import { ReadableJson } from "../../../src/shared/json/Json.ts"

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

  it.each([
    "9007199254740993.0",
    "-9007199254740993.0",
    "9007199254740992.0",
    "9.007199254740993e15",
    "-9.007199254740993E+15",
    "0.9007199254740993e16",
    "90071992547409930e-1",
    "900719925474.0993e4",
    "12345678901234567890.0",
    "1.2345678901234567890e19",
    "1.2345678901234567891e30",
    "12345678901234567890e1",
    "9007199254740993.5",
    "10000000000000000.0"
  ])("finds the integer in %s by its value", (number) => {
    for (const text of [`{"a": [${number}]}`, `{"a":[${number}],"b":"c"}`]) {
      assert.deepStrictEqual(inexactNumbers(text), [{ path: ["a", "0"], message: tooLarge }])
    }
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
    "1e16",
    "1.0e21",
    "-1.2345678901234567e19",
    "9007199254740991.0",
    "9.007199254740991e15",
    "90071992547409910e-1",
    "3.141592653589793238462643",
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

  it.prop(
    "has nothing to say of what a program writes of its own small numbers",
    [ReadableJson],
    ([json]) => {
      const text = JSON.stringify(json, (_, value) =>
        typeof value === "number" && !Number.isSafeInteger(value) ? value % 1 : value
      )

      assert.deepStrictEqual(inexactNumbers(text), [])
    }
  )
})

describe("misreadKeys", () => {
  const message =
    'must not have a key with a backslash at its end or before one of " \\ / b f n r t u: Node may read another key for it'

  it.each([
    ["\\", []],
    ["a\\", []],
    ["\\n", []],
    ["\\u0041", []],
    ["^\\/api", []],
    ['\\"', []],
    ["\\\\d", []]
  ])("finds the key %j", (key, path) => {
    assert.deepStrictEqual(misreadKeys(JSON.stringify({ [key]: 1 })), [{ path, message }])
  })

  it("finds the key however its backslash is written, and names the object that has it", () => {
    assert.deepStrictEqual(
      misreadKeys('{"params": {"a": ["\\\\", {"\\u005C" : 1}]}, "metadata": {"\\\\": 2}}'),
      [
        { path: ["params", "a", "1"], message },
        { path: ["metadata"], message }
      ]
    )
  })

  it.each([{ "^\\d+$": 1 }, { "\n": 1, '"': 2, "\t": 3 }, { a: "\\", b: ["\\n", "C:\\new"] }])(
    "passes over %j",
    (value) => {
      assert.deepStrictEqual(misreadKeys(JSON.stringify(value)), [])
    }
  )

  it("leaves no two keys that Node takes for one another", () => {
    const escapes = ["\u0000", "\n", '"', "\\", "\\n", "\\d", "a\n", "a\\", "\\u0000", "é", "\ud800"]
    const texts = escapes.flatMap((key) =>
      escapes.map((other) => JSON.stringify({ [`${key} ${other}`]: 1, [key]: 2, [other]: 3 }))
    )

    const changed = [...texts, ...texts]
      .filter((text) => misreadKeys(text).length === 0)
      .filter((text) => JSON.stringify(JSON.parse(text)) !== text)

    assert.deepStrictEqual(changed, [])
  })
})
