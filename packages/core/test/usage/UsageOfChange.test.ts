/** What is counted of the changes of executions, by the moves that make them. */
import { assert, describe, it } from "@effect/vitest"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { stop } from "@runhook/core/runs/EndMoves"
import { accepted, amend, enter, type Run, unchanged } from "@runhook/core/runs/Run"
import { countedOf } from "@runhook/core/usage/UsageOfChange"
import * as DateTime from "effect/DateTime"
import { acceptedRun, second } from "../runs/RunFixtures.ts"

/** A run that was to run at second 0, and was started at second 3. */
const startedAt = second(3)
const queued: Run = { ...acceptedRun(), dueAt: second(0) }
const started = enter(queued, "running", startedAt, { execution: { startedAt, attempt: 1 } })

describe("what is counted of a change", () => {
  it("is one creation, one first start with its wait, and one end", () => {
    const done = enter(started.run, "completed", second(9), {})
    const failed = enter(started.run, "error", second(9), {})

    assert.deepStrictEqual(countedOf(accepted(queued.execution)), { counter: "created", millis: null })
    assert.deepStrictEqual(countedOf(started), { counter: "started", millis: 3_000 })
    assert.deepStrictEqual(countedOf(done), { counter: "completed", millis: 9_000 })
    assert.deepStrictEqual(countedOf(failed), { counter: "failed", millis: 9_000 })
  })

  it("is no time of what was stopped from outside", () => {
    const stopped = (["aborted", "cancelled"] as const).map((to) =>
      countedOf(stop(started.run, { to, reason: null, at: second(5) }))
    )

    assert.deepStrictEqual(stopped, [
      { counter: "aborted", millis: null, isUnstarted: false },
      { counter: "cancelled", millis: null, isUnstarted: false }
    ])
    assert.deepStrictEqual(countedOf(stop(queued, { to: "aborted", reason: null, at: second(5) })), {
      counter: "aborted",
      millis: null,
      isUnstarted: true
    })
  })

  it("is nothing where nothing changed, or nothing that is counted", () => {
    const ended = enter(started.run, "completed", second(9), {})

    assert.isTrue(isTerminal(ended.run.execution.status))
    assert.isNull(countedOf(unchanged(ended.run)))
    assert.isNull(countedOf(amend(started.run, second(4), {})))
    assert.isNull(countedOf(enter(started.run, "awaiting_input", second(4), {})))
  })

  it("is no second start of what is tried again or goes on", () => {
    const again = enter(
      { ...started.run, execution: { ...started.run.execution, status: "queued" } },
      "running",
      second(8),
      {
        execution: { startedAt: second(8), attempt: 2 }
      }
    )

    assert.isNull(countedOf(again))
  })

  it("is the time since it was to run, also when it was tried more than once", () => {
    const execution = {
      ...started.run.execution,
      attempt: 2,
      scheduledAt: DateTime.add(queued.execution.createdAt, { seconds: 1 })
    }
    const done = enter({ ...started.run, dueAt: second(7), execution }, "completed", second(9), {})

    const since = DateTime.max(execution.scheduledAt, execution.createdAt)
    assert.strictEqual(countedOf(done)?.millis, second(9).epochMilliseconds - since.epochMilliseconds)
  })
})
