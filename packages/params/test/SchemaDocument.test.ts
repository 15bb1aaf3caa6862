import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { issuesMax } from "@runhook/core/executions/params/ParamsValidator"
import * as Result from "effect/Result"
import { check, schemaBytesMax, schemaDepthMax } from "../src/SchemaDocument.ts"

const draft07 = "http://json-schema.org/draft-07/schema#"

/** Why the document is refused, as "path keyword". */
const refusal = (document: JsonObject): ReadonlyArray<string> => {
  const checked = check(document)
  return Result.isFailure(checked)
    ? checked.failure.issues.map(({ path, keyword }) => `${path} ${keyword}`)
    : []
}

/** What a document that can be published says in vain, as "path keyword". */
const warned = (document: JsonObject): ReadonlyArray<string> =>
  Result.getOrThrow(check(document)).warnings.map(({ path, keyword }) => `${path} ${keyword}`)

const accepted = (document: JsonObject) => Result.getOrThrow(check(document)).acceptsObjects

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, i) => `${i}`)

const named = (count: number, value: Json): JsonObject =>
  Object.fromEntries(names(count).map((name) => [`n${name}`, value]))

/** Schemas for arrays within arrays. */
const nested = (levels: number): JsonObject => (levels === 1 ? {} : { items: nested(levels - 1) })

/** A document of so many large patterns. */
const patterned = (count: number): JsonObject => ({
  allOf: Array.from({ length: count }, () => ({ pattern: "a{1000}b{1000}" }))
})

/** A document of so many bytes, in fewer characters. */
const sized = (bytes: number): JsonObject => ({ title: "é".repeat((bytes - '{"title":""}'.length) / 2) })

