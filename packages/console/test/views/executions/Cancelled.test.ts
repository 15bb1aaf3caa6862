import { assert, describe, it } from "vitest"
import { cancelProgress, cancelTitle, cancelWords } from "../../../src/views/executions/Cancelled.ts"
import { executionQuery, filtersOf, statusWords } from "../../../src/views/executions/ExecutionFilters.ts"

const job = { cancelled: 1_059, failed: 0, matched: 1_200, skipped: 1, status: "running" } as const

describe("a cancel of many executions", () => {
  it("tells how far it has come, and what is to go", () => {
    assert.deepStrictEqual(cancelProgress(job), { done: 1_060, total: 1_200, isUnderWay: true })
    assert.strictEqual(cancelTitle(job), "Cancelling executions")
    assert.strictEqual(cancelWords(job), "1,059 cancelled, 1 had ended or changed, 140 to go")
  })

  it("has no end in sight where too many matched to be counted, and never more done than there are", () => {
    assert.deepStrictEqual(cancelProgress({ ...job, matched: null }), {
      done: 1_060,
      total: null,
      isUnderWay: true
    })
    assert.include(cancelWords({ ...job, matched: null }), "more to go")
    assert.strictEqual(cancelProgress({ ...job, matched: 3 }).total, 1_060)
  })

  it("says what has come of it when it is over or was stopped", () => {
    assert.strictEqual(cancelTitle({ ...job, status: "completed" }), "1,059 executions cancelled")
    assert.strictEqual(cancelTitle({ ...job, status: "cancelled" }), "Stopped: 1,059 executions cancelled")
    assert.strictEqual(
      cancelWords({ ...job, status: "completed", skipped: 0, failed: 2 }),
      "1,059 cancelled, 2 could not be cancelled"
    )
  })

  it("leads to the list with the filters that it was asked with", () => {
    const filters = { status: "stopped", task: "t", find: "INV", from: "2026-11-22T00:00:00Z" } as const
    const { status, task_id, find, from } = executionQuery(filters)
    const rest = { agent_id: null, reference: null, schedule_id: null, to: null }
    const asked = {
      ...rest,
      status: status ?? null,
      task_id: task_id ?? null,
      find: find ?? null,
      from: from ?? null
    }

    assert.deepInclude(filtersOf(asked), filters)
    assert.strictEqual(statusWords(asked), "Stopped")
    assert.strictEqual(statusWords({ status: null }), "All that are not finished")
    assert.strictEqual(statusWords({ status: ["queued", "running"] }), "queued, running")
  })
})
