import { assert, describe, it } from "vitest"
import { excerptOf, soughtOf } from "../../../src/views/executions/Excerpt.ts"

const of = { error_message: null, metadata: {}, params: {}, result: null }

const wordsOf = (text: string, given: Partial<Parameters<typeof excerptOf>[0]>) => {
  const excerpt = excerptOf({ ...of, ...given }, soughtOf(text))
  return excerpt && `${excerpt.where}: ${excerpt.before}[${excerpt.found}]${excerpt.after}`
}

describe("a text in an execution", () => {
  it("is found in any case in params, result, error and metadata, in this order", () => {
    const all = {
      params: { carrier: "Kestrel" },
      result: { by: ["KESTREL", 12] },
      error_message: "kestrel said no",
      metadata: { kestrel: true }
    }
    assert.strictEqual(wordsOf("kestrel", all), `params: {"carrier":"[Kestrel]"}`)
    assert.strictEqual(wordsOf("kestrel", { ...all, params: {} }), `result: {"by":["[KESTREL]",12]}`)
    assert.strictEqual(
      wordsOf("kestrel", { ...all, params: {}, result: null }),
      "error_message: [kestrel] said no"
    )
    assert.strictEqual(wordsOf("kestrel", { metadata: all.metadata }), `metadata: {"[kestrel]":true}`)
    assert.strictEqual(wordsOf("SÖHNE", { params: { of: "Söhne" } }), `params: {"of":"[Söhne]"}`)
    assert.isUndefined(wordsOf("harrier", all))
  })

  it("is not found in what is not there", () => {
    assert.isUndefined(wordsOf("null", {}))
  })

  it("is text and no pattern, and may be a part of the JSON or of a text within it", () => {
    const params = { note: 'a "b"\n\\c', sum: 12, path: "x.y*(z)" }
    assert.include(wordsOf('"sum":12', { params }), '["sum":12]')
    assert.include(wordsOf('a "b"', { params }), String.raw`[a \"b\"]`)
    assert.include(wordsOf(String.raw`\c`, { params }), String.raw`\n\[\c]"`)
    assert.include(wordsOf("y*(z)", { params }), "[y*(z)]")
    assert.isUndefined(wordsOf("x.*z", { params }))
    assert.strictEqual(wordsOf("kes", { error_message: "İ Kestrel" }), "error_message: i̇ [kes]trel")
  })

  it("is shown with a little of what stands around it, and never with half of a character", () => {
    const words = wordsOf("kestrel".repeat(20), {
      error_message: `${"😀".repeat(40)}x${"Kestrel".repeat(20)}y${"😀".repeat(40)}`
    })
    assert.strictEqual(
      words,
      `error_message: ${"😀".repeat(11)}x[${"Kestrel".repeat(20)}]y${"😀".repeat(19)}`
    )
  })
})
