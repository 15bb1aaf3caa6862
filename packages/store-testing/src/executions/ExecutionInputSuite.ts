/** What every store does with questions: RunStore asks them, ExecutionStore answers them. */
import { assert } from "@effect/vitest"
import { InputId } from "@runhook/core/shared/Ids"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { callbackUrl, eventsOf, idAt, makeTenant, plenty, second, type Stores } from "../Fixtures.ts"
import {
  claimUpTo,
  idsOf,
  lease,
  makeAskingRun,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  newQuestion,
  writeTo
} from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Inputs", { layer, name }, (it) => {
    it.test("shows what the work waits for, and all it has asked", function* () {
      const store = yield* ExecutionStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant(), {
        question: {
          schema: { type: "object", required: ["pin"] },
          defaultValue: { pin: "none" },
          onTimeout: "default"
        }
      })
      const { accountId, id } = run.execution

      const execution = yield* store.get(accountId, id)

      assert.strictEqual(execution.status, "awaiting_input")
      assert.deepStrictEqual(execution.inputRequest, input)
      assert.deepStrictEqual(yield* store.inputs(accountId, id), [input])
    })

    it.test("finds the same question when it is asked again in one attempt", function* () {
      const runs = yield* RunStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant())
      const again = yield* newQuestion(second(4))

      const asked = yield* runs.ask({ ...writeTo(run, second(4)), input: again })

      assert.deepStrictEqual(asked.input, input)
      assert.isFalse(asked.change.changed)
    })

    it.test("gives the answer that came while the lease was being lost to the next attempt", function* () {
      const executions = yield* ExecutionStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const { input, run } = yield* makeAskingRun(tenant, { execution: { maxAttempts: 2 } })
      const { accountId, id } = run.execution
      const value = { digits: [4, 2] }
      yield* executions.answer({ accountId, id, inputId: input.id, value, at: second(20) })
      yield* (yield* SweepStore).expireLeases({ at: second(3_600), limit: plenty })
      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(7_200) })
      assert.deepStrictEqual(idsOf(claims), [id])

      const asked = yield* Effect.forEach(claims, (claim) =>
        Effect.gen(function* () {
          const at = second(7_201)
          yield* runs.start({ ...writeTo(claim.run, at), lease })
          return yield* runs.ask({ ...writeTo(claim.run, at), input: yield* newQuestion(at) })
        })
      )

      for (const { change, input: found } of asked) {
        assert.isFalse(change.changed)
        assert.deepStrictEqual(found, { ...input, value, answeredAt: second(20) })
      }
      assert.lengthOf(yield* executions.inputs(accountId, id), 1)
    })

    it.test("asks nothing for work that was not started", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())

      const error = yield* Effect.flip(
        runs.ask({ ...writeTo(run, second(3)), input: yield* newQuestion(second(3)) })
      )

      assert.strictEqual(error._tag, "IllegalTransition")
    })

    it.test("lets work that held on go on with the answer", function* () {
      const store = yield* ExecutionStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant(), {
        execution: { timeoutSeconds: 60, callbackUrl }
      })
      const { accountId, id } = run.execution
      const value = { digits: [4, 2] }

      const change = yield* store.answer({ accountId, id, inputId: input.id, value, at: second(23) })

      assert.strictEqual(change.run.execution.status, "running")
      assert.isNull(change.run.execution.inputRequest)
      assert.deepStrictEqual(change.run.lease, run.lease)
      // Started at second 2 with a minute to go, it did not run for the 20 seconds it waited.
      assert.deepStrictEqual(change.run.deadlineAt, second(82))
      assert.deepStrictEqual(yield* store.inputs(accountId, id), [
        { ...input, value, answeredAt: second(23) }
      ])
      assert.deepStrictEqual(yield* eventsOf({ accountId, id }), ["execution.queued", "execution.started"])
    })

    it.test("frees the runner of work that lets go to wait", function* () {
      const tenant = yield* makeTenant({ capacity: 1 })
      const { run } = yield* makeAskingRun(tenant, { question: { mode: "release" } })

      const { run: other } = yield* makeClaimedRun(tenant)

      assert.isNull(run.lease)
      assert.notStrictEqual(other.execution.id, run.execution.id)
    })

    it.effect("queues work that let go when its answer comes, and hands the answer over with the claim", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const { input, run } = yield* makeAskingRun(tenant, { question: { mode: "release" } })
        const { accountId, id } = run.execution
        const answered = { ...input, value: "42", answeredAt: second(10) }

        const change = yield* store.answer({
          accountId,
          id,
          inputId: input.id,
          value: "42",
          at: second(10)
        })

        assert.strictEqual(change.run.execution.status, "queued")
        const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(10) })
        assert.deepStrictEqual(idsOf(claims), [id])
        for (const claim of claims) assert.deepStrictEqual(claim.run.inputs, [answered])
      })
    )

    it.effect(
      "counts no new attempt when answered work goes on, also after a claim that led to nothing",
      () =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const runs = yield* RunStore
          const tenant = yield* makeTenant()
          const { input, run } = yield* makeAskingRun(tenant, { question: { mode: "release" } })
          const { accountId, id } = run.execution
          yield* store.answer({ accountId, id, inputId: input.id, value: "42", at: second(10) })
          const gone = yield* makeSession(tenant)
          yield* claimUpTo(gone, { limit: 1, at: second(10) })
          yield* runs.closeSession({ accountId, id: gone.id, at: second(11) })
          const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(12) })

          const started = yield* Effect.forEach(claims, (claim) =>
            runs.start({ ...writeTo(claim.run, second(13)), lease })
          )

          assert.deepStrictEqual(
            started.map((change) => change.run.execution.attempt),
            [run.execution.attempt]
          )
        })
    )

    it.test("lets one of two different answers at once win", function* () {
      const store = yield* ExecutionStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant())
      const { accountId, id } = run.execution
      const answer = (value: string) =>
        store.answer({ accountId, id, inputId: input.id, value, at: second(5) })

      const outcomes = yield* Effect.forEach(["one", "other"], (value) => Effect.result(answer(value)), {
        concurrency: "unbounded"
      })

      const refusals = outcomes.flatMap((outcome) => (outcome._tag === "Failure" ? [outcome.failure] : []))
      assert.strictEqual(refusals.length, 1)
      for (const refusal of refusals)
        assert.deepInclude(refusal, { _tag: "InputClosed", reason: "already_answered" })
    })

    it.test("takes an equal answer again and changes nothing", function* () {
      const store = yield* ExecutionStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant())
      const { accountId, id } = run.execution
      const ref = { accountId, id, inputId: input.id }
      const first = yield* store.answer({ ...ref, value: { a: 1, b: [null] }, at: second(5) })

      const again = yield* store.answer({ ...ref, value: { b: [null], a: 1 }, at: second(6) })

      assert.isFalse(again.changed)
      assert.deepStrictEqual(again.run, first.run)
    })

    it.test("refuses an answer to a question that is no longer open", function* () {
      const store = yield* ExecutionStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant())
      const { accountId, id } = run.execution
      yield* store.stop({ accountId, id, to: "aborted", reason: null, at: second(5) })

      const error = yield* Effect.flip(
        store.answer({ accountId, id, inputId: input.id, value: "42", at: second(6) })
      )

      assert.deepInclude(error, { _tag: "InputClosed", reason: "no_longer_awaited" })
    })

    it.test("knows no question that the execution did not ask", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { run } = yield* makeAskingRun(tenant)
      const { run: other } = yield* makeStartedRun(tenant)
      const { accountId, id } = other.execution
      const foreign = run.inputs.map(({ id: inputId }) => inputId)
      const unknown = yield* idAt(InputId, second(3))

      const errors = yield* Effect.forEach([...foreign, unknown], (inputId) =>
        Effect.flip(store.answer({ accountId, id, inputId, value: "42", at: second(6) }))
      )

      assert.strictEqual(errors.length, 2)
      for (const error of errors) assert.strictEqual(error._tag, "InputNotFound")
    })
  })
