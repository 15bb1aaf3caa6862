import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { requestedRange } from "../../src/artifacts/ByteRanges.ts"

const sizeBytes = 1_000
const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_000 }))
const Position = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_000 }))

describe("requestedRange", () => {
  it.each([
    ["bytes=0-99", { start: 0, end: 99 }],
    ["bytes=100-", { start: 100, end: 999 }],
    ["bytes=-50", { start: 950, end: 999 }],
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=999-999", { start: 999, end: 999 }],
    ["bytes=900-5000", { start: 900, end: 999 }],
    ["bytes=-5000", { start: 0, end: 999 }],
    [`bytes=0-${"9".repeat(400)}`, { start: 0, end: 999 }],
    ["BYTES=1-2", { start: 1, end: 2 }],
    ["bytes= 1-2 ", { start: 1, end: 2 }]
  ])("reads %s", (header, expected) => {
    assert.deepStrictEqual(requestedRange(header, sizeBytes), Result.succeed(expected))
  })

  it.each([
    undefined,
    "",
    "bytes=",
    "bytes=-",
    "bytes=5",
    "bytes=9-3",
    "bytes=a-b",
    "bytes=1.5-2",
    "bytes=--5",
    "bytes=0x0-9",
    "bytes=0-9,20-29",
    "lines=0-9",
    "0-9"
  ])("means the whole file by %s", (header) => {
    assert.deepStrictEqual(requestedRange(header, sizeBytes), Result.succeed(null))
  })

  it.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
    "cannot satisfy %s",
    (header) => {
      const refused = Result.getOrThrow(Result.flip(requestedRange(header, sizeBytes)))

      assert.strictEqual(refused.sizeBytes, sizeBytes)
    }
  )

  it("finds nothing to name in an empty file", () => {
    assert.isTrue(Result.isFailure(requestedRange("bytes=0-", 0)))
    assert.deepStrictEqual(requestedRange("bytes=-1", 0), Result.succeed(null))
  })

  it.prop("is what a slice from and to would be", [Size, Position, Position], ([size, from, to]) => {
    const bytes = Array.from({ length: size }, (_, index) => index)

    const range = Result.getOrUndefined(requestedRange(`bytes=${from}-${to}`, size))

    const expected = to < from ? bytes : bytes.slice(from, to + 1)
    const actual = range === null ? bytes : range === undefined ? [] : bytes.slice(range.start, range.end + 1)
    assert.deepStrictEqual(actual, expected)
  })

  it.prop("stays inside the file, whatever the header says", [Schema.String, Size], ([text, size]) => {
    const range = Result.getOrElse(requestedRange(`bytes=${text}`, size), () => null)

    if (range !== null) assert.isTrue(0 <= range.start && range.start <= range.end && range.end < size)
  })
})
