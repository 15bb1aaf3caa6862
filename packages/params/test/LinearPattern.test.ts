import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { compile, ofExpression } from "../src/LinearPattern.ts"

const texts = ["", "a", "A", "_", "-", "é", "α", "٣", "0", " ", "\n", "\0", "😀", "aa", "a-b", "]", "\\", "/"]

describe("LinearPattern", () => {
  it.each([
    "^.$",
    "\\w",
    "\\W",
    "\\d",
    "^[\\w-]+$",
    "^[\\d\\-]$",
    "\\bA\\b",
    "[^]",
    "\\u{61}",
    "\\u0061",
    "\\x61",
    "\\p{Lu}",
    "\\P{L}",
    "(?i:a)",
    "(?<letter>[a-z])+",
    "a{2}",
    "^(?:a|)$",
    "\\/",
    "[\\]\\\\]",
    "\\0",
    "^😀$",
    "\\\\k?"
  ])("agrees with JavaScript on %s", (pattern) => {
    const expression = new RegExp(pattern, "u")

    const linear = Result.getOrThrow(compile(pattern))

    assert.deepStrictEqual(
      texts.filter(linear.test),
      texts.filter((text) => expression.test(text))
    )
  })

  it.each(["\\Z", "\\Aa", "\\Qa\\E", "(?P<n>a)", "[a", "a**", "{1}"])(
    "refuses %s, which JavaScript does not know",
    (pattern) => {
      assert.isTrue(Result.isFailure(compile(pattern)))
    }
  )

  it("compiles an expression of ours when it is first used", () => {
    const pattern = ofExpression(/(?=a)/)

    assert.throws(() => pattern.test("a"), "linear-time")
  })
})
