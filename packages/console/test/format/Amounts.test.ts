import { assert, describe, it } from "vitest"
import {
  byteWords,
  countOf,
  durationWords,
  sentenceCase,
  shareWords,
  spanWords
} from "../../src/format/Amounts.ts"

describe("durations", () => {
  it.each([
    [0, "0 ms"],
    [84.4, "84 ms"],
    [999.4, "999 ms"],
    [1_000, "1 s"],
    [1_240, "1.2 s"],
    [9_999, "10 s"],
    [41_400, "41 s"],
    [59_999, "1 min"],
    [400_000, "6 min 40 s"],
    [3_600_000, "1 h"],
    [11_040_000, "3 h 4 min"],
    [254_520_000, "2 d 22 h"],
    [6_048_000_000, "70 d"],
    [-5, "0 ms"],
    [Number.NaN, "0 ms"]
  ])("of %d ms are %s", (ms, words) => {
    assert.strictEqual(durationWords(ms), words)
  })

  it("between two moments are none while one is still to come", () => {
    assert.strictEqual(spanWords("2026-11-22T01:00:00Z", null), null)
    assert.strictEqual(spanWords("2026-11-22T01:00:00Z", "2026-11-22T01:00:41Z"), "41 s")
  })
})

describe("sizes and counts", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [380, "380 bytes"],
    [1_000, "1 kB"],
    [16_384, "16 kB"],
    [1_234_567, "1.2 MB"],
    [999_999_999_999_999, "1000 TB"]
  ])("of %d bytes are %s", (bytes, words) => {
    assert.strictEqual(byteWords(bytes), words)
  })

  it("have the word that fits", () => {
    assert.strictEqual(countOf(1, "delivery", "deliveries"), "1 delivery")
    assert.strictEqual(countOf(8_472, "delivery", "deliveries"), "8,472 deliveries")
    assert.strictEqual(countOf(0, "key"), "0 keys")
  })

  it.each([
    [0, 0, "none"],
    [86, 100, "86%"],
    [997, 1_000, "99.7%"],
    [1_000, 1_000, "100%"],
    [999_999, 1_000_000, "99.9%"],
    [0, 5, "0%"]
  ])("of %d in %d are %s", (part, whole, words) => {
    assert.strictEqual(shareWords(part, whole), words)
  })
})

describe("names of the API", () => {
  it("are told as words, also those of later versions", () => {
    assert.strictEqual(sentenceCase("signing_secret.rotated"), "Signing secret rotated")
    assert.strictEqual(sentenceCase("planet.moved"), "Planet moved")
  })
})
