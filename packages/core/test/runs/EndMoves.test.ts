import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"
import { answerTo, expire, finish, isOverdue, type Outcome, stop, timeOut } from "../../src/runs/EndMoves.ts"
import type { Run } from "../../src/runs/Run.ts"
import { acceptedRun, askingRun, claimedRun, second, sessionId, startedRun } from "./RunFixtures.ts"

const completed: Outcome = { _tag: "Completed", result: StoredJson.of({ sum: 3 }) }
const failed = { _tag: "Failed", message: "no such page", isRetryable: true } as const

const finishing = (run: Run, outcome: Outcome, fingerprint = "one") =>
  finish(run, { epoch: 1, outcome, fingerprint, at: second(5) })

describe("Finishing", () => {
  it("keeps what the work produced", () => {
    const change = Result.getOrThrow(finishing(startedRun(), completed))

    assert.strictEqual(change.event, "execution.completed")
    assert.deepInclude(change.run.execution, {
      status: "completed",
      result: StoredJson.of({ sum: 3 }),
      stoppedAt: second(5)
    })
    assert.strictEqual(change.releasedFrom, sessionId)
    assert.deepStrictEqual(change.run.completion, { epoch: 1, fingerprint: "one", status: "completed" })
  })

  it("may end work that waits for an answer", () => {
    const change = Result.getOrThrow(finishing(askingRun(), completed))

    assert.deepInclude(change.run.execution, { status: "completed", inputRequest: null })
  })

  it("ends failed work for good when runner or task want no other attempt", () => {
    const final: Outcome = { ...failed, isRetryable: false }

    const changes = [finishing(startedRun(), failed), finishing(startedRun({ maxAttempts: 2 }), final)]

    for (const change of changes) {
      assert.deepInclude(Result.getOrThrow(change).run.execution, {
        status: "error",
        errorMessage: "no such page"
      })
    }
  })

  it("queues failed work again when both want another attempt, saying so to a repeat", () => {
    const { event, run } = Result.getOrThrow(finishing(startedRun({ maxAttempts: 2 }), failed))

    assert.isNull(event)
    assert.deepInclude(run.execution, { status: "queued", errorMessage: null, stoppedAt: null, epoch: 2 })
    assert.strictEqual(run.completion?.status, "queued")
    assert.isFalse(Result.getOrThrow(finishing(run, failed)).changed)
  })

  it("answers how long the next attempt waits, for as long as it does", () => {
    const later: Outcome = { ...failed, retryDelayMillis: 30_000 }
    const { run } = Result.getOrThrow(finishing(startedRun({ maxAttempts: 2 }), later))
    const { run: repeated } = Result.getOrThrow(finishing(run, later))
    const { run: stopped } = stop(run, { to: "aborted", reason: null, at: second(20) })

    const answers = [run, repeated, stopped].map(answerTo)

    assert.deepStrictEqual(answers, [
      { status: "queued", retryIn: Duration.seconds(30) },
      { status: "queued", retryIn: Duration.seconds(30) },
      { status: "queued", retryIn: null }
    ])
  })

  it("tells a repeat from a contradiction by its fingerprint", () => {
    const { run } = Result.getOrThrow(finishing(startedRun(), completed))

    assert.deepStrictEqual(Result.getOrThrow(finishing(run, completed)).run, run)
    const refusal = Result.getOrThrow(Result.flip(finishing(run, failed, "two")))
    assert.deepInclude(refusal, { _tag: "AlreadyFinished", status: "completed" })
  })

  it("ends nothing that was not started", () => {
    const refusal = Result.getOrThrow(Result.flip(finishing(claimedRun(), completed)))

    assert.deepInclude(refusal, { _tag: "IllegalTransition", from: "queued", to: "completed" })
  })

  it("stops an execution whatever its runner does, under a higher epoch", () => {
    for (const run of [
      acceptedRun({ status: "pending" }),
      acceptedRun(),
      claimedRun(),
      startedRun(),
      askingRun()
    ]) {
      const change = stop(run, { to: "aborted", reason: "enough", at: second(9) })

      assert.strictEqual(change.event, "execution.aborted")
      assert.deepInclude(change.run.execution, {
        status: "aborted",
        statusReason: "enough",
        stoppedAt: second(9),
        inputRequest: null,
        epoch: run.execution.epoch + 1
      })
      assert.isNull(change.run.lease)
    }
  })

  it("leaves a finished execution as it is", () => {
    const { run } = Result.getOrThrow(finishing(startedRun(), completed))

    const change = stop(run, { to: "cancelled", reason: "late", at: second(9) })

    assert.deepStrictEqual(change, { run, changed: false, event: null, announced: null, releasedFrom: null })
  })

  it("cancels what was not started in time", () => {
    const run = claimedRun({ expiresAt: second(10) })

    assert.isFalse(expire(run, second(9)).changed)
    assert.deepInclude(expire(run, second(10)).run.execution, { status: "cancelled", epoch: 2 })
  })

  it("times an attempt out from the moment its time is used up", () => {
    const run = startedRun({ timeoutSeconds: 10 })

    assert.isFalse(isOverdue(run, second(11.999)))
    const change = timeOut(run, second(12))
    assert.deepInclude(change.run.execution, {
      status: "error",
      errorMessage: "timed out after 10 seconds",
      epoch: 2
    })
    assert.isFalse(timeOut(change.run, second(13)).changed)
    assert.isFalse(timeOut(askingRun(undefined, { timeoutSeconds: 10 }), second(60)).changed)
  })
})
