/** What every ExecutionStore does with sealed params. */
import { assert } from "@effect/vitest"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { lease, makeClaimedRun, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Sealed params", { layer, name }, (it) => {
    it.test("keeps them with the execution, through a claim and a start", function* () {
      const executions = yield* ExecutionStore
      const runs = yield* RunStore
      const { run } = yield* makeClaimedRun(yield* makeTenant(), { sealedParams: "v1.one.sealed" })
      const { accountId, id } = run.execution

      const { run: started } = yield* runs.start({ ...writeTo(run, second(2)), lease })

      const seen = [run.execution, started.execution, yield* executions.get(accountId, id)]
      assert.deepStrictEqual(
        seen.map(({ sealedParams }) => sealedParams),
        ["v1.one.sealed", "v1.one.sealed", "v1.one.sealed"]
      )
    })

    it.test(
      "finds those that are sealed otherwise, of all accounts, in the order of their ids",
      function* () {
        const store = yield* ExecutionStore
        const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
        const made: Array<Execution> = []
        for (const [whose, sealedParams] of [
          [tenant, "otherwise.1"],
          [other, "otherwise.2"],
          [tenant, "newest.3"],
          [tenant, null],
          [tenant, "otherwise.5"]
        ] as const) {
          made.push(yield* makeExecution(whose, { sealedParams }))
        }
        const find = (after: (typeof made)[number]["id"] | null, limit: number) =>
          Effect.map(store.paramsSealedOtherwise({ prefix: "newest.", after, limit }), (found) =>
            found.filter(({ sealed }) => sealed.startsWith("otherwise."))
          )
        const [first, next, , , last] = made
        if (first === undefined || next === undefined || last === undefined) return assert.fail()

        const all = yield* find(null, 1_000)
        const rest = yield* find(first.id, 1_000)
        const one = yield* find(first.id, 1)

        const named = ({ accountId, id, sealedParams }: typeof first) => ({
          accountId,
          id,
          sealed: sealedParams
        })
        assert.deepStrictEqual(all, [named(first), named(next), named(last)])
        assert.deepStrictEqual(rest, all.slice(1))
        assert.deepStrictEqual(one, all.slice(1, 2))
      }
    )

    it.test("seals them anew, unless they were before, and changes nothing else", function* () {
      const store = yield* ExecutionStore
      const execution = yield* makeExecution(yield* makeTenant(), { sealedParams: "one" })
      const { accountId, id } = execution

      yield* store.resealParams({ accountId, id, sealed: "one", to: "two" })
      yield* store.resealParams({ accountId, id, sealed: "one", to: "three" })

      assert.deepStrictEqual(yield* store.get(accountId, id), { ...execution, sealedParams: "two" })
    })
  })
