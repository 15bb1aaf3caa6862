import { assert, describe, it } from "@effect/vitest"
import { type Json, type JsonObject, ReadableJson, ReadableObject } from "@runhook/core/shared/json/Json"
import { issuesMax, ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { layer, valueDepthMax } from "../src/AjvParamsValidator.ts"
import { accountId, breaches, validate } from "./Validating.ts"

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

describe("AjvParamsValidator.validate", () => {
  it.layer(layer)((it) => {
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
      [ReadableJson, ReadableJson],
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

    it.effect.prop("answers any value of an open schema as it was", [ReadableObject], ([any]) =>
      Effect.gen(function* () {
        const value = unreserved(any)
        const filled = yield* validate({ type: "object" }, value)

        assert.deepStrictEqual(filled, value)
        assert.notStrictEqual(filled, value)
      })
    )
  })
})
