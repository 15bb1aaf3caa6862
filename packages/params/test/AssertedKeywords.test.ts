import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import * as Effect from "effect/Effect"
import { layer } from "../src/AjvParamsValidator.ts"
import { breaches, draft07 } from "./Validating.ts"

interface Example {
  readonly schema: JsonObject
  readonly good: Json
  readonly bad: Json
  readonly breach: string
}

const examples: { readonly [keyword: string]: Example } = {
  type: { schema: { type: "string" }, good: "a", bad: 1, breach: " type" },
  enum: { schema: { enum: ["a", { b: 1 }] }, good: { b: 1 }, bad: "c", breach: " enum" },
  const: { schema: { const: [1] }, good: [1], bad: [2], breach: " const" },
  multipleOf: { schema: { multipleOf: 0.01 }, good: 19.99, bad: 19.999, breach: " multipleOf" },
  "multipleOf of large numbers": {
    schema: { multipleOf: 0.123456789 },
    good: 123456789,
    bad: 1e308,
    breach: " multipleOf"
  },
  maximum: { schema: { maximum: 1 }, good: 1, bad: 2, breach: " maximum" },
  exclusiveMinimum: { schema: { exclusiveMinimum: 1 }, good: 2, bad: 1, breach: " exclusiveMinimum" },
  maxLength: { schema: { maxLength: 1 }, good: "😀", bad: "ab", breach: " maxLength" },
  pattern: { schema: { pattern: "^\\p{L}+$" }, good: "été", bad: "a1", breach: " pattern" },
  format: { schema: { format: "uuid" }, good: 1, bad: "nope", breach: " format" },
  maxItems: { schema: { maxItems: 1 }, good: [1], bad: [1, 2], breach: " maxItems" },
  uniqueItems: {
    schema: { uniqueItems: true },
    good: [1, "1", [1]],
    bad: [
      { a: 1, b: 2 },
      { b: 2, a: 1 }
    ],
    breach: " uniqueItems"
  },
  contains: { schema: { contains: { const: 1 } }, good: [0, 1], bad: [0], breach: " contains" },
  maxProperties: {
    schema: { maxProperties: 1 },
    good: { a: 1 },
    bad: { a: 1, b: 2 },
    breach: " maxProperties"
  },
  required: { schema: { required: ["a/b"] }, good: { "a/b": 1 }, bad: {}, breach: "/a~1b required" },
  properties: { schema: { properties: { a: false } }, good: {}, bad: { a: 1 }, breach: "/a false schema" },
  patternProperties: {
    schema: { patternProperties: { "^n": { type: "number" } } },
    good: { n: 1, s: "" },
    bad: { n: "" },
    breach: "/n type"
  },
  additionalProperties: {
    schema: { properties: { a: true }, additionalProperties: false },
    good: { a: 1 },
    bad: { a: 1, b: 2 },
    breach: "/b additionalProperties"
  },
  allOf: { schema: { allOf: [{ minimum: 1 }, { maximum: 2 }] }, good: 1, bad: 3, breach: " maximum" },
  anyOf: { schema: { anyOf: [{ const: 1 }, { const: 2 }] }, good: 2, bad: 3, breach: " anyOf" },
  oneOf: { schema: { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, good: 3, bad: 1, breach: " oneOf" },
  not: { schema: { not: { type: "null" } }, good: 1, bad: null, breach: " not" },
  if: { schema: { if: { minimum: 1 }, else: { const: 0 } }, good: 2, bad: -1, breach: " const" },
  $ref: { schema: { $ref: "#/$defs/a", $defs: { a: { const: 1 } } }, good: 1, bad: 2, breach: " const" }
}

const examples202012: { readonly [keyword: string]: Example } = {
  prefixItems: {
    schema: { prefixItems: [{ type: "string" }], items: false },
    good: ["a"],
    bad: [1],
    breach: "/0 type"
  },
  maxContains: {
    schema: { contains: { const: 1 }, maxContains: 1 },
    good: [1],
    bad: [1, 1],
    breach: " contains"
  },
  dependentRequired: {
    schema: { dependentRequired: { a: ["b"] } },
    good: { b: 1 },
    bad: { a: 1 },
    breach: "/b dependentRequired"
  },
  dependentSchemas: {
    schema: { dependentSchemas: { a: { required: ["b"] } } },
    good: {},
    bad: { a: 1 },
    breach: "/b required"
  },
  unevaluatedProperties: {
    schema: { allOf: [{ properties: { a: { type: "number" } } }], unevaluatedProperties: false },
    good: { a: 1 },
    bad: { b: 1 },
    breach: "/b unevaluatedProperties"
  },
  unevaluatedItems: {
    schema: { prefixItems: [true], contains: { type: "string" }, unevaluatedItems: false },
    good: [1, "a"],
    bad: [1, 2, "a"],
    breach: "/1 unevaluatedItems"
  },
  "unevaluatedItems after a branch": {
    schema: { anyOf: [{ items: { type: "string" } }, true], unevaluatedItems: { type: "boolean" } },
    good: ["yes", "no"],
    bad: ["yes", false],
    breach: "/0 type"
  },
  "unevaluatedProperties after a lone if": {
    schema: {
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      unevaluatedProperties: false
    },
    good: { a: 1 },
    bad: { a: 2 },
    breach: "/a unevaluatedProperties"
  },
  $anchor: {
    schema: { items: { $ref: "#one" }, $defs: { a: { $anchor: "one", const: 1 } } },
    good: [1],
    bad: [2],
    breach: "/0 const"
  },
  $dynamicRef: {
    schema: { $dynamicAnchor: "node", type: "array", items: { $dynamicRef: "#node" } },
    good: [[[]]],
    bad: [[1]],
    breach: "/0/0 type"
  },
  $id: {
    schema: {
      $id: "https://example.com/list",
      items: { $ref: "item#/$defs/one" },
      $defs: { item: { $id: "item", $defs: { one: { const: 1 } } } }
    },
    good: [1],
    bad: [2],
    breach: "/0 const"
  }
}

const examples07: { readonly [keyword: string]: Example } = {
  "items and additionalItems": {
    schema: { items: [{ type: "string" }], additionalItems: { type: "number" } },
    good: ["a", 1],
    bad: ["a", "b"],
    breach: "/1 type"
  },
  dependencies: {
    schema: { dependencies: { a: ["b"] } },
    good: {},
    bad: { a: 1 },
    breach: "/b dependencies"
  },
  definitions: {
    schema: { items: { $ref: "#/definitions/a%3Cb%3E" }, definitions: { "a<b>": { const: 1 } } },
    good: [1],
    bad: [2],
    breach: "/0 const"
  },
  "an anchor in $id": {
    schema: { items: { $ref: "#one" }, definitions: { a: { $id: "#one", const: 1 } } },
    good: [1],
    bad: [2],
    breach: "/0 const"
  }
}

describe("AjvParamsValidator.validate", () => {
  it.layer(layer)((it) => {
    const asserts = (
      draft: string,
      dialect: JsonObject,
      keywords: { readonly [keyword: string]: Example }
    ) => {
      for (const [keyword, { schema, good, bad, breach }] of Object.entries(keywords)) {
        it.effect(`asserts ${keyword} in draft ${draft}`, () =>
          Effect.gen(function* () {
            const document = { ...dialect, ...schema }

            assert.deepStrictEqual(yield* breaches(document, good), [])
            assert.include(yield* breaches(document, bad), breach)
          })
        )
      }
    }
    asserts("2020-12", {}, { ...examples, ...examples202012 })
    asserts("07", { $schema: draft07 }, { ...examples, ...examples07 })
  })
})
