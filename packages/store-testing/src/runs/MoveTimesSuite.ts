/** The times that every store gives the moves of an execution, whatever became of the clocks in between. */
import { assert } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { callbackUrl, deliveriesOf, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { lease, makeClaimedRun, makeStartedRun, newQuestion, writeTo } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Times of moves", { layer, name }, (it) => {
    it.test("never go back behind the creation", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { accountId, id } = yield* makeExecution(tenant, { createdAt: second(10), callbackUrl })

      const { run } = yield* store.stop({ accountId, id, to: "aborted", reason: null, at: second(5) })

      const { stoppedAt, updatedAt } = run.execution
      assert.deepStrictEqual([stoppedAt, updatedAt], [second(10), second(10)])
      const told = yield* deliveriesOf({ accountId, id })
      assert.deepStrictEqual(
        told.map(({ createdAt }) => createdAt),
        [second(10), second(10)]
      )
    })

    it.test("never go back behind the claim, and the lease counts from the start all the same", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())

      const started = yield* runs.start({ ...writeTo(run, second(0)), lease })

      const { startedAt, updatedAt } = started.run.execution
      assert.deepStrictEqual([startedAt, updatedAt], [second(1), second(1)])
      assert.deepStrictEqual(started.run.lease?.expiresAt, second(60))
    })

    it.test("never go back behind the start, so that a question is found again", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const askAt = (at: number) =>
        Effect.flatMap(newQuestion(second(at)), (input) => runs.ask({ ...writeTo(run, second(at)), input }))

      const { input } = yield* askAt(1)
      const again = yield* askAt(1)

      assert.deepStrictEqual(input.askedAt, second(2))
      assert.strictEqual(again.input.id, input.id)
    })
  })
