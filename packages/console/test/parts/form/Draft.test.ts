import { assert, describe, it } from "vitest"
import { controlOf } from "../../../src/parts/form/Control.ts"
import { draftOf, fits, landed, readDraft } from "../../../src/parts/form/Draft.ts"

const schema = {
  type: "object",
  required: ["carrier"],
  properties: {
    carrier: { type: "string" },
    copies: { type: "integer", default: 2 },
    hasPdf: { type: "boolean" },
    size: { enum: [1, "a", null] },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object", properties: { city: { type: "string" }, "a/b": { type: "number" } } },
    extra: {}
  }
}
const control = controlOf(schema)

const whole = {
  carrier: "kestrel",
  copies: 3,
  hasPdf: false,
  size: null,
  tags: ["one", "two"],
  address: { city: "Hamburg", "a/b": 1.5 },
  extra: { deep: [1, { er: true }] }
}

describe("a draft", () => {
  it("of a value means that value", () => {
    assert.deepStrictEqual(readDraft(control, draftOf(control, whole)), { value: whole, wrong: {} })
  })

  it("begins with the presets of the schema, and with nothing else", () => {
    assert.deepStrictEqual(readDraft(control, draftOf(control)).value, { copies: 2 })
  })

  it("leaves out what was not given, and a group in which nothing was", () => {
    const draft = {
      carrier: "",
      copies: "",
      hasPdf: "",
      size: "",
      tags: [],
      address: { city: "" },
      extra: " "
    }

    assert.deepStrictEqual(readDraft(control, draft), { value: {}, wrong: {} })
  })

  it("says what cannot be understood, where the service would say it", () => {
    const draft = { copies: "two", address: { "a/b": "x" }, extra: "{" }

    const { wrong } = readDraft(control, draft)

    assert.sameMembers(Object.keys(wrong), ["copies", "address.a~1b", "extra"])
    assert.strictEqual(wrong["copies"], "Must be a number.")
    assert.match(wrong["extra"] ?? "", /^Must be JSON: /)
  })

  it("keeps an entry of a list that was begun and left empty", () => {
    assert.deepStrictEqual(readDraft(control, { tags: ["one", ""] }).value, { tags: ["one", ""] })
  })

  it("of a value that is no object is that value", () => {
    const code = controlOf({ type: "string", pattern: "^[0-9]{6}$" })

    assert.deepStrictEqual(readDraft(code, "482199"), { value: "482199", wrong: {} })
    assert.deepStrictEqual(readDraft(code, ""), { value: undefined, wrong: {} })
  })

  it.each([
    [whole, true],
    [{ ...whole, more: 1 }, false],
    [{ carrier: 7 }, false],
    [{ size: 2 }, false],
    [{ address: {} }, false],
    [[], false]
  ] as const)("can show %j without loss: %s", (value, isFitting) => {
    assert.strictEqual(fits(control, value), isFitting)
  })
})

describe("a draft of variants", () => {
  const kinds = controlOf({
    type: "object",
    properties: {
      note: { type: ["string", "null"] },
      kind: {
        oneOf: [
          { type: "object", properties: { type: { const: "all" } }, additionalProperties: false },
          { type: "object", properties: { type: { const: "one" }, number: { type: "integer" } } }
        ]
      },
      lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } }
    }
  })

  it.each([
    [{ note: null, kind: { type: "one", number: 7 }, lines: [{ sku: "a" }, {}] }],
    [{ note: "x", lines: [{}] }],
    [{}]
  ] as const)("means %j, of which it was made", (value) => {
    assert.deepStrictEqual(readDraft(kinds, draftOf(kinds, value)), { value, wrong: {} })
  })

  it("has each error at the deepest field that its path leads to", () => {
    const draft = draftOf(kinds, { kind: { type: "one", number: 7 }, lines: [{ sku: "a" }] })

    assert.deepStrictEqual(
      landed(
        { control: kinds, draft },
        {
          kind: "Must match exactly one schema in oneOf.",
          "kind.number": "Must be at least 9.",
          "kind.type": "Is required.",
          "lines.0.sku": "Too long.",
          "lines.0.more": "Is not known.",
          elsewhere: "Is not known."
        }
      ),
      {
        "kind.number": "Must be at least 9.",
        "lines.0.sku": "Too long.",
        "lines.0": "more: Is not known.",
        "": "elsewhere: Is not known."
      }
    )
  })
})
