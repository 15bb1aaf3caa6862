import { assert, describe, it } from "vitest"
import { momentWords, utcWords } from "../../src/format/Moments.ts"

const now = Date.parse("2026-11-22T01:14:02Z")
const words = (at: string, isExact = false) => momentWords(new Date(at), { zone: "utc", now, isExact })

describe("moments", () => {
  it.each([
    ["2026-11-22T00:13:51.502Z", "00:13:51"],
    ["2026-11-19T00:58:45Z", "19 Nov 00:58"],
    ["2025-11-22T00:13:51Z", "22 Nov 2025"],
    ["nonsense", "unknown"]
  ])("of %s are short: %s", (at, expected) => {
    assert.strictEqual(words(at), expected)
  })

  it.each([
    ["2026-11-19T00:58:45Z", "19 Nov 00:58:45"],
    ["2025-11-22T00:13:51Z", "22 Nov 2025 00:13:51"]
  ])("of %s are exact where that is wanted: %s", (at, expected) => {
    assert.strictEqual(words(at, true), expected)
  })

  it("have their instant in UTC at hand", () => {
    assert.strictEqual(utcWords(new Date("2026-11-22T01:13:51Z")), "2026-11-22 01:13:51 UTC")
    assert.strictEqual(utcWords(new Date("2026-11-22T01:13:51.502Z")), "2026-11-22 01:13:51.502 UTC")
  })
})
