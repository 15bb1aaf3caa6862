import { assert, describe, it } from "vitest"
import { cut, hasHidden, plainWords, segmentsOf } from "../../src/format/Hidden.ts"

/** What is drawn, with marks in brackets. */
const drawn = (text: string): string =>
  segmentsOf(text)
    .map((segment) => (segment._tag === "Text" ? segment.text : `[${segment.name}]`))
    .join("")

describe("hidden characters", () => {
  it.each([
    ["invoice\u202efdp.exe", "invoice[RLO]fdp.exe"],
    ["\u001b[31mfatal\u001b[0m", "[ESC][31mfatal[ESC][0m"],
    ["a\0b", "a[NUL]b"],
    ["ad\u200bmin", "ad[ZWSP]min"],
    ["admin\u200d", "admin[ZWJ]"],
    ["\ufeffstart", "[BOM]start"],
    ["\u2066x\u2069", "[LRI]x[PDI]"],
    ["tag\u{e0041}", "tag[U+E0041]"],
    ["half \ud83d", "half [U+D83D]"],
    ["a\rb", "a[CR]b"],
    ["\u3164", "[U+3164]"],
    ["\uffa0", "[U+FFA0]"]
  ])("are drawn as marks: %j", (text, expected) => {
    assert.strictEqual(drawn(text), expected)
    assert.isTrue(hasHidden(text))
  })

  it.each([
    ["plain", "plain"],
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["Windows\r\nlines", "Windows\nlines"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["a family: 👨‍👩‍👧, a heart ❤️‍🔥", "a family: 👨‍👩‍👧, a heart ❤️‍🔥"],
    ["שלום Ωmega 東京", "שלום Ωmega 東京"],
    ["", ""]
  ])("are not found where there are none: %j", (text, expected) => {
    assert.strictEqual(drawn(text), expected)
    assert.isFalse(hasHidden(text))
  })
})

describe("a cut", () => {
  it("leaves short texts alone, and never halves a character", () => {
    assert.strictEqual(cut("short", 10), "short")
    assert.strictEqual(cut("123456", 3), "123")
    assert.strictEqual(cut("12😀", 3), "12")
  })
})

describe("words where no element may stand", () => {
  it("have marks in brackets, and end where there is no room", () => {
    assert.strictEqual(plainWords("invoice\u202efdp.exe"), "invoice[RLO]fdp.exe")
    assert.strictEqual(plainWords("W".repeat(70)), `${"W".repeat(60)}…`)
  })
})
