/**
 * When every SweepStore has something to do next. Sweeps see all accounts, so
 * no other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { forgottenAt } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  makeExecution,
  makeTenant,
  newExecution,
  plenty,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import { lease, makeAskingRun, makeClaimedRun, makeSession, makeStartedRun } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** What is due next, once everything before the instant was swept: also what other tests have left. */
const nextFrom = Effect.fnUntraced(function* (instant: DateTime.Utc) {
  const sweeps = yield* SweepStore
  const round = { at: DateTime.subtract(instant, { milliseconds: 1 }), limit: plenty }
  yield* sweeps.expireLeases(round)
  yield* sweeps.timeOutRuns(round)
  yield* sweeps.expireInputs(round)
  yield* sweeps.expireExecutions(round)
  yield* sweeps.prune("expired", round)
  return yield* sweeps.nextDueAt(instant)
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SweepStore nextDueAt", { layer, name }, (it) => {
    it.test("is never while there is nothing to sweep, however much waits to be claimed", function* () {
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant)
      yield* makeExecution(tenant, { scheduledAt: second(5) })

      const next = yield* nextFrom(second(0))

      assert.isNull(next)
    })

    it.test("is the end of the first lease", function* () {
      yield* makeClaimedRun(yield* makeTenant())
      yield* makeStartedRun(yield* makeTenant())

      const next = yield* nextFrom(second(61))

      assert.deepStrictEqual(next, second(61))
    })

    it.test("moves with a lease that is extended", function* () {
      const runs = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      const inFlight = [{ executionId: run.execution.id, epoch: run.execution.epoch }]
      yield* runs.beat({ session, isDraining: false, inFlight, lease, at: second(50) })

      const next = yield* nextFrom(second(62.001))

      assert.deepStrictEqual(next, second(110))
    })

    it.test("is the end of an attempt's time", function* () {
      yield* makeStartedRun(yield* makeTenant(), { timeoutSeconds: 10 })

      const next = yield* nextFrom(second(12))

      assert.deepStrictEqual(next, second(12))
    })

    it.effect("is the end of a question, and not that of the attempt, whose time is stopped meanwhile", () =>
      Effect.gen(function* () {
        const execution = { timeoutSeconds: 10 }
        yield* makeAskingRun(yield* makeTenant(), { execution, question: { expiresAt: second(40) } })

        const next = yield* nextFrom(second(40))

        assert.deepStrictEqual(next, second(40))
      })
    )

    it.test("is when an execution must have been started", function* () {
      yield* makeExecution(yield* makeTenant(), { expiresAt: second(20) })

      const next = yield* nextFrom(second(20))

      assert.deepStrictEqual(next, second(20))
    })

    it.test("is now or before when something is over by now", function* () {
      yield* makeExecution(yield* makeTenant(), { expiresAt: second(20) })
      yield* makeExecution(yield* makeTenant(), { expiresAt: second(30) })

      const next = yield* nextFrom(second(20))

      assert.deepStrictEqual(next, second(20))
    })

    it.test("is the end of an idempotency key", function* () {
      const execution = yield* newExecution(yield* makeTenant())
      const idempotency = { key: "order-7", fingerprint: "of the body", expiresAt: second(1_000) }
      yield* (yield* ExecutionStore).create({ ...unlimited, execution, idempotency })

      const next = yield* nextFrom(second(1_000))

      assert.deepStrictEqual(next, second(1_000))
    })

    it.test("is when a session has been silent for a day", function* () {
      const session = yield* makeSession(yield* makeTenant())

      const next = yield* nextFrom(forgottenAt(session))

      assert.deepStrictEqual(next, forgottenAt(session))
    })
  })
