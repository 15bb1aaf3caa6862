import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccountId } from "@runhook/core/domain/Ids"
import type { Json, JsonObject } from "@runhook/core/domain/Json"
import { issuesMax, ParamsValidator } from "@runhook/core/ports/ParamsValidator"
import { layer, valueDepthMax } from "../src/AjvParamsValidator.ts"
import { filledBytesMax } from "../src/workers/SchemaWork.ts"

const accountId = AccountId.make("00000000-0000-7000-8000-000000000001")

const draft07 = "http://json-schema.org/draft-07/schema#"

const validate = Effect.fnUntraced(function* <A extends Json>(schema: JsonObject, value: A) {
  const validator = yield* ParamsValidator
  yield* Effect.orDie(validator.checkValueSchema({ accountId, schema }))
  return yield* validator
    .validate({ accountId, key: JSON.stringify(schema), schema, value })
    .pipe(Effect.catchTag("TooManyChecks", Effect.die))
})

/** What is wrong with the value, as "path keyword". */
const breaches = (schema: JsonObject, value: Json) =>
  validate(schema, value).pipe(
    Effect.as([]),
    Effect.catchTag("InvalidParams", ({ issues }) =>
      Effect.succeed(issues.map(({ path, keyword }) => `${path} ${keyword}`))
    )
  )

/** Levels of arrays around nothing. */
const nested = (levels: number): Json => (levels === 1 ? [] : [nested(levels - 1)])

/** The value without the property names that are refused. */
const unreserved = <A extends Json>(value: A): A =>
  JSON.parse(JSON.stringify(value), (name, member) => (name === "__proto__" ? undefined : member))

