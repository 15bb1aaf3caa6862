import { assert, describe, it } from "@effect/vitest"
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"
import * as AjvParamsValidator from "../src/AjvParamsValidator.ts"
import * as InlineParamsValidator from "../src/InlineParamsValidator.ts"
import { accountId, breaches } from "./Validating.ts"

/** Too large for the event loop of a service. */
const largeSchema = {
  properties: Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`p${index}`, { type: "integer", default: index }])
  )
}
const largeText = "x".repeat(100_000)

describe("InlineParamsValidator", () => {
  it.effect.each([
    ["a small value", { required: ["a"] }, {}],
    ["a large value", { properties: { text: { maxLength: 9 } } }, { text: largeText }],
    ["a large schema", largeSchema, { p149: "none" }]
  ] as const)("finds what threads find in %s, at once", ([, schema, value]) =>
    Effect.gen(function* () {
      const inThreads = yield* Effect.provide(breaches(schema, value), AjvParamsValidator.layer)

      const inline = Effect.runSync(Effect.provide(breaches(schema, value), InlineParamsValidator.layer))

      assert.isNotEmpty(inThreads)
      assert.deepStrictEqual(inline, inThreads)
    })
  )

  it("refuses schemas that are none", () => {
    const check = ParamsValidator.use(({ checkSchema }) =>
      checkSchema({ accountId, schema: { ...largeSchema, type: "thing" } })
    )

    const error = Effect.runSync(Effect.flip(Effect.provide(check, InlineParamsValidator.layer)))

    assert.strictEqual(error._tag, "InvalidSchema")
  })
})