describe("SchemaDocument.check", () => {
  it("accepts drafts 2020-12 and 07, with or without an empty fragment, and no other", () => {
    for (const $schema of ["https://json-schema.org/draft/2020-12/schema", draft07, draft07.slice(0, -1)]) {
      assert.deepStrictEqual(refusal({ $schema }), [])
    }
    assert.deepStrictEqual(refusal({ $schema: "https://json-schema.org/draft/2019-09/schema" }), [
      "/$schema $schema"
    ])
    assert.deepStrictEqual(refusal({ $schema: 7 }), ["/$schema $schema"])
  })

  it("refuses another draft below the root than that of the root", () => {
    assert.deepStrictEqual(refusal({ items: { $schema: draft07 } }), ["/items/$schema $schema"])
    assert.deepStrictEqual(refusal({ $schema: draft07, items: { $schema: draft07 } }), [])
  })

  it("refuses what is no schema of its draft", () => {
    assert.include(refusal({ type: "strin" }), "/type enum")
    assert.include(refusal({ properties: [] }), "/properties type")
    assert.include(refusal({ items: [true] }), "/items type")
    assert.deepStrictEqual(refusal({ $schema: draft07, items: [true] }), [])
  })

  it("accepts annotations, and those that start with x-", () => {
    const annotated = {
      title: "",
      description: "",
      examples: [1],
      deprecated: true,
      $comment: "",
      "x-order": { a: 1 }
    }

    assert.deepStrictEqual(refusal({ ...annotated, properties: { a: annotated } }), [])
  })

  it("warns of unknown keywords, and of those of the other draft", () => {
    assert.deepStrictEqual(warned({ properties: { a: { nullable: true, "x-own": 1 } } }), [
      "/properties/a/nullable nullable"
    ])
    assert.deepStrictEqual(warned({ dependencies: {} }), ["/dependencies dependencies"])
    assert.deepStrictEqual(warned({ $schema: draft07, prefixItems: [] }), ["/prefixItems prefixItems"])
  })

  it("warns of what means nothing beside a reference in draft 07, but for annotations", () => {
    const beside = { $ref: "#/definitions/a", maxItems: 2, default: [], description: "" }
    const document = { properties: { list: beside }, definitions: { a: { type: "array" } } }

    assert.deepStrictEqual(warned({ $schema: draft07, ...document }), [
      "/properties/list/maxItems maxItems",
      "/properties/list/default default"
    ])
    assert.deepStrictEqual(warned(document), [])
  })

  it("takes the names of properties for names, not for keywords", () => {
    assert.deepStrictEqual(refusal({ properties: { nope: true, pattern: { const: { $ref: "nope" } } } }), [])
  })

  it.each(["iban", "path", "uint32", "decimal", "ulid", "e164", "emoji", "cidrv4", "idn-email"])(
    "warns that it does not check the format %s",
    (format) => {
      assert.deepStrictEqual(warned({ items: { format } }), ["/items/format format"])
    }
  )

  it("refuses a default that its own schema refuses, where it would be filled in", () => {
    const page = { type: "integer", default: "1" }

    assert.deepStrictEqual(refusal({ properties: { page, size: { default: 1 } } }), [
      "/properties/page/default default"
    ])
    assert.deepStrictEqual(refusal({ $defs: { page }, $ref: "#/$defs/page" }), [])
    assert.deepStrictEqual(
      refusal({
        properties: {
          sort: { default: {}, required: ["by"], properties: { by: { enum: ["age"], default: "age" } } }
        }
      }),
      []
    )
  })

  it.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(?<!a)b",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "[",
    "a{1001}",
    "((a{99}){99}){99}"
  ])("refuses the pattern %s, which is not linear-time", (pattern) => {
    assert.deepStrictEqual(refusal({ items: { pattern } }), ["/items/pattern pattern"])
    assert.deepStrictEqual(refusal({ patternProperties: { [pattern]: true } }), [
      `/patternProperties/${pattern} pattern`
    ])
  })

  it("refuses patterns that are large, also together", () => {
    assert.deepStrictEqual(refusal({ pattern: "a".repeat(513) }), ["/pattern pattern"])
    assert.deepStrictEqual(refusal({ pattern: "a{1000}".repeat(6) }), ["/pattern pattern"])
    assert.deepStrictEqual(refusal(patterned(9)), [])
    assert.deepStrictEqual(refusal(patterned(10)), ["/allOf/9/pattern pattern"])
  })

  it("refuses references that leave the document or lead to no schema in it", () => {
    const targets = [
      "https://example.com/schema",
      "other",
      "#/$defs/none",
      "#none",
      "#/properties",
      "#/x-hidden",
      "#/%zz",
      "http://[",
      "https://json-schema.org/draft/2020-12/schema"
    ]
    for (const $ref of targets) {
      assert.include(
        refusal({ properties: { a: { $ref } }, "x-hidden": {} }),
        "/properties/a/$ref $ref",
        $ref
      )
    }
  })

  it("refuses names that two schemas share", () => {
    assert.deepStrictEqual(refusal({ $defs: { a: { $anchor: "one" }, b: { $anchor: "one" } } }), [
      "/$defs/b $id"
    ])
    assert.deepStrictEqual(refusal({ $defs: { a: { $id: "one" }, b: { $id: "one" } } }), ["/$defs/b $id"])
  })

  it("refuses a dynamic reference whose target would depend on the way it was reached", () => {
    const list = { $id: "list", $dynamicAnchor: "item", items: { $dynamicRef: "#item" } }

    const elsewhere = { ...list, items: { $dynamicRef: "list#item" } }

    for (const each of [list, elsewhere]) {
      assert.deepStrictEqual(refusal({ $dynamicAnchor: "item", $defs: { list: each } }), [
        "/$defs/list/items/$dynamicRef $dynamicRef"
      ])
    }
  })

  it("refuses a schema that applies itself to the same value for ever", () => {
    assert.deepStrictEqual(refusal({ $ref: "#" }), [" $ref"])
    assert.deepStrictEqual(refusal({ items: { anyOf: [{ not: { $ref: "#/items" } }] } }), ["/items $ref"])
    assert.deepStrictEqual(refusal({ items: { $ref: "#" } }), [])
  })

  it("refuses a document that is too large", () => {
    assert.deepStrictEqual(refusal(sized(schemaBytesMax)), [])
    assert.deepStrictEqual(refusal(sized(schemaBytesMax + 2)), [" size"])
  })

  it("refuses a document that is too deep", () => {
    assert.deepStrictEqual(refusal(nested(schemaDepthMax)), [])
    assert.deepStrictEqual(refusal(nested(schemaDepthMax + 1)), [`${"/items".repeat(schemaDepthMax)} depth`])
  })

  it("refuses a document of too many schemas", () => {
    assert.deepStrictEqual(refusal({ properties: named(999, true) }), [])
    assert.deepStrictEqual(refusal({ properties: named(1_000, true) }), [" schemas"])
  })

  it.each<readonly [string, string, (length: number) => JsonObject, number]>([
    ["/required", "required", (length) => ({ required: names(length) }), 500],
    [
      "/dependentRequired/a",
      "dependentRequired",
      (length) => ({ dependentRequired: { a: names(length) } }),
      499
    ],
    [
      "/dependencies/a",
      "dependencies",
      (length) => ({ $schema: draft07, dependencies: { a: names(length) } }),
      499
    ],
    ["", "names", (length) => ({ dependentRequired: named(length, []) }), 2_000],
    ["/allOf", "allOf", (length) => ({ allOf: names(length).map(() => true) }), 200],
    ["/items/anyOf", "anyOf", (length) => ({ items: { anyOf: names(length).map(() => true) } }), 200],
    ["/oneOf", "oneOf", (length) => ({ oneOf: names(length).map(() => true) }), 200],
    ["/prefixItems", "prefixItems", (length) => ({ prefixItems: names(length).map(() => true) }), 200],
    ["/items", "items", (length) => ({ $schema: draft07, items: names(length).map(() => true) }), 200],
    [
      "/patternProperties",
      "patternProperties",
      (length) => ({ patternProperties: named(length, true) }),
      100
    ],
    ["/enum", "enum", (length) => ({ enum: [{}, ...names(length - 1)] }), 5_000]
  ])("refuses lists that are too long: %s", (path, keyword, documentOf, most) => {
    assert.deepStrictEqual(refusal(documentOf(most)), [])
    assert.deepStrictEqual(refusal(documentOf(most + 1)), [`${path} ${keyword}`])
  })

  it("refuses in a bounded number of short issues", () => {
    const document = {
      properties: named(80, { properties: { ["n".repeat(700)]: { type: "strin" } } })
    }

    const checked = Result.getOrThrow(Result.flip(check(document)))

    assert.lengthOf(checked.issues, issuesMax)
    assert.isAtMost(checked.issues[0]?.path.length ?? 0, 512)
    assert.isAtMost(checked.message.length, 3_000)
  })

  it("warns in a bounded number of short issues", () => {
    const document = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`${"n".repeat(700)}${i}`, i]))

    const { warnings } = Result.getOrThrow(check(document))

    assert.lengthOf(warnings, issuesMax)
    assert.isAtMost(warnings[0]?.path.length ?? 0, 512)
  })

  it("refuses a property that is named __proto__", () => {
    const hostile: JsonObject = JSON.parse('{"properties":{"__proto__":{"default":{"admin":true}}}}')

    assert.deepStrictEqual(refusal(hostile), ["/properties/__proto__ propertyNames"])
    assert.isFalse("admin" in {})
  })

  it("ends on a long chain of references", () => {
    const chain = Array.from({ length: 990 }, (_, i): readonly [string, Json] => [
      `${i}`,
      { $ref: `#/$defs/${i + 1}` }
    ])
    const document = { $ref: "#/$defs/0", $defs: { ...Object.fromEntries(chain), 990: true } }

    assert.include([[], [" effort"]].map(String), String(refusal(document)))
  })

  it.each<readonly [JsonObject, boolean]>([
    [{}, true],
    [{ type: ["object", "null"] }, true],
    [{ type: "string" }, false],
    [{ const: 1 }, false],
    [{ enum: [1, {}] }, true],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "array" } } }, false],
    [{ allOf: [{ type: "object" }, { type: "string" }] }, false],
    [{ anyOf: [{ type: "string" }, { type: "object" }] }, true],
    [{ oneOf: [{ type: "string" }, false] }, false]
  ])("knows whether %j accepts objects", (document, accepts) => {
    assert.strictEqual(accepted(document), accepts)
  })
})
