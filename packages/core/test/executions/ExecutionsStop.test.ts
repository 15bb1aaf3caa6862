import { assert, describe } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { current, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"

describe("Executions.stop", () => {
  test.each(["aborted", "cancelled"] as const)(
    "ends a queued execution as %s, with the reason",
    function* (to) {
      const execution = yield* makeExecution(yield* makeTenant())

      const { run } = yield* (yield* Executions).stop({ ...execution, to, reason: "not needed" })

      assert.deepInclude(run.execution, { status: to, statusReason: "not needed" })
      assert.deepStrictEqual(run.execution, yield* current(execution))
    }
  )

  test("is won by one of two at once, and both are told the same", function* () {
    const executions = yield* Executions
    const execution = yield* makeExecution(yield* makeTenant())
    const stops = (["aborted", "cancelled"] as const).map((to) =>
      executions.stop({ ...execution, to, reason: to })
    )

    const [first, second] = yield* Effect.all(stops, { concurrency: "unbounded" })

    assert.deepStrictEqual([first?.changed, second?.changed].toSorted(), [false, true])
    assert.deepStrictEqual(first?.run.execution, second?.run.execution)
  })

  test("leaves a finished execution as it is", function* () {
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    yield* (yield* Runs).finish({
      ...held,
      outcome: { _tag: "Completed", result: StoredJson.of({ pages: 3 }) }
    })

    const { changed, run } = yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    assert.isFalse(changed)
    assert.strictEqual(run.execution.status, "completed")
  })

  test("finds no execution of another account", function* () {
    const { id } = yield* makeExecution(yield* makeTenant())
    const { accountId } = (yield* makeTenant()).caller

    const error = yield* Effect.flip((yield* Executions).stop({ accountId, id, to: "aborted", reason: null }))

    assert.strictEqual(error._tag, "ExecutionNotFound")
  })
})
