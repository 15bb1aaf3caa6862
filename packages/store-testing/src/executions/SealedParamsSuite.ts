/** What every ExecutionStore does with sealed params. */
import { assert } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import type * as Layer from "effect/Layer"
import { makeTenant, second, type Stores } from "../Fixtures.ts"
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
  })
