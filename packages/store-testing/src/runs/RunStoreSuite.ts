/** What every RunStore does with the writes of runners: start, finish, give back. */
import { assert } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import { presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  claimUpTo,
  idsOf,
  lease,
  makeAskingRun,
  makeClaimedRun,
  makeStartedRun,
  newQuestion,
  writeTo
} from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const result = StoredJson.of({ sum: 3 })
const completed: Outcome = { _tag: "Completed", result }
const failed: Outcome = { _tag: "Failed", message: "no such page", isRetryable: true }

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunStore", { layer, name }, (it) => {
    it.test("starts claimed work", function* () {
      const store = yield* RunStore
      const { run } = yield* makeClaimedRun(yield* makeTenant(), { timeoutSeconds: 30 })

      const change = yield* store.start({ ...writeTo(run, second(2)), lease })

      assert.deepInclude(change.run.execution, { status: "running", attempt: 1, startedAt: second(2) })
      assert.deepStrictEqual(change.run.lease?.expiresAt, second(62))
      assert.deepStrictEqual(change.run.deadlineAt, second(32))
    })

    it.test("shows a run as it is, to its account alone", function* () {
      const store = yield* RunStore
      const { run } = yield* makeAskingRun(yield* makeTenant())
      const { accountId, id } = run.execution
      const { accountId: other } = yield* makeTenant()

      assert.deepStrictEqual(yield* store.get({ accountId, id }), run)
      assert.strictEqual((yield* Effect.flip(store.get({ accountId: other, id })))._tag, "ExecutionNotFound")
    })

    it.test("starts work once, however often it is started under one epoch", function* () {
      const store = yield* RunStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())
      const start = store.start({ ...writeTo(run, second(2)), lease })

      const changes = yield* Effect.all([start, start, start], { concurrency: "unbounded" })

      assert.strictEqual(changes.filter(({ changed }) => changed).length, 1)
      for (const change of changes) assert.strictEqual(change.run.execution.attempt, 1)
    })

    it.test("extends the lease when a start is repeated", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())

      yield* store.start({ ...writeTo(run, second(30)), lease })

      const { held } = yield* store.openSession({ session, presentMax })
      assert.deepStrictEqual(
        held.map((each) => each.run.lease?.expiresAt),
        [second(90)]
      )
    })

    it.test("keeps the result of work that completed", function* () {
      const store = yield* RunStore
      const executions = yield* ExecutionStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())

      const change = yield* store.finish({
        ...writeTo(run, second(5)),
        outcome: completed,
        fingerprint: "one"
      })

      const { accountId, id } = run.execution
      const execution = yield* executions.get(accountId, id)
      assert.deepStrictEqual(change.run.execution, execution)
      assert.deepInclude(execution, { status: "completed", result, stoppedAt: second(5) })
      assert.strictEqual(change.releasedFrom, session.id)
    })

    it.test("keeps the reason of work that its runner cancelled", function* () {
      const store = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const outcome = { _tag: "Cancelled", reason: "not needed" } as const

      const change = yield* store.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })

      assert.deepInclude(change.run.execution, { status: "cancelled", statusReason: "not needed" })
    })

    it.test("ends work that failed when its task allows no other attempt", function* () {
      const store = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 1 })

      const change = yield* store.finish({
        ...writeTo(run, second(5)),
        outcome: failed,
        fingerprint: "one"
      })

      assert.deepInclude(change.run.execution, { status: "error", errorMessage: "no such page" })
    })

    it.test("queues work that failed when runner and task allow another attempt", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2 })

      const change = yield* store.finish({
        ...writeTo(run, second(5)),
        outcome: failed,
        fingerprint: "one"
      })

      assert.deepInclude(change.run.execution, { status: "queued", errorMessage: null, startedAt: null })
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(5) })
      assert.deepStrictEqual(idsOf(claims), [run.execution.id])
      for (const claim of claims) assert.isAbove(claim.run.execution.epoch, run.execution.epoch)
    })

    it.effect.each([completed, failed])("takes an equal outcome again and changes nothing: %j", (outcome) =>
      Effect.gen(function* () {
        const store = yield* RunStore
        const { run } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2 })
        const end = (fingerprint: string) =>
          store.finish({ ...writeTo(run, second(5)), outcome, fingerprint })
        const { run: ended } = yield* end("1:aa")

        const repeats = [yield* end("1:aa"), yield* end("2:of another version")]

        for (const repeat of repeats) assert.deepInclude(repeat, { changed: false, run: ended })
      })
    )

    it.test("lets one of ten different outcomes at once win", function* () {
      const store = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const names = Array.from({ length: 10 }, (_, place) => `outcome ${place}`)

      const outcomes = yield* Effect.forEach(
        names,
        (fingerprint) =>
          Effect.result(store.finish({ ...writeTo(run, second(5)), outcome: completed, fingerprint })),
        { concurrency: "unbounded" }
      )

      const refusals = outcomes.flatMap((each) => (each._tag === "Failure" ? [each.failure] : []))
      assert.strictEqual(refusals.length, 9)
      for (const refusal of refusals)
        assert.deepInclude(refusal, { _tag: "AlreadyFinished", status: "completed" })
    })

    it.test("ends no work that was not started", function* () {
      const store = yield* RunStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())

      const error = yield* Effect.flip(
        store.finish({ ...writeTo(run, second(5)), outcome: completed, fingerprint: "one" })
      )

      assert.deepInclude(error, { _tag: "IllegalTransition", from: "queued", to: "completed" })
    })

    it.test("gives work back that was not started, to be claimed again after the delay", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeClaimedRun(yield* makeTenant())

      const change = yield* store.giveBack({ ...writeTo(run, second(2)), delay: Duration.seconds(10) })

      assert.strictEqual(change.releasedFrom, session.id)
      const early = yield* claimUpTo(session, { limit: 1, at: second(11.999) })
      assert.deepStrictEqual(early, { claims: [], isMoreDue: false, nextDueAt: second(12) })
      const late = yield* claimUpTo(session, { limit: 1, at: second(12) })
      assert.deepStrictEqual(idsOf(late.claims), [run.execution.id])
    })

    it.test("does not give started work back", function* () {
      const store = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant())

      const error = yield* Effect.flip(store.giveBack({ ...writeTo(run, second(3)), delay: Duration.zero }))

      assert.deepInclude(error, { _tag: "IllegalTransition", from: "running", to: "queued" })
    })

    it.test("changes nothing for a runner whose epoch is over", function* () {
      const store = yield* RunStore
      const executions = yield* ExecutionStore
      const { run } = yield* makeAskingRun(yield* makeTenant())
      const { accountId, id } = run.execution
      const stopped = yield* executions.stop({
        accountId,
        id,
        to: "aborted",
        reason: null,
        at: second(5)
      })
      const write = writeTo(run, second(6))
      const input = yield* newQuestion(second(6), { key: "another" })

      const errors = yield* Effect.all([
        Effect.flip(store.start({ ...write, lease })),
        Effect.flip(store.finish({ ...write, outcome: completed, fingerprint: "one" })),
        Effect.flip(store.giveBack({ ...write, delay: Duration.zero })),
        Effect.flip(store.ask({ ...write, input }))
      ])

      const { epoch } = stopped.run.execution
      for (const error of errors) assert.deepInclude(error, { _tag: "LeaseLost", status: "aborted", epoch })
      assert.deepStrictEqual(yield* executions.get(accountId, id), stopped.run.execution)
    })

    it.test("changes nothing for a runner of another account", function* () {
      const store = yield* RunStore
      const executions = yield* ExecutionStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { accountId } = yield* makeTenant()
      const write = { ...writeTo(run, second(6)), accountId }

      const errors = yield* Effect.all([
        Effect.flip(store.start({ ...write, lease })),
        Effect.flip(store.finish({ ...write, outcome: completed, fingerprint: "one" })),
        Effect.flip(store.giveBack({ ...write, delay: Duration.zero })),
        Effect.flip(store.ask({ ...write, input: yield* newQuestion(second(6)) }))
      ])

      for (const error of errors) assert.strictEqual(error._tag, "ExecutionNotFound")
      assert.deepStrictEqual(yield* executions.get(run.execution.accountId, run.execution.id), run.execution)
    })

    it.test("tells a stopped claim and a start at once apart: one of them comes first", function* () {
      const store = yield* RunStore
      const executions = yield* ExecutionStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())
      const { accountId, id } = run.execution

      const [start, stop] = yield* Effect.all(
        [
          Effect.result(store.start({ ...writeTo(run, second(2)), lease })),
          executions.stop({ accountId, id, to: "aborted", reason: null, at: second(2) })
        ],
        { concurrency: "unbounded" }
      )

      assert.isTrue(stop.changed)
      assert.strictEqual(stop.run.execution.attempt, start._tag === "Success" ? 1 : 0)
    })
  })
