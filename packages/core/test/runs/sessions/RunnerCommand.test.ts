import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { InputId } from "../../../src/shared/Ids.ts"
import { finish, stop } from "../../../src/runs/EndMoves.ts"
import { answer } from "../../../src/runs/InputMoves.ts"
import { claim, loseLease } from "../../../src/runs/LeaseMoves.ts"
import type { Run } from "../../../src/runs/Run.ts"
import {
  answerToResumeWith,
  commandKey,
  type RunnerCommand,
  standingOf,
  tellable
} from "../../../src/runs/sessions/RunnerCommand.ts"
import {
  askingRun,
  claimedRun,
  minute,
  otherSessionId,
  question,
  second,
  sessionId,
  startedRun
} from "../RunFixtures.ts"

const { id: inputId } = question()
const standing = (run: Run, epoch = 1) => standingOf(run, { sessionId, executionId: run.execution.id, epoch })
const answered = (run: Run) => Result.getOrThrow(answer(run, { inputId, value: "42", at: second(9) })).run

describe("RunnerCommand", () => {
  it("has nothing to say about work that goes its way", () => {
    for (const run of [claimedRun(), startedRun(), askingRun()]) {
      assert.deepInclude(standing(run), { _tag: "Held", command: null })
    }
  })

  it("counts work of another session as lost", () => {
    const run = startedRun()

    const elsewhere = standingOf(run, { sessionId: otherSessionId, executionId: run.execution.id, epoch: 1 })

    assert.deepStrictEqual(elsewhere, { _tag: "Lost" })
  })

  it("tells the runner that holds on of the answer", () => {
    const run = answered(askingRun())

    const executionId = run.execution.id
    const command = { _tag: "InputAnswered", executionId, inputId, value: "42" } as const
    assert.deepInclude(standing(run), { _tag: "Held", command })
    assert.isNull(answerToResumeWith(run))
  })

  it("hands the answer over with the next claim of work that has let go", () => {
    const run = answered(askingRun(question({ mode: "release" })))
    const claimed = claim(run, { sessionId, claimId: "claim-2", at: second(10), startDeadline: minute }).run

    assert.strictEqual(answerToResumeWith(claimed)?.value, "42")
    assert.deepInclude(standing(claimed, 2), { _tag: "Held", command: null })
    assert.deepStrictEqual(standing(claimed, 1), { _tag: "Lost" })
  })

  it("tells the runner of a stopped execution to stop, and why", () => {
    const { run } = stop(startedRun(), { to: "aborted", reason: "enough", at: second(5) })

    const executionId = run.execution.id
    const command = { _tag: "Cancel", executionId, epoch: 1, reason: "enough" } as const
    assert.deepStrictEqual(standing(run), { _tag: "Stopped", command })
    assert.strictEqual(commandKey(command), `cancel:${executionId}:1`)
  })

  it("says that work is lost when it was queued again or ended by its runner", () => {
    const requeued = loseLease(startedRun({ maxAttempts: 2 }), second(62)).run
    const outcome = { _tag: "Completed", result: null } as const
    const ended = Result.getOrThrow(
      finish(startedRun(), { epoch: 1, outcome, fingerprint: "one", at: second(5) })
    ).run

    for (const run of [requeued, ended]) assert.deepStrictEqual(standing(run), { _tag: "Lost" })
  })
})

describe("the commands that are told at once", () => {
  const executionId = startedRun().execution.id
  const answeredWith = (value: string): RunnerCommand => ({
    _tag: "InputAnswered",
    executionId,
    inputId: InputId.make(`0198c5a2-7e4b-7c3d-9f10-${value.length.toString().padStart(12, "0")}`),
    value
  })
  const half = answeredWith("x".repeat(512 * 1024))
  const most = answeredWith("x".repeat(1_000_000))
  const cancelled: RunnerCommand = { _tag: "Cancel", executionId, epoch: 1, reason: "over" }

  it("are those that an answer has room for, and never none", () => {
    assert.deepStrictEqual(tellable([most, cancelled, half], new Set()), [most, cancelled])
  })

  it("are first those that were not told before", () => {
    assert.deepStrictEqual(tellable([most, half], new Set([commandKey(most)])), [half])
  })
})
