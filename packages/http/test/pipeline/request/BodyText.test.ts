import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { bodyText } from "../../../src/pipeline/request/BodyText.ts"

const bytesOf = (...bytes: ReadonlyArray<number | string>): Uint8Array => {
  const all = bytes.flatMap((each) =>
    typeof each === "number" ? [each] : [...new TextEncoder().encode(each)]
  )
  return Uint8Array.from(all)
}

describe("bodyText", () => {
  it.prop(
    "is the text whose bytes were sent",
    [Schema.String.check(Schema.isPattern(/^[^\uD800-\uDFFF\uFEFF]*$/u))],
    ([text]) => {
      assert.deepStrictEqual(bodyText(bytesOf(text)), Result.succeed(text))
    }
  )

  it.each([
    { what: "a byte that begins nothing", bytes: ['{"a":"', 0xff, '"}'], place: 6 },
    { what: "a character that ends early", bytes: ["é€", 0xe2, 0x82, '"'], place: 5 },
    { what: "a character that is not there to its end", bytes: ["x", 0xf0, 0x9f, 0x98], place: 1 },
    { what: "half of a surrogate pair", bytes: [0xed, 0xa0, 0x80], place: 0 },
    { what: "two bytes for what takes one", bytes: ["ab", 0xc0, 0xaf], place: 2 },
    { what: "a fault behind a replacement character that was sent", bytes: ["\uFFFDa\uFFFD", 0x80], place: 7 }
  ])("names the place of $what", ({ bytes, place }) => {
    assert.deepStrictEqual(
      bodyText(bytesOf(...bytes)),
      Result.fail({ path: ["body"], message: `must be UTF-8, which it is not at byte ${place}` })
    )
  })
})
