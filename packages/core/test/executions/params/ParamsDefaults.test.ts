/** What claims check of the params that they hand out. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import { adapters, stores, useCases } from "@runhook/test-support/engine/Engine"
import { makeRunner, pollNow } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Runs what is given with an engine that notes in `checked` which values are checked. */
const watching = <A, E, R>(test: (checked: Array<unknown>) => Effect.Effect<A, E, R>) => {
  const checked: Array<unknown> = []
  const watched = Layer.effect(
    ParamsValidator,
    Effect.map(ParamsValidator, (validator) =>
      ParamsValidator.of({
        ...validator,
        validate: (given) =>
          Effect.suspend(() => {
            checked.push(given.value)
            return validator.validate(given)
          })
      })
    )
  ).pipe(Layer.provideMerge(adapters))
  const engine = useCases.pipe(Layer.provideMerge(watched), Layer.provideMerge(stores))
  return Effect.suspend(() => test(checked)).pipe(Effect.provide(engine))
}

const properties = (pages: JsonObject) => ({ type: "object", properties: { pages } })
const given = { month: "2029-12" }

describe("A claim", () => {
  it.effect.each([
    ["fills in the defaults of a schema", { default: 3 }, { ...given, pages: 3 }, 1],
    ["has nothing to fill in by a schema without", { type: "integer" }, given, 0],
    ["finds out by the schema where that only names the word", { const: "default" }, given, 1]
  ] as const)("%s", ([, pages, params, checks]) =>
    watching(
      Effect.fnUntraced(function* (checked) {
        const tenant = yield* makeTenant({ version: { paramsSchema: properties(pages) } })
        const runner = yield* makeRunner(tenant)
        yield* makeExecution(tenant, { params: given })
        const before = checked.length

        const { claims } = yield* pollNow(runner)

        assert.deepStrictEqual(
          claims.map((claim) => claim.params.value),
          [params]
        )
        assert.deepStrictEqual(
          checked.slice(before),
          Array.from({ length: checks }, () => given)
        )
      })
    )
  )
})