/** Schemas that share their identifiers and differ in what they allow. */
const identified = (value: number): JsonObject => ({
  $id: "https://example.com/a",
  $ref: "#one",
  $defs: { a: { $anchor: "one", const: value } }
})

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

    it.effect("reports every issue of a value, by the path of the property that is wrong", () =>
      Effect.gen(function* () {
        const schema = { properties: { a: { type: "string" } }, required: ["b"], additionalProperties: false }

        const error = yield* validate(schema, { a: 1, c: 2 }).pipe(Effect.flip)

        assert.deepStrictEqual(error.issues, [
          { path: "/b", keyword: "required", message: "is required" },
          { path: "/c", keyword: "additionalProperties", message: "is not a property that the schema knows" },
          { path: "/a", keyword: "type", message: "must be string" }
        ])
      })
    )

    it.effect("never shows what a value holds", () =>
      Effect.gen(function* () {
        const secret = "hunter2"
        const schema = {
          items: {
            type: "number",
            enum: [1],
            format: "uuid",
            pattern: "^a",
            maxLength: 1,
            const: 2,
            not: true
          }
        }

        const error = yield* validate(schema, [secret]).pipe(Effect.flip)

        assert.notInclude(JSON.stringify(error.issues) + error.message, secret)
      })
    )

    it.effect("lists a bounded number of issues, each of bounded length", () =>
      Effect.gen(function* () {
        const value = Object.fromEntries(
          Array.from({ length: 200 }, (_, i) => [`${"n".repeat(2_000)}${i}`, i])
        )

        const error = yield* validate({ additionalProperties: false }, value).pipe(Effect.flip)

        assert.isAtMost(error.issues.length, issuesMax)
        assert.isAtMost(Math.max(...error.issues.map(({ path }) => path.length)), 512)
      })
    )

    it.effect(
      "fills in defaults, also in nested objects and behind references, and keeps the value as given",
      () =>
        Effect.gen(function* () {
          const schema = {
            properties: {
              page: { default: 1 },
              filter: { properties: { tags: { default: ["a"] } }, default: {} },
              sort: { $ref: "#/$defs/sort" }
            },
            $defs: { sort: { properties: { order: { default: "up" } } } }
          }
          const value = { sort: {} }

          const filled = yield* validate(schema, value)

          assert.deepStrictEqual<JsonObject>(filled, {
            page: 1,
            filter: { tags: ["a"] },
            sort: { order: "up" }
          })
          assert.deepStrictEqual(value, { sort: {} })
        })
    )

    it.effect("fills in no default of a schema that is only tried", () =>
      Effect.gen(function* () {
        const schema = {
          anyOf: [{ $ref: "#/$defs/cat" }, { $ref: "#/$defs/dog" }],
          $defs: {
            cat: { properties: { lives: { default: 9 } }, required: ["lives", "purrs"] },
            dog: { properties: { barks: true }, additionalProperties: false }
          }
        }

        const filled = yield* validate(schema, { barks: true })

        assert.deepStrictEqual(filled, { barks: true })
      })
    )

    it.effect("refuses what its defaults make too large, by the bytes it has then", () =>
      Effect.gen(function* () {
        const schema = (text: string): JsonObject => ({
          properties: { a: { items: { properties: { b: { type: "string", default: text } } } } }
        })
        const items = (count: number) => ({ a: Array.from({ length: count }, () => ({})) })
        const [ascii, euros] = ["x".repeat(60_000), "€".repeat(20_000)]

        assert.deepStrictEqual(yield* validate(schema(ascii), items(34)), {
          a: Array.from({ length: 34 }, () => ({ b: ascii }))
        })
        assert.deepStrictEqual(yield* breaches(schema(ascii), items(35)), [" default"])
        assert.deepStrictEqual(yield* breaches(schema(euros), items(35)), [" default"])
        assert.deepStrictEqual(yield* breaches(schema(euros), items(34)), [])
      })
    )

    it.effect("fills in no more than that beside the threads, whatever the default is made of", () =>
      Effect.gen(function* () {
        const longest = [
          "\u0001".repeat(800),
          Array.from({ length: 100 }, () => -1.7976931348623157e308),
          { ["\u0001".repeat(800)]: null }
        ]
        for (const each of longest) {
          const schema = { items: { properties: { a: { default: each } } } }
          for (const count of [100, 200, 400, 800, 1_600]) {
            const end = yield* Effect.result(
              validate(
                schema,
                Array.from({ length: count }, () => ({}))
              )
            )
            const bytes = Result.isSuccess(end) ? JSON.stringify(end.success).length : 0
            assert.isAtMost(bytes, filledBytesMax)
          }
        }
      })
    )

    it.effect("gives every value its own copy of a default", () =>
      Effect.gen(function* () {
        const schema = { properties: { a: { default: { b: [] } } } }

        const first = yield* validate<JsonObject>(schema, {})
        const second = yield* validate<JsonObject>(schema, {})

        assert.deepStrictEqual(first, second)
        assert.notStrictEqual(first["a"], second["a"])
      })
    )

    it.effect("keeps apart schemas with the same identifiers", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* breaches(identified(1), 1), [])
        assert.deepStrictEqual(yield* breaches(identified(2), 1), [" const"])
      })
    )

    it.effect("compiles the schema of a key once, also for concurrent callers", () =>
      Effect.gen(function* () {
        const validator = yield* ParamsValidator
        const check = (schema: JsonObject) => validator.validate({ accountId, key: "once", schema, value: 1 })
        yield* check({ const: 1 })

        const answers = yield* Effect.all([check({ const: 2 }), check({ const: 3 })], { concurrency: 2 })

        assert.deepStrictEqual(answers, [1, 1])
      })
    )

    it.effect("refuses a reserved property name", () =>
      Effect.gen(function* () {
        const value: Json = JSON.parse('{"a":[{"__proto__":{"admin":true}}]}')

        const error = yield* validate({}, value).pipe(Effect.flip)

        assert.deepStrictEqual(error.issues, [
          { path: "/a/0/__proto__", keyword: "propertyNames", message: "has a reserved name" }
        ])
        assert.isFalse("admin" in {})
      })
    )

    it.effect("refuses a value that is nested too deeply", () =>
      Effect.gen(function* () {
        const recursive = { items: { $ref: "#" } }

        assert.deepStrictEqual(yield* breaches(recursive, nested(valueDepthMax)), [])
        assert.deepStrictEqual(yield* breaches(recursive, nested(valueDepthMax + 1)), [
          `${"/0".repeat(valueDepthMax)} depth`
        ])
      })
    )

    it.effect("matches a pattern that makes backtracking engines hang", () =>
      Effect.gen(function* () {
        const schema = { pattern: "^(a+)+$", patternProperties: { "^(a+)+$": true } }
        const text = `${"a".repeat(28)}!`

        assert.deepStrictEqual(yield* breaches(schema, text), [" pattern"])
        assert.deepStrictEqual(yield* breaches(schema, { [text]: 1 }), [])
      })
    )

    it.effect("gives up on a schema that doubles its work with every reference", () =>
      Effect.gen(function* () {
        const doubling = Array.from({ length: 40 }, (_, i) => {
          const next = { $ref: `#/$defs/d${i + 1}` }
          return [`d${i}`, { anyOf: [next, next] }]
        })
        const schema = {
          $ref: "#/$defs/d0",
          $defs: { ...Object.fromEntries(doubling), d40: { required: ["a"] } }
        }

        assert.deepStrictEqual(yield* breaches(schema, {}), [" effort"])
      })
    )

    it.effect("tells of a huge invalid value what it finds first, and then no more", () =>
      Effect.gen(function* () {
        const schema = { items: { required: ["a", "b"] } }
        const value = Array.from({ length: 50_000 }, () => ({}))

        const found = yield* breaches(schema, value)

        assert.deepStrictEqual(found.slice(0, 2), ["/0/a required", "/0/b required"])
        assert.lengthOf(found, issuesMax)
      })
    )

    it.effect("finds equal items among many different ones", () =>
      Effect.gen(function* () {
        const items = Array.from({ length: 50_000 }, (_, i) => [i])

        assert.deepStrictEqual(yield* breaches({ uniqueItems: true }, items), [])
        assert.deepStrictEqual(yield* breaches({ uniqueItems: true }, [...items, [7]]), [" uniqueItems"])
      })
    )

    it.effect.prop(
      "accepts exactly the value that const and enum name",
      [Schema.Json, Schema.Json],
      ([one, other]) =>
        Effect.gen(function* () {
          const [a, b] = [unreserved(one), unreserved(other)]
          const same = Equal.equals(a, b)

          assert.deepStrictEqual(yield* breaches({ const: a }, a), [])
          assert.deepStrictEqual(yield* breaches({ enum: [a] }, a), [])
          assert.deepStrictEqual(yield* breaches({ uniqueItems: true }, [a, a]), [" uniqueItems"])
          assert.deepStrictEqual(yield* breaches({ uniqueItems: true }, [a, b]), same ? [" uniqueItems"] : [])
        })
    )

    it.effect.prop("answers any value of an open schema as it was", [Schema.JsonObject], ([any]) =>
      Effect.gen(function* () {
        const value = unreserved(any)
        const filled = yield* validate({ type: "object" }, value)

        assert.deepStrictEqual(filled, value)
        assert.notStrictEqual(filled, value)
      })
    )
  })
})
