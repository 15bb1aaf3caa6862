import { assert, describe, it } from "vitest"
import { formOf } from "../../src/mcp/Elicitation.ts"

describe("formOf", () => {
  it("asks for one field where the answer is one value", () => {
    const { answerIn, requestedSchema } = formOf({
      type: "integer",
      minimum: 1,
      multipleOf: 5,
      title: "Copies"
    })

    assert.deepStrictEqual(requestedSchema, {
      type: "object",
      properties: { value: { type: "integer", minimum: 1, title: "Copies" } },
      required: ["value"]
    })
    assert.strictEqual(answerIn({ value: 10 }), 10)
  })

  it("asks for the fields of a plain object, and says nothing of them that a form cannot", () => {
    const { answerIn, requestedSchema } = formOf({
      type: "object",
      properties: {
        size: { enum: ["a4", "letter"] },
        mail: { type: "string", format: "email", pattern: "@" },
        id: { type: "string", format: "uuid" }
      },
      required: ["size"],
      additionalProperties: false
    })

    assert.deepStrictEqual(requestedSchema, {
      type: "object",
      properties: {
        size: { type: "string", enum: ["a4", "letter"] },
        mail: { type: "string", format: "email" },
        id: { type: "string" }
      },
      required: ["size"]
    })
    assert.deepStrictEqual(answerIn({ size: "a4" }), { size: "a4" })
  })

  it.each([
    {},
    { type: "array" },
    { enum: [1, 2] },
    { type: "object", properties: { a: { type: "object" } } }
  ])("asks for JSON where a form has no field for it: %j", (schema) => {
    const { answerIn, requestedSchema } = formOf(schema)

    assert.include(JSON.stringify(requestedSchema), "Answer as JSON")
    assert.deepStrictEqual([answerIn({ value: "[1]" }), answerIn({ value: "[" })], [[1], undefined])
  })

  it.each(["9007199254740993.0", "1e400", '{"\\\\": 1}'])(
    "takes no JSON that would change when it is read: %s",
    (value) => {
      assert.isUndefined(formOf({}).answerIn({ value }))
    }
  )
})
