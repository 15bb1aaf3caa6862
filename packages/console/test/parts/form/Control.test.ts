import type { Json } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { type Control, controlOf } from "../../../src/parts/form/Control.ts"

describe("the control for a schema", () => {
  it.each([
    [{ type: "string" }, "text"],
    [{ type: "string", enum: ["kestrel", "northquay"] }, "choice"],
    [{ enum: [1, null, { a: 1 }] }, "choice"],
    [{ type: "number" }, "number"],
    [{ type: "integer" }, "number"],
    [{ type: "boolean" }, "switch"],
    [{ type: "array", items: { type: "string" } }, "list"],
    [{ type: "object", properties: { a: { type: "string" } } }, "group"],
    [{ properties: { a: {} } }, "group"],
    [{ type: "object", additionalProperties: false }, "group"],
    [{ const: 7, type: "integer" }, "fixed"],
    [{ type: ["string", "null"] }, "variant"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "variant"],
    [{ oneOf: [{ const: "a", title: "First" }, { const: "b" }] }, "choice"],
    [{ type: "array", items: { type: "object", properties: { a: {} } } }, "list"],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "integer" } } }, "number"],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "json"]
  ] as const)("of %j is a %s", (schema, kind) => {
    assert.strictEqual(controlOf(schema).kind, kind)
  })

  it.each([
    [undefined],
    [true],
    [{}],
    [{ type: "object" }],
    [{ type: "object", properties: { a: {} }, oneOf: [{ required: ["a"] }] }],
    [{ type: "string", not: { const: "a" } }],
    [{ $ref: "#/$defs/a" }],
    [{ $ref: "https://other.example/schema" }],
    [{ oneOf: [{ type: "string" }, {}] }],
    [{ properties: { a: {} }, oneOf: [{ type: "object" }] }],
    [{ type: "array" }],
    [{ type: "array", items: { type: "array", items: { type: "string" } } }],
    [{ type: "array", prefixItems: [{ type: "string" }], items: { type: "string" } }],
    [{ enum: [] }]
  ] as const)("of %j is JSON to be typed", (schema) => {
    assert.strictEqual(controlOf(schema).kind, "json")
  })

  it("goes three levels into objects, and is JSON below", () => {
    const nested = (levels: number): Json =>
      levels === 0 ? { type: "string" } : { type: "object", properties: { in: nested(levels - 1) } }
    const innermost = (control: Control | undefined): string | undefined =>
      control?.kind === "group" ? innermost(control.members[0]?.control) : control?.kind

    assert.strictEqual(innermost(controlOf(nested(4))), "text")
    assert.strictEqual(innermost(controlOf(nested(5))), "json")
  })

  it("ends in a schema that is part of itself", () => {
    const tree = { type: "object", properties: { name: { type: "string" }, below: { $ref: "#/$defs/tree" } } }

    assert.strictEqual(controlOf({ ...tree, $defs: { tree } }).kind, "group")
  })

  it("names variants by their titles, or by what is fixed in them", () => {
    const control = controlOf({
      oneOf: [
        { title: "By card", type: "object", properties: {}, additionalProperties: false },
        { type: "object", properties: { type: { const: "invoice" } } },
        { type: "integer" }
      ]
    })

    assert.deepStrictEqual(control.kind === "variant" ? control.options.map(({ words }) => words) : null, [
      "By card",
      "invoice",
      "integer"
    ])
  })

  it("knows which members are required, what they are called, and what the schema says of them", () => {
    const schema = {
      type: "object",
      required: ["period"],
      properties: {
        period: {
          type: "string",
          title: "Month",
          description: "Month of the invoices",
          pattern: "^[0-9]{4}-[0-9]{2}$"
        },
        copies: { type: "integer", minimum: 1, maximum: 9, default: 1 }
      }
    }

    const control = controlOf(schema)

    assert.deepInclude(control.kind === "group" ? control.members[0] : {}, {
      name: "period",
      isRequired: true
    })
    assert.deepInclude(control.kind === "group" ? control.members[0]?.control : {}, {
      title: "Month",
      hint: "Month of the invoices"
    })
    assert.deepInclude(control.kind === "group" ? control.members[1] : {}, {
      name: "copies",
      isRequired: false
    })
    assert.deepInclude(control.kind === "group" ? control.members[1]?.control : {}, {
      hint: "1 to 9",
      preset: 1
    })
  })

  it.each([
    [{ minLength: 2, maxLength: 5 }, "2 to 5 characters"],
    [{ minLength: 6, maxLength: 6 }, "6 characters"],
    [{ maxLength: 5 }, "at most 5 characters"],
    [{ minLength: 1, pattern: "^a" }, "at least 1 characters; must match ^a"],
    [{}, null]
  ] as const)("says what %j asks for", (rules, hint) => {
    assert.strictEqual(controlOf({ type: "string", ...rules }).hint, hint)
  })

  it.each([
    [{ format: "uri" }, "url"],
    [{ format: "date" }, "date"],
    [{ format: "uuid" }, "text"],
    [{ maxLength: 4_000 }, "long"]
  ] as const)("takes text of %j in a field for %s", (rules, input) => {
    assert.deepInclude(controlOf({ type: "string", ...rules }), { input })
  })

  it.each([
    ["^[0-9]{6}$", true],
    ["^\\d+$", true],
    ["^[0-9]{4}-[0-9]{2}$", false]
  ] as const)("asks for digits by %s: %s", (pattern, isDigits) => {
    assert.deepInclude(controlOf({ type: "string", pattern }), { isDigits })
  })
})
