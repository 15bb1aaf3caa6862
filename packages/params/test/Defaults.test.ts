import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { layer } from "../src/AjvParamsValidator.ts"
import { filledBytesMax } from "../src/workers/SchemaWork.ts"
import { breaches, validate } from "./Validating.ts"

describe("the defaults of a schema", () => {
  it.layer(layer)((it) => {
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
  })
})
