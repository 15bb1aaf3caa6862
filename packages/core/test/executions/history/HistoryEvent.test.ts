import { assert, describe, it } from "@effect/vitest"
import { detailOf, historyEventOf } from "@runhook/core/executions/history/HistoryEvent"
import { reschedule } from "@runhook/core/executions/RescheduleRequest"
import { finish } from "@runhook/core/runs/EndMoves"
import * as Result from "effect/Result"
import { acceptedRun, second, startedRun } from "../../runs/RunFixtures.ts"

describe("an event of the history", () => {
  it.each(["pending", "queued"] as const)(
    "is rescheduled when something else changes while it is %s",
    (status) => {
      const before = acceptedRun({ status })

      const { run } = Result.getOrThrow(reschedule(before, { change: { priority: 7 }, at: second(5) }))

      assert.deepInclude(historyEventOf(before, run), { type: "rescheduled", status, at: second(5) })
    }
  )

  it("tells with which message a run failed", () => {
    const before = startedRun()
    const failure = { _tag: "Failed", message: "no paper", isRetryable: false } as const

    const { run } = Result.getOrThrow(
      finish(before, { epoch: 1, outcome: failure, fingerprint: "f", at: second(5) })
    )

    const event = historyEventOf(before, run)
    assert.strictEqual(event.type, "failed")
    assert.deepStrictEqual(detailOf(event, run), { error_message: "no paper" })
  })
})
