/** What every store keeps of executions beside themselves. */
import { assert } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore, neverReported } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { callbackUrl, makeExecution, makeTenant, newExecution, second, type Stores } from "../Fixtures.ts"
import {
  claimUpTo,
  lease,
  makeAskingRun,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  writeTo
} from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const everything = { after: 0, limit: 100 }

const failed = { _tag: "Failed", message: "no such page", isRetryable: true } as const

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("HistoryStore", { layer, name }, (it) => {
    it.test("keeps every change under a number, without a gap, through an answer and a retry", function* () {
      const { answer } = yield* ExecutionStore
      const history = yield* HistoryStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const { input, run, session } = yield* makeAskingRun(tenant, { execution: { maxAttempts: 2 } })
      const { accountId, id } = run.execution
      yield* answer({ accountId, id, inputId: input.id, value: "42", at: second(5) })
      yield* runs.finish({ ...writeTo(run, second(6)), outcome: failed, fingerprint: "one" })
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(7) })
      const [again] = claims.map((claim) => claim.run)
      if (again === undefined) return assert.fail("it was not claimed again")
      yield* runs.start({ ...writeTo(again, second(8)), lease })
      yield* runs.finish({ ...writeTo(again, second(9)), outcome: failed, fingerprint: "two" })

      const events = yield* history.events({ accountId, id, ...everything })

      assert.deepStrictEqual(
        events.map(({ at, attempt, sequence, status, type }) => [sequence, type, status, attempt, at]),
        [
          [1, "created", "queued", 0, second(0)],
          [2, "claimed", "queued", 0, second(1)],
          [3, "started", "running", 1, second(2)],
          [4, "input_requested", "awaiting_input", 1, second(3)],
          [5, "input_answered", "running", 1, second(5)],
          [6, "requeued", "queued", 1, second(6)],
          [7, "claimed", "queued", 1, second(7)],
          [8, "started", "running", 2, second(8)],
          [9, "failed", "error", 2, second(9)]
        ]
      )
    })

    it.test(
      "tells an answer that work let go for, a hold, a give-back and a cancellation apart",
      function* () {
        const executions = yield* ExecutionStore
        const history = yield* HistoryStore
        const runs = yield* RunStore
        const tenant = yield* makeTenant()
        const { input, run } = yield* makeAskingRun(tenant, { question: { mode: "release" } })
        const { accountId, id } = run.execution
        yield* executions.answer({ accountId, id, inputId: input.id, value: "42", at: second(4) })
        const held = yield* makeExecution(yield* makeTenant(), { status: "pending" })
        yield* executions.release({ ...held, at: second(1) })
        const given = yield* makeClaimedRun(yield* makeTenant())
        yield* runs.giveBack({ ...writeTo(given.run, second(2)), delay: Duration.zero })
        yield* executions.stop({ ...held, to: "aborted", reason: null, at: second(3) })
        const typesOf = (ref: Parameters<typeof executions.release>[0]) =>
          Effect.map(history.events({ ...ref, ...everything }), (events) => events.map(({ type }) => type))

        const asked = yield* typesOf({ accountId, id, at: second(9) })
        const released = yield* typesOf({ ...held, at: second(9) })
        const back = yield* typesOf({ ...given.run.execution, at: second(9) })

        assert.deepStrictEqual(asked.slice(3), ["input_requested", "input_answered"])
        assert.deepStrictEqual(released, ["created", "released", "aborted"])
        assert.deepStrictEqual(back, ["created", "claimed", "given_back"])
      }
    )

    it.test("goes on behind a number, as far as it is asked to", function* () {
      const history = yield* HistoryStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, id } = run.execution

      const first = yield* history.events({ accountId, id, after: 0, limit: 1 })
      const next = yield* history.events({ accountId, id, after: 1, limit: 1 })
      const none = yield* history.events({ accountId, id, after: 3, limit: 1 })

      assert.deepStrictEqual(
        [...first, ...next].map(({ sequence, type }) => [sequence, type]),
        [
          [1, "created"],
          [2, "claimed"]
        ]
      )
      assert.deepStrictEqual(none, [])
    })

    it.test(
      "finds which of many executions, of any accounts, have changed since, and which are gone",
      function* () {
        const history = yield* HistoryStore
        const { run } = yield* makeStartedRun(yield* makeTenant())
        const other = yield* makeExecution(yield* makeTenant())
        const { accountId, id } = run.execution
        const gone = yield* newExecution(yield* makeTenant())

        const changed = yield* history.changedSince([
          { accountId, id, after: 2, afterLine: null },
          { ...other, after: 1, afterLine: null },
          { ...gone, after: 0, afterLine: null }
        ])
        const none = yield* history.changedSince([
          { accountId, id, after: 3, afterLine: null },
          { ...other, after: 1, afterLine: null }
        ])
        const foreign = yield* history.changedSince([
          { accountId: other.accountId, id, after: 3, afterLine: null }
        ])

        assert.sameMembers([...changed], [id, gone.id])
        assert.deepStrictEqual(none, [])
        assert.deepStrictEqual(foreign, [id])
        assert.deepStrictEqual(yield* history.changedSince([]), [])
      }
    )

    it.test("finds which have another report than is known, for who wants to know", function* () {
      const history = yield* HistoryStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, epoch, id } = run.execution
      const ref = { accountId, id, after: run.revision }
      const changedSince = (reportedAt: DateTime.Utc) => history.changedSince([{ ...ref, reportedAt }])

      const before = yield* changedSince(neverReported)
      yield* history.report({
        accountId,
        sessionId: session.id,
        reports: [{ executionId: id, epoch, percent: 1, message: null, step: null }],
        at: second(3)
      })

      assert.deepStrictEqual(
        [
          before,
          yield* changedSince(neverReported),
          yield* changedSince(second(2)),
          yield* changedSince(second(3))
        ],
        [[], [id], [id], []]
      )
      assert.deepStrictEqual(yield* history.changedSince([ref]), [])
    })

    it.test("keeps the last word on work that is under way, and no other", function* () {
      const history = yield* HistoryStore
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeStartedRun(tenant)
      const { accountId, epoch, id: executionId } = run.execution
      const waiting = yield* makeExecution(tenant)
      const say = (
        message: string,
        fields: { readonly epoch?: number; readonly executionId?: typeof executionId } = {}
      ) => ({
        executionId,
        epoch,
        percent: 12.5,
        message,
        step: null,
        ...fields
      })
      const from = { accountId, sessionId: session.id }

      const before = yield* history.progress({ accountId, id: executionId })
      yield* history.report({ ...from, reports: [say("one"), say("two")], at: second(3) })
      yield* history.report({
        ...from,
        reports: [say("stale", { epoch: epoch - 1 }), say("not mine", { executionId: waiting.id })],
        at: second(4)
      })
      const other = yield* makeSession(tenant)
      yield* history.report({ accountId, sessionId: other.id, reports: [say("other")], at: second(5) })

      assert.isUndefined(before)
      assert.deepStrictEqual(yield* history.progress({ accountId, id: executionId }), {
        percent: 12.5,
        message: "two",
        step: null,
        at: second(3)
      })
      assert.isUndefined(yield* history.progress({ accountId, id: waiting.id }))
    })

    it.test("counts what would be claimed before an execution that waits", function* () {
      const history = yield* HistoryStore
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant, { createdAt: second(0) })
      yield* makeExecution(tenant, { createdAt: second(3), priority: 5 })
      yield* makeExecution(tenant, { createdAt: second(3), priority: 5, scheduledAt: second(60) })
      yield* makeExecution(tenant, { createdAt: second(3), priority: -5 })
      const { accountId, id } = yield* makeExecution(tenant, { createdAt: second(2) })

      const now = yield* history.ahead({ accountId, id, at: second(4) })
      const later = yield* history.ahead({ accountId, id, at: second(61) })
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const ofStarted = yield* history.ahead({ ...run.execution, at: second(4) })

      assert.deepStrictEqual([now, later, ofStarted], [2, 3, 0])
    })

    it.test("shows the deliveries of executions in the order of their events", function* () {
      const history = yield* HistoryStore
      const tenant = yield* makeTenant()
      const { run } = yield* makeStartedRun(tenant, { callbackUrl })
      const quiet = yield* makeExecution(tenant)

      const found = yield* history.deliveriesOf({
        accountId: tenant.accountId,
        ids: [quiet.id, run.execution.id]
      })

      assert.deepStrictEqual(
        Array.from(found, ([id, deliveries]) => [id, deliveries.map(({ type }) => type)]),
        [[run.execution.id, ["execution.queued", "execution.started"]]]
      )
    })
  })
