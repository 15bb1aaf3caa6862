import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { InputId } from "../../src/shared/Ids.ts"
import { stop } from "../../src/runs/EndMoves.ts"
import { answer, ask, expireInput } from "../../src/runs/InputMoves.ts"
import type { InputRequest } from "../../src/runs/InputRequest.ts"
import { claim, loseLease, start } from "../../src/runs/LeaseMoves.ts"
import type { Run } from "../../src/runs/Run.ts"
import {
  acceptedRun,
  askingRun,
  claimedRun,
  minute,
  question,
  second,
  sessionId,
  startedRun
} from "./RunFixtures.ts"

const { id: inputId } = question()
const laterId = InputId.make("01900000-0000-7000-8000-0000000000ff")

/** The next attempt of work that is gone from its runner. */
const anotherAttempt = (run: Run): Run => {
  const options = { claimId: "claim-2", sessionId, startDeadline: minute }
  const queued = run.lease === null ? run : loseLease(run, second(3_600)).run
  const claimed = claim(queued, { ...options, at: second(4_000) }).run
  const { epoch } = claimed.execution
  return Result.getOrThrow(start(claimed, { epoch, at: second(4_001), lease: minute })).run
}

/** Asks the same in that attempt, but for this. */
const askLater = (run: Run, given: Partial<InputRequest> = {}) => {
  const at = second(4_002)
  const input = question({ id: laterId, askedAt: at, ...given })
  return Result.getOrThrow(ask(run, { epoch: run.execution.epoch, at, input }))
}

describe("InputMoves", () => {
  it("waits for the answer, keeping its runner or letting it go", () => {
    const held = askingRun()
    const released = askingRun(question({ mode: "release" }))

    for (const run of [held, released]) {
      assert.strictEqual(run.execution.status, "awaiting_input")
      assert.deepStrictEqual(run.execution.inputRequest, run.inputs.at(-1))
    }
    assert.deepStrictEqual(held.lease, startedRun().lease)
    assert.isNull(released.lease)
  })

  it("finds the same question under the same key in one attempt, also once it is answered", () => {
    const run = askingRun()
    const answered = Result.getOrThrow(answer(run, { inputId, value: "42", at: second(9) })).run
    const again = question({ id: InputId.make("01900000-0000-7000-8000-0000000000ff"), askedAt: second(10) })

    const repeats = [run, answered].map((asked) =>
      Result.getOrThrow(ask(asked, { epoch: 1, input: again, at: second(10) }))
    )

    for (const { change, input } of repeats) {
      assert.isFalse(change.changed)
      assert.strictEqual(input.id, inputId)
    }
  })

  it("finds the answer to an earlier attempt that lost its lease, also of a question that let its runner go", () => {
    const found = (["hold", "release"] as const).map((mode) => {
      const answered = Result.getOrThrow(
        answer(askingRun(question({ mode }), { maxAttempts: 2 }), { inputId, value: "42", at: second(9) })
      ).run
      return askLater(anotherAttempt(answered))
    })

    for (const { change, input } of found) {
      assert.isFalse(change.changed)
      assert.deepInclude(input, { id: inputId, value: "42" })
    }
  })

  it("asks anew in a later attempt what was not answered, or by another schema", () => {
    const asking = askingRun(question(), { maxAttempts: 2 })
    const answered = Result.getOrThrow(answer(asking, { inputId, value: "42", at: second(9) })).run

    const asked = [
      askLater(anotherAttempt(asking)),
      askLater(anotherAttempt(answered), { schema: { type: "number" } })
    ]

    for (const { change, input } of asked) {
      assert.strictEqual(input.id, laterId)
      assert.deepStrictEqual(change.run.execution.inputRequest, input)
      assert.strictEqual(change.run.inputs.length, 2)
    }
  })

  it("asks nothing for work that does not run", () => {
    const input = question()

    const unstarted = Result.getOrThrow(Result.flip(ask(claimedRun(), { epoch: 1, input, at: second(3) })))
    const unclaimed = Result.getOrThrow(Result.flip(ask(acceptedRun(), { epoch: 0, input, at: second(3) })))
    const other = question({ key: "another" })
    const waiting = Result.getOrThrow(
      Result.flip(ask(askingRun(), { epoch: 1, input: other, at: second(4) }))
    )

    assert.strictEqual(unstarted._tag, "IllegalTransition")
    assert.strictEqual(unclaimed._tag, "LeaseLost")
    assert.strictEqual(waiting._tag, "IllegalTransition")
  })

  it("goes on running with the answer, not charged for the wait", () => {
    const run = askingRun(question(), { timeoutSeconds: 60 })

    const change = Result.getOrThrow(answer(run, { inputId, value: "42", at: second(23) }))

    assert.strictEqual(change.run.execution.status, "running")
    assert.deepStrictEqual(change.run.deadlineAt, second(82))
    assert.isNull(change.event)
  })

  it("is queued with the answer, due at once, when it has let go", () => {
    const run = askingRun(question({ mode: "release" }))

    const change = Result.getOrThrow(answer(run, { inputId, value: "42", at: second(23) }))

    assert.strictEqual(change.run.execution.status, "queued")
    assert.deepStrictEqual([change.run.dueAt, change.run.attemptEpoch], [second(23), null])
  })

  it("takes one answer, and an equal one again", () => {
    const { run } = Result.getOrThrow(answer(askingRun(), { inputId, value: { a: 1, b: 2 }, at: second(5) }))

    assert.isFalse(Result.getOrThrow(answer(run, { inputId, value: { b: 2, a: 1 }, at: second(6) })).changed)
    const refusal = Result.getOrThrow(Result.flip(answer(run, { inputId, value: { a: 2 }, at: second(6) })))
    assert.deepInclude(refusal, { _tag: "InputClosed", reason: "already_answered" })
  })

  it("takes no answer to a question that is unknown or over", () => {
    const { run } = stop(askingRun(), { to: "aborted", reason: null, at: second(5) })
    const unknown = InputId.make("01900000-0000-7000-8000-0000000000ff")

    const over = Result.getOrThrow(Result.flip(answer(run, { inputId, value: "42", at: second(6) })))
    const missing = Result.getOrThrow(
      Result.flip(answer(run, { inputId: unknown, value: "42", at: second(6) }))
    )

    assert.deepInclude(over, { _tag: "InputClosed", reason: "no_longer_awaited" })
    assert.strictEqual(missing._tag, "InputNotFound")
  })

  it("does what was said for the case that nobody answers", () => {
    const outcomes = (["error", "cancel", "default"] as const).map(
      (onTimeout) => expireInput(askingRun(question({ onTimeout, defaultValue: "none" })), second(63)).run
    )

    assert.deepStrictEqual(
      outcomes.map((run) => [run.execution.status, run.inputs.at(-1)?.value]),
      [
        ["error", null],
        ["cancelled", null],
        ["running", "none"]
      ]
    )
    assert.isFalse(expireInput(askingRun(), second(62.999)).changed)
  })
})
