/** What docs/agents/schemas.md says of models of zod and pydantic holds, for each model that it shows. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"
import { formatsFor } from "../src/Formats.ts"
import { layer } from "../src/InlineParamsValidator.ts"
import { StepBudget } from "../src/StepBudget.ts"
import { pydanticSchemas, runWithZod, zodSchemas } from "./models/Models.ts"
import {
  blocksOf,
  checkedFormats,
  fieldRows,
  refusedRows,
  shownWarning,
  unknownFormats,
  unwritableRows
} from "./models/SchemasPage.ts"
import { accountId, breaches, validate } from "./Validating.ts"

const publication = (schema: JsonObject) =>
  Effect.flatMap(ParamsValidator, ({ checkSchema }) => checkSchema({ accountId, schema }))

/** What the answer to its publication warns of. */
const warningsOf = (schema: JsonObject) => Effect.orDie(publication(schema))

/** Why its publication is refused. */
const refusalOf = (schema: JsonObject) =>
  Effect.map(Effect.flip(publication(schema)), ({ message }) => message)

/** Schemas that the page names without a model of one field that makes them. */
const others: Readonly<Record<string, JsonObject>> = {
  // As pydantic 2.13.5 writes it.
  Decimal: {
    properties: {
      price: {
        anyOf: [{ type: "number" }, { type: "string", pattern: "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$" }]
      }
    }
  },
  "z.array(z.int())": { type: "array", items: { type: "integer" } },
  $ref: { properties: { order: { $ref: "https://example.com/order.json" } } },
  'target: "draft-04"': { $schema: "http://json-schema.org/draft-04/schema#", type: "object" }
}

const asObject = (member: string) => `z.object({ ${member} })`

const asField = (code: string) => asObject(`field: ${code}`)

const isOfZod = (code: string) => code.startsWith("z.")

const rowsOfTypes = [...refusedRows, ...unwritableRows]

const zodMade = zodSchemas([
  ...fieldRows.flatMap(({ zod }) => (zod === undefined ? [] : [asObject(zod)])),
  ...[...rowsOfTypes.flatMap(({ instead, refused }) => [refused, ...instead]), ...unknownFormats]
    .filter(isOfZod)
    .map(asField)
])

/** The schema that a model of the page makes. */
const schemaOf = (code: string): JsonObject => {
  const schema = others[code] ?? pydanticSchemas[code] ?? zodMade[asObject(code)] ?? zodMade[asField(code)]
  return typeof schema === "object" ? schema : assert.fail(`${code} makes no schema: ${schema}`)
}

const delivery = { by: "mail", to: "ada@example.com" }
const order: JsonObject = { order: "DE-17", token: "t", delivery }

const badOrders: ReadonlyArray<readonly [params: JsonObject, issue: string]> = [
  [{ ...order, order: "17" }, "/order pattern"],
  [{ ...order, copies: 11 }, "/copies maximum"],
  [{ ...order, due: "tomorrow" }, "/due format"],
  [{ order: "DE-17", delivery }, "/token required"],
  [{ ...order, delivery: { by: "pigeon" } }, "/delivery oneOf"],
  [{ ...order, delivery: { by: "webhook", to: "ada@example.com" } }, "/delivery oneOf"]
]

