import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { issuesMax } from "@runhook/core/executions/params/ParamsValidator"
import { fullLimits, type StepLimits } from "../src/CompiledSchema.ts"
import * as SchemaDocument from "../src/SchemaDocument.ts"

const namesOf = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, i) => `n${i}`)

const each = <A extends Json>(names: ReadonlyArray<string>, value: A): { readonly [name: string]: A } =>
  Object.fromEntries(names.map((name) => [name, value]))

const times = <A extends Json>(count: number, item: A): ReadonlyArray<A> =>
  Array.from({ length: count }, () => item)

const compiled = (document: JsonObject) =>
  SchemaDocument.compile(document) ?? assert.fail("it cannot be compiled")

interface Attack {
  readonly schema: JsonObject
  readonly value: Json
}

/** A twentieth of what one validation may take. */
const limits: StepLimits = { verdict: fullLimits.verdict / 20, report: fullLimits.report / 20 }

/** Values that cost more than these steps, each by what one keyword walks by itself. */
const attacks: { readonly [keyword: string]: Attack } = {
  uniqueItems: {
    schema: { allOf: times(160, { uniqueItems: true }) },
    value: [each(namesOf(3_000), 1)]
  },
  "uniqueItems of long texts": {
    schema: { allOf: times(200, { uniqueItems: true }) },
    value: ["a".repeat(25_000), "b".repeat(25_000)]
  },
  dependentRequired: {
    schema: { items: { dependentRequired: each(namesOf(400), []) } },
    value: times(1_000, {})
  },
  "dependentRequired with long lists": {
    schema: { items: { dependentRequired: { a: [...namesOf(499), "a"] } } },
    value: times(500, { a: 1, ...each(namesOf(499), 1) })
  },
  dependencies: {
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: { dependencies: each(namesOf(400), []) }
    },
    value: times(1_000, {})
  },
  required: {
    schema: { items: { required: namesOf(500) } },
    value: times(500, each(namesOf(500), 1))
  },
  enum: {
    schema: { items: { enum: times(2_000, {}) } },
    value: [each(namesOf(3_000), 1)]
  },
  "enum of values deep inside": {
    schema: { enum: times(2_000, [{}]) },
    value: [each(namesOf(3_000), 1)]
  },
  const: {
    schema: { allOf: times(200, { not: { const: each(namesOf(300), 1) } }) },
    value: each(namesOf(3_000), 1)
  },
  maxLength: {
    schema: { allOf: times(200, { maxLength: 100_000 }) },
    value: "a".repeat(52_429)
  },
  patternProperties: {
    schema: {
      patternProperties: each(
        ["a", "b", "c", "d"].flatMap((a) => namesOf(25).map((n) => a + n)),
        { type: "null" }
      )
    },
    value: each(namesOf(3_000), 1)
  },
  pattern: {
    schema: { items: { allOf: times(100, { pattern: "" }) } },
    value: times(2_500, "")
  },
  format: {
    schema: { items: { allOf: times(100, { format: "password" }) } },
    value: times(2_500, "")
  },
  propertyNames: {
    schema: { allOf: times(50, { propertyNames: { minLength: 1 } }) },
    value: each(namesOf(3_000), 1)
  },
  additionalProperties: {
    schema: {
      allOf: times(50, { properties: { a: true }, additionalProperties: true, maxProperties: 3_000 })
    },
    value: each(namesOf(3_000), 1)
  },
  contains: {
    schema: { allOf: times(50, { contains: { const: 1 }, minContains: 2_500 }) },
    value: times(2_500, 1)
  },
  unevaluatedProperties: {
    schema: {
      allOf: times(50, {
        properties: each(namesOf(5), true),
        patternProperties: { n: true },
        unevaluatedProperties: {}
      })
    },
    value: each(namesOf(3_000), 1)
  },
  default: {
    schema: { items: { properties: { a: { default: "x".repeat(50_000) } } } },
    value: times(50, {})
  },
  "default of many parts": {
    schema: { items: { properties: { a: { default: times(10_000, 0) } } } },
    value: times(50, {})
  }
}

describe("The steps of a validation", () => {
  it.each(Object.entries(attacks))("count what is walked: %s", (_, { schema, value }) => {
    assert.isUndefined(compiled(schema)(structuredClone(value), limits))
  })

  it("suffice for large values of plain schemas", () => {
    const schema = {
      items: {
        type: "object",
        properties: { id: { type: "integer" }, name: { type: "string", maxLength: 100 } },
        required: ["id", "name"],
        additionalProperties: false
      },
      uniqueItems: true
    }
    const value = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `the name of ${id}` }))

    assert.deepStrictEqual(compiled(schema)(value, fullLimits), [])
  })
})

describe("A report", () => {
  /** Items, at most so many of which may be visited. */
  const readable = (count: number, item: Json): Json => {
    const items = [...times(count + 1, item)]
    Object.defineProperty(items, count, { get: () => assert.fail("it went on"), enumerable: true })
    return items
  }

  it.each<readonly [string, JsonObject, Json]>([
    ["items", { items: { type: "string" } }, readable(issuesMax, 1)],
    ["dependentRequired", { items: { dependentRequired: { a: namesOf(400) } } }, readable(2, { a: 1 })],
    [
      "required behind references",
      { items: { $ref: "#/$defs/a" }, $defs: { a: { required: ["a"] } } },
      readable(issuesMax + 1, {})
    ]
  ])("ends while it runs, when there are as many issues as are shown: %s", (_, schema, value) => {
    assert.strictEqual(compiled(schema)(value, fullLimits)?.length, issuesMax)
  })

  it("tells what it has found when its steps are used up", () => {
    const schema = { items: { type: "string" } }
    const value = [...times(10, 1), ...times(100_000, "")]

    const issues = compiled(schema)(value, { ...fullLimits, report: 6_000 })

    assert.strictEqual(issues?.length, 10)
  })

  it("lists no error of a schema that was only tried, and did not matter", () => {
    const schema = {
      properties: { a: { anyOf: [{ items: { type: "string" } }, { type: "array" }] }, b: { type: "string" } }
    }

    const issues = compiled(schema)({ a: times(1_000, 1), b: 1 }, fullLimits)

    assert.deepStrictEqual(issues, [{ path: "/b", keyword: "type", message: "must be string" }])
  })
})
