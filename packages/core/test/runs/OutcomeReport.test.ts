import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"
import { outcomeOf, type OutcomeReport } from "../../src/runs/OutcomeReport.ts"

const error = { message: "The printer is on fire" }

describe("outcomeOf", () => {
  it.each<readonly [OutcomeReport, object]>([
    [{ outcome: "completed" }, { _tag: "Completed", result: null }],
    [
      { outcome: "completed", result: { pages: 2 } },
      { _tag: "Completed", result: StoredJson.of({ pages: 2 }) }
    ],
    [
      { outcome: "error", error },
      { _tag: "Failed", ...error, isRetryable: false }
    ],
    [
      { outcome: "error", error: { ...error, retryable: true } },
      { _tag: "Failed", ...error, isRetryable: true }
    ],
    [
      { outcome: "error", error: { ...error, retryable: true, delay_ms: 1_500 } },
      { _tag: "Failed", ...error, isRetryable: true, retryDelayMillis: 1_500 }
    ],
    [
      { outcome: "completed", result: null, error: null },
      { _tag: "Completed", result: null }
    ],
    [
      { outcome: "error", error, result: null },
      { _tag: "Failed", ...error, isRetryable: false }
    ],
    [
      { outcome: "cancelled", error: null, result: null },
      { _tag: "Cancelled", reason: null }
    ],
    [{ outcome: "cancelled" }, { _tag: "Cancelled", reason: null }],
    [
      { outcome: "cancelled", error },
      { _tag: "Cancelled", reason: error.message }
    ]
  ])("reads %j", (report, expected) => {
    assert.deepStrictEqual(Result.getOrThrow(outcomeOf(report)), expected)
  })

  it.each<readonly [OutcomeReport, string]>([
    [{ outcome: "error", error: null }, "error.message: is required with the outcome error"],
    [{ outcome: "error" }, "error.message: is required with the outcome error"],
    [
      { outcome: "error", error: { ...error, delay_ms: 1_500 } },
      "error.delay_ms: is for an error that is retryable only"
    ],
    [{ outcome: "error", error, result: {} }, "result: is for the outcome completed only"],
    [{ outcome: "cancelled", result: {} }, "result: is for the outcome completed only"],
    [{ outcome: "completed", error }, "error: is not for the outcome completed"]
  ])("refuses %j and names the field", (report, expected) => {
    const refused = Result.flip(outcomeOf(report))

    assert.strictEqual(Result.getOrThrow(refused).message, expected)
  })
})
