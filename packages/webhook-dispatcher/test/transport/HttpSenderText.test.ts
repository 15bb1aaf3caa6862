import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { textOf } from "../../src/HttpSender.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)

describe("textOf", () => {
  it("leaves out the character that the cut went through", () => {
    assert.strictEqual(textOf(utf8("aé").subarray(0, 2), { isTruncated: true }), "a")
  })

  it("shows that the last character is broken when nothing was cut", () => {
    assert.strictEqual(textOf(utf8("aé").subarray(0, 2), { isTruncated: false }), "a\uFFFD")
  })

  it.effect.prop("keeps text as it is, but for NUL", { text: Schema.String }, ({ text }) =>
    Effect.sync(() =>
      assert.strictEqual(
        textOf(utf8(text), { isTruncated: false }),
        text.toWellFormed().replaceAll("\0", "\uFFFD")
      )
    )
  )

  it.effect.prop(
    "makes storable text of any bytes",
    { bytes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))) },
    ({ bytes }) =>
      Effect.sync(() => {
        const text = textOf(Uint8Array.from(bytes), { isTruncated: false })

        assert.isTrue(text.isWellFormed() && !text.includes("\0"))
      })
  )
})
