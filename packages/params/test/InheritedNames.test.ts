import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"
import { layer } from "../src/AjvParamsValidator.ts"

const accountId = AccountId.make("00000000-0000-7000-8000-000000000001")

const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__")

const validate = Effect.fnUntraced(function* (schema: JsonObject, value: JsonObject) {
  const validator = yield* ParamsValidator
  yield* validator.checkSchema({ accountId, schema })
  return yield* validator.validate({ accountId, key: JSON.stringify(schema), schema, value })
})

const draft07 = "http://json-schema.org/draft-07/schema#"

/** What is wrong with the value, as "path keyword". */
const breaches = (schema: JsonObject, value: JsonObject) =>
  validate(schema, value).pipe(
    Effect.as([]),
    Effect.catchTag("InvalidParams", ({ issues }) =>
      Effect.succeed(issues.map(({ path, keyword }) => `${path} ${keyword}`))
    )
  )

interface Case {
  readonly keyword: string
  readonly schema: JsonObject
  readonly good: ReadonlyArray<JsonObject>
  readonly bad: JsonObject
  readonly breach: string
}

const cases = (name: string): ReadonlyArray<Case> => {
  const given: JsonObject = { [name]: 1 }
  const path = `/${name}`
  const text: Json = { type: "string" }
  return [
    {
      keyword: "required",
      schema: { required: [name] },
      good: [given],
      bad: {},
      breach: `${path} required`
    },
    {
      keyword: "required among many",
      schema: { required: [name, ...Array.from({ length: 30 }, (_, place) => `n${place}`)] },
      good: [],
      bad: Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`n${place}`, 1])),
      breach: `${path} required`
    },
    {
      keyword: "properties",
      schema: { properties: { [name]: text } },
      good: [{}, { [name]: "a" }],
      bad: given,
      breach: `${path} type`
    },
    {
      keyword: "additionalProperties",
      schema: { properties: { a: true }, additionalProperties: false },
      good: [{}, { a: 1 }],
      bad: given,
      breach: `${path} additionalProperties`
    },
    {
      keyword: "patternProperties",
      schema: { patternProperties: { [`^${name}$`]: text } },
      good: [{}, { [name]: "a" }],
      bad: given,
      breach: `${path} type`
    },
    {
      keyword: "propertyNames",
      schema: { propertyNames: { maxLength: 3 } },
      good: [{}, { a: 1 }],
      bad: given,
      breach: `${path} propertyNames`
    },
    {
      keyword: "dependentRequired",
      schema: { dependentRequired: { [name]: ["b"] } },
      good: [{}, { b: 1 }, { [name]: 1, b: 1 }],
      bad: given,
      breach: "/b dependentRequired"
    },
    {
      keyword: "dependentSchemas",
      schema: { dependentSchemas: { [name]: { required: ["b"] } } },
      good: [{}, { [name]: 1, b: 1 }],
      bad: given,
      breach: "/b required"
    },
    {
      keyword: "dependencies",
      schema: { $schema: draft07, dependencies: { [name]: ["b"] } },
      good: [{}, { [name]: 1, b: 1 }],
      bad: given,
      breach: "/b dependencies"
    },
    {
      keyword: "const",
      schema: { properties: { a: { const: given } } },
      good: [{}, { a: given }],
      bad: { a: {} },
      breach: "/a const"
    },
    {
      keyword: "$defs",
      schema: { $defs: { [name]: text }, properties: { [name]: { $ref: `#/$defs/${name}` } } },
      good: [{}, { [name]: "a" }],
      bad: given,
      breach: `${path} type`
    }
  ]
}

describe.each(names)("the name %s, which every object inherits", (name) => {
  it.layer(layer)((it) => {
    it.effect.each(cases(name))("is an ordinary one to $keyword", ({ bad, breach, good, schema }) =>
      Effect.gen(function* () {
        for (const value of good) {
          const filled = yield* validate(schema, value)
          assert.deepStrictEqual(filled, value)
        }

        const found = yield* breaches(schema, bad)

        assert.include(found, breach)
      })
    )

    it.effect("has its default filled in where it is missing, and there alone", () =>
      Effect.gen(function* () {
        const schema: JsonObject = {
          properties: {
            [name]: { default: 7 },
            inner: { type: "object", properties: { [name]: { type: "integer", default: 8 } } }
          }
        }

        const filled = yield* validate(schema, { inner: { a: [{}] } })
        const given = yield* validate(schema, { [name]: 1, inner: { [name]: 2 } })

        assert.deepStrictEqual(filled, { [name]: 7, inner: { a: [{}], [name]: 8 } })
        assert.deepStrictEqual(given, { [name]: 1, inner: { [name]: 2 } })
        assert.deepStrictEqual(yield* breaches(schema, { inner: { [name]: "a" } }), [`/inner/${name} type`])
      })
    )

    it.effect("is evaluated where a schema says so, and nowhere else", () =>
      Effect.gen(function* () {
        const schema = (properties: JsonObject): JsonObject => ({
          anyOf: [{ properties }, true],
          unevaluatedProperties: false
        })

        assert.deepStrictEqual(yield* breaches(schema({ [name]: true }), { [name]: 1 }), [])
        assert.deepStrictEqual(yield* breaches(schema({ a: true }), { [name]: 1 }), [
          `/${name} unevaluatedProperties`
        ])
      })
    )
  })
})
