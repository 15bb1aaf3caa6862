import type { Json } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { breaksOf } from "../../../src/views/tasks/SchemaBreaks.ts"

const object = (
  properties: { readonly [name: string]: Json },
  more: { readonly [name: string]: Json } = {}
) => ({
  type: "object",
  properties,
  ...more
})

const ofParams = (before: Json, after: Json) =>
  breaksOf({ params: before, result: null }, { params: after, result: null })
const ofResult = (before: Json, after: Json) =>
  breaksOf({ params: {}, result: before }, { params: {}, result: after })

describe("what a new version breaks for callers", () => {
  it.each([
    [object({ a: {} }), object({ a: {} }, { required: ["a"] }), "params.a is now required."],
    [
      object({ a: {}, b: {} }, { additionalProperties: false }),
      object({ a: {} }, { additionalProperties: false }),
      "params.b is no longer accepted."
    ],
    [object({}), object({}, { additionalProperties: false }), "params no longer takes other fields."],
    [object({ a: { type: "string" } }), object({ a: { type: "integer" } }), "params.a must now be integer."],
    [
      object({ a: { type: ["string", "null"] } }),
      object({ a: { type: "string" } }),
      "params.a must now be string."
    ],
    [
      object({ a: { enum: ["x", "y"] } }),
      object({ a: { enum: ["y", "z"] } }),
      'params.a no longer takes "x".'
    ],
    [
      object({ a: { type: "string" } }),
      object({ a: { type: "string", pattern: "^a" } }),
      "params.a has another rule: pattern."
    ],
    [
      object({ a: { maxLength: 9 } }),
      object({ a: { maxLength: 5 } }),
      "params.a has another rule: maxLength."
    ],
    [
      object({ a: { type: "array", items: object({ b: {} }) } }),
      object({ a: { type: "array", items: object({ b: {} }, { required: ["b"] }) } }),
      "params.a[].b is now required."
    ]
  ])("from %j to %j is said", (before, after, said) => {
    assert.deepStrictEqual(ofParams(before, after), [said])
  })

  it.each([
    [object({ a: {} }, { required: ["a"] }), object({ a: {} })],
    [object({ a: { type: "integer" } }), object({ a: { type: "number" } })],
    [object({ a: { maxLength: 5 } }), object({ a: { maxLength: 9 } })],
    [object({ a: { enum: ["x"] } }), object({ a: { enum: ["x", "y"] } })],
    [
      object({}, { additionalProperties: false }),
      object({ a: { type: "string" } }, { additionalProperties: false })
    ]
  ])("from %j to %j is nothing", (before, after) => {
    assert.deepStrictEqual(ofParams(before, after), [])
  })

  it("is the other way round for results", () => {
    const promised = object({ total: { type: "number" } }, { required: ["total"] })

    assert.deepStrictEqual(ofResult(promised, object({ total: { type: "number" } })), [
      "result.total may now be missing."
    ])
    assert.deepStrictEqual(ofResult(object({ total: { type: "number" } }), promised), [])
    assert.deepStrictEqual(ofResult(promised, null), ["result was object, and may now be something else."])
    assert.deepStrictEqual(ofResult(null, promised), [])
  })
})
