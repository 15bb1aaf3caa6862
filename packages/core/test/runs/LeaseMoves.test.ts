import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { stop } from "../../src/runs/EndMoves.ts"
import {
  assign,
  beat,
  claim,
  giveBack,
  isClaimable,
  leave,
  loseLease,
  start
} from "../../src/runs/LeaseMoves.ts"
import {
  acceptedRun,
  askingRun,
  claimedRun,
  minute,
  otherSessionId,
  second,
  sessionId,
  startedRun
} from "./RunFixtures.ts"

describe("LeaseMoves", () => {
  it("may be claimed when it is due, queued, unclaimed and not expired", () => {
    const run = acceptedRun({ scheduledAt: second(10), expiresAt: second(20) })

    assert.deepStrictEqual(
      [9.999, 10, 19.999, 20].map((at) => isClaimable(run, second(at))),
      [false, true, true, false]
    )
    assert.isFalse(isClaimable(claimedRun(), second(10)))
    assert.isFalse(isClaimable(acceptedRun({ status: "pending" }), second(10)))
  })

  it("assigns a run to a claim that waits, and starts it if that is wanted and nobody is called back", () => {
    const options = { sessionId, claimId: "c", at: second(1), startDeadline: minute, lease: minute }
    const silent = acceptedRun({ callbackUrl: null, timeoutSeconds: 30 })

    const started = assign(silent, options).last
    const claimed = assign(silent, { ...options, lease: null })
    const announced = assign(acceptedRun(), options)

    const begun = start(claimed.claimed.run, { epoch: 1, at: second(1), lease: minute })
    assert.deepStrictEqual(Result.succeed(started), begun)
    assert.deepInclude(started.run.execution, { status: "running", attempt: 1 })
    assert.deepStrictEqual(claimed.last, claim(silent, options))
    assert.deepStrictEqual(announced.last, claim(acceptedRun(), options))
  })

  it("gives a claim a higher epoch and a deadline for its start, and stays queued", () => {
    const { event, run } = claim(acceptedRun(), {
      sessionId,
      claimId: "c",
      at: second(1),
      startDeadline: minute
    })

    assert.isNull(event)
    assert.deepInclude(run.execution, { status: "queued", epoch: 1, attempt: 0 })
    assert.deepStrictEqual(run.lease, { sessionId, claimId: "c", epoch: 1, expiresAt: second(61) })
  })

  it("counts an attempt and sets its deadline when it starts", () => {
    const change = Result.getOrThrow(
      start(claimedRun({ timeoutSeconds: 30 }), { epoch: 1, at: second(2), lease: minute })
    )

    assert.strictEqual(change.event, "execution.started")
    assert.deepInclude(change.run.execution, { status: "running", attempt: 1, startedAt: second(2) })
    assert.deepStrictEqual(change.run.deadlineAt, second(32))
  })

  it("extends only the lease when a start is repeated", () => {
    const run = startedRun()

    const change = Result.getOrThrow(start(run, { epoch: 1, at: second(30), lease: minute }))

    assert.isFalse(change.changed)
    assert.deepStrictEqual(change.run.execution, run.execution)
    assert.deepStrictEqual(change.run.lease?.expiresAt, second(90))
  })

  it("extends the lease of started work by a beat, not the start deadline of claimed work", () => {
    const beatAt = { sessionId, epoch: 1, at: second(30), lease: minute }

    assert.deepStrictEqual(beat(startedRun(), beatAt)?.expiresAt, second(90))
    assert.deepStrictEqual(beat(askingRun(), beatAt)?.expiresAt, second(90))
    assert.deepStrictEqual(beat(claimedRun(), beatAt), claimedRun().lease)
  })

  it("extends no lease of another session, and none under another epoch", () => {
    const run = startedRun()
    const beatAt = { sessionId, epoch: 1, at: second(30), lease: minute }

    assert.strictEqual(beat(run, { ...beatAt, sessionId: otherSessionId }), run.lease)
    assert.strictEqual(beat(run, { ...beatAt, epoch: 2 }), run.lease)
  })

  it("extends a lease once that adds a twelfth of its length", () => {
    const run = startedRun()
    const beatAt = (at: number) => beat(run, { sessionId, epoch: 1, at: second(at), lease: minute })
    const begun =
      Number(run.lease?.expiresAt.epochMilliseconds) / 1_000 - second(60).epochMilliseconds / 1_000

    assert.strictEqual(beatAt(begun + 4.999), run.lease)
    assert.deepStrictEqual(beatAt(begun + 5)?.expiresAt, second(begun + 65))
  })

  it("refuses every write under an epoch that is over", () => {
    const run = stop(claimedRun(), { to: "aborted", reason: null, at: second(5) }).run
    const write = { epoch: 1, at: second(6), lease: minute, delay: Duration.zero }

    const refusals = [
      Result.getOrThrow(Result.flip(start(run, write))),
      Result.getOrThrow(Result.flip(giveBack(run, write)))
    ]

    for (const refusal of refusals) {
      assert.deepInclude(refusal, { _tag: "LeaseLost", status: "aborted", epoch: 2 })
    }
  })

  it("gives back only what was not started", () => {
    const write = { epoch: 1, at: second(5), delay: Duration.seconds(10) }

    const given = Result.getOrThrow(giveBack(claimedRun(), write))
    const refused = Result.getOrThrow(Result.flip(giveBack(startedRun(), write)))

    assert.isNull(given.run.lease)
    assert.deepStrictEqual(given.run.dueAt, second(15))
    assert.strictEqual(given.releasedFrom, sessionId)
    assert.deepInclude(refused, { _tag: "IllegalTransition", from: "running", to: "queued" })
  })

  it("loses no lease before it has run out", () => {
    assert.isFalse(loseLease(startedRun(), second(61.999)).changed)
    assert.isFalse(loseLease(acceptedRun(), second(900)).changed)
  })

  it("keeps the place of work whose runner never started it", () => {
    const { event, run } = loseLease(claimedRun(), second(61))

    assert.isNull(event)
    assert.deepInclude(run.execution, { status: "queued", epoch: 2, attempt: 0 })
    assert.deepStrictEqual([run.lease, run.attemptEpoch, run.dueAt], [null, null, second(0)])
  })

  it("ends started work whose runner is lost, unless the task allows another attempt", () => {
    const ended = loseLease(startedRun(), second(62))
    const retried = loseLease(startedRun({ maxAttempts: 2 }), second(62))

    assert.strictEqual(ended.event, "execution.failed")
    assert.deepInclude(ended.run.execution, { status: "error", errorMessage: "runner lost", epoch: 2 })
    assert.isNull(retried.event)
    assert.deepInclude(retried.run.execution, { status: "queued", startedAt: null, epoch: 2, attempt: 1 })
    assert.deepStrictEqual(retried.run.dueAt, second(62))
  })

  it("takes a question with it when the runner that waits for its answer is lost", () => {
    const retried = loseLease(askingRun(undefined, { maxAttempts: 2 }), second(63))

    assert.deepInclude(retried.run.execution, { status: "queued", inputRequest: null })
  })

  it("lets a leaving session keep what it has started", () => {
    assert.isTrue(leave(claimedRun(), second(5)).changed)
    assert.isFalse(leave(startedRun(), second(5)).changed)
    assert.isFalse(leave(acceptedRun(), second(5)).changed)
  })
})