describe("the page about schemas", () => {
  it.layer(layer)((it) => {
    it.effect("has programs of zod that write a schema, which takes what it means and warns of nothing", () =>
      Effect.gen(function* () {
        const [model = "", program = ""] = blocksOf("ts")

        const { params_schema: schema } = JSON.parse(
          runWithZod({ "print-order.ts": model, "version.ts": program })
        )

        assert.deepStrictEqual(yield* warningsOf(schema), [])
        assert.deepStrictEqual(yield* validate(schema, order), { ...order, copies: 1 })
        for (const [params, issue] of badOrders) assert.include(yield* breaches(schema, params), issue)
      })
    )

    it.effect("has a schema of pydantic, which takes what it means and warns as the page shows", () =>
      Effect.gen(function* () {
        const { params_schema: schema } = JSON.parse(blocksOf("json")[0] ?? "")

        const warnings = yield* warningsOf(schema)

        assert.deepStrictEqual(
          warnings.map((warning) => ({ field: "params_schema", ...warning })),
          [shownWarning]
        )
        assert.deepStrictEqual(yield* validate(schema, order), { ...order, copies: 1, due: null })
        for (const [params, issue] of badOrders) assert.include(yield* breaches(schema, params), issue)
      })
    )

    it.effect.each(fieldRows)("takes and refuses what it says of a field: $meaning", (row) =>
      Effect.gen(function* () {
        const models = [row.zod, row.pydantic].filter((code) => code !== undefined)

        assert.isNotEmpty(models)
        assert.isNotEmpty(row.taken)
        assert.isNotEmpty(row.refused)
        for (const model of models) {
          const schema = schemaOf(model)
          assert.deepStrictEqual(yield* warningsOf(schema), [], model)
          for (const params of row.taken) assert.deepStrictEqual(yield* breaches(schema, params), [], model)
          for (const params of row.refused) assert.isNotEmpty(yield* breaches(schema, params), model)
        }
      })
    )

    it.effect.each(refusedRows)("says why $refused is refused, and what is taken in its place", (row) =>
      Effect.gen(function* () {
        assert.include(yield* refusalOf(schemaOf(row.refused)), row.reason)
        for (const code of row.instead.filter((each) => /^(?:z\.|Annotated|Optional)/.test(each)))
          assert.deepStrictEqual(yield* warningsOf(schemaOf(code)), [], code)
      })
    )

    it.effect.each(unwritableRows)("says what to write for $refused, of which zod makes no schema", (row) =>
      Effect.gen(function* () {
        assert.include(zodMade[asField(row.refused)], row.reason)
        for (const code of row.instead.filter(isOfZod))
          assert.isArray(yield* warningsOf(schemaOf(code)), code)
      })
    )

    it.effect.each(unknownFormats)("says that the service warns of the format of %s", (code) =>
      Effect.gen(function* () {
        const schema = schemaOf(code)
        const hasPattern = JSON.stringify(schema).includes('"pattern"')

        const warnings = yield* warningsOf(schema)

        assert.deepStrictEqual(warnings, [
          {
            path: "/properties/field/format",
            keyword: "format",
            message: "is a format that this service does not check"
          }
        ])
        assert.strictEqual(hasPattern, code !== "z.jwt()")
      })
    )

    it("names the formats that are checked", () => {
      const known = Object.keys(formatsFor(new StepBudget()))

      assert.deepStrictEqual(
        [...checkedFormats],
        known.filter((name) => !/^(?:binary|password)$/.test(name)).toSorted()
      )
    })

    it("knows what pydantic makes of each model that it shows", () => {
      const models = fieldRows.flatMap(({ pydantic }) => pydantic ?? [])

      assert.includeMembers(Object.keys(pydanticSchemas), models)
    })

    it.effect("says what zod describes without `io`, and what no schema of it says", () =>
      Effect.gen(function* () {
        const models = {
          default: "z.object({ copies: z.int().default(1) })",
          transform: "z.object({ copies: z.string().transform(Number) })"
        }
        const flags = "z.object({ size: z.string().regex(/^[a-z]+$/i) })"
        const group = "z.object({ size: z.string().regex(/^(?i:[a-z]+)$/) })"
        const unchecked = "z.object({ size: z.string().trim().refine(() => false) })"
        const tree = `(() => {
          const Tree = z.object({ name: z.string(), get parts() { return z.array(Tree) } })
          return Tree
        })()`

        const returned = zodSchemas(Object.values(models), "{}")
        const sent = zodSchemas([flags, group, unchecked, tree])
        const breached = (code: string, params: JsonObject) => {
          const schema = sent[code]
          return typeof schema === "object" ? breaches(schema, params) : assert.fail(schema)
        }

        const { default: closed, transform } = models
        assert.deepInclude(returned[closed], { required: ["copies"], additionalProperties: false })
        assert.include(returned[transform], "cannot be represented in JSON Schema")
        assert.deepStrictEqual(yield* breached(flags, { size: "A" }), ["/size pattern"])
        assert.deepStrictEqual(yield* breached(group, { size: "A" }), [])
        assert.deepStrictEqual(yield* breached(unchecked, { size: " a" }), [])
        assert.deepStrictEqual(yield* breached(tree, { name: "a", parts: [{ name: "b", parts: [] }] }), [])
        assert.deepStrictEqual(yield* breached(tree, { name: "a", parts: [{ name: "b" }] }), [
          "/parts/0/parts required"
        ])
      })
    )
  })
})
