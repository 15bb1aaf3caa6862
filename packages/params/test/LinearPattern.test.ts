import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { compile, ofExpression } from "../src/LinearPattern.ts"

/** Each character that a class may see in another way than its neighbours, and some texts. */
const texts = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)).concat(
  ["\u{feff}", "\u{ff10}", "\u{ffff}", "😀", "\u{1d7d8}", "\u{10ffff}"],
  ["", "aa", "a-b", "a\n", "\na", "a\r", "école", "K", "ſ", ":]", "a]"]
)

describe("LinearPattern", () => {
  it.each([
    "^.$",
    "^(?s:.)$",
    "\\w",
    "\\W",
    "\\d",
    "\\D",
    "^\\s$",
    "^\\S$",
    "^[\\s]$",
    "^[^\\s]$",
    "^[^\\S\\n]$",
    "^[\\S\\d]+$",
    "^[\\w-]+$",
    "^[\\W_]+$",
    "^[^\\D5]$",
    "^[\\d\\-]$",
    "\\bA\\b",
    "\\B",
    "a$",
    "^a",
    "[]",
    "[^]",
    "[[:alpha:]\\]",
    "\\u{61}",
    "\\u0061",
    "\\ud83d\\ude00",
    "\\x61",
    "\\cJ",
    "\\v",
    "\\p{Lu}",
    "\\P{L}",
    "^\\p{Letter}+$",
    "\\p{gc=Decimal_Number}",
    "^[\\p{General_Category=Uppercase_Letter}\\P{ASCII}]$",
    "\\p{ASCII}",
    "\\p{Script=Greek}",
    "\\p{sc=Cyrillic}",
    "\\p{Alphabetic}",
    "\\p{Emoji}",
    "(?i:a)",
    "(?i:k)b|(?i:[k-s])$",
    "(?i:^[^k]$)",
    "(?i:^\\w$)",
    "(?i:a(?-i:B))",
    "(?<letter>[a-z])+",
    "a{2}",
    "^a{0}.a{1,}?",
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

  it.each([
    ["(?m:^a)", "(?m:"],
    ["(?i:\\W)", "\\W"],
    ["(?i:[^\\p{Lu}])", "\\p{Lu}"],
    ["(?i:a\\b)", "\\b"],
    ["\\p{scx=Greek}", "\\p{scx=Greek}"],
    ["\\p{ID_Start}", "an unknown Unicode property"],
    ["(?<n>a)\\k<n>", "a back reference"],
    ["(?=a)", "look-around"],
    ["a{1001}", "a count over 1000"]
  ])("refuses %s and says why", (pattern, reason) => {
    assert.include(Result.getOrThrow(Result.flip(compile(pattern))), reason)
  })

  it("compiles an expression of ours when it is first used", () => {
    const pattern = ofExpression(/(?=a)/)

    assert.throws(() => pattern.test("a"), "linear-time")
  })
})
