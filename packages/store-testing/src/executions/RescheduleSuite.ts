/** What every ExecutionStore does with the place of an execution in the queue. */
import { assert } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, idsOf, makeClaimedRun, makeSession } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Reschedule", { layer, name }, (it) => {
    it.test("lets a more urgent execution pass the others", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const first = yield* makeExecution(tenant, { createdAt: second(0) })
      const urgent = yield* makeExecution(tenant, { createdAt: second(1) })

      const { changed, run } = yield* store.reschedule({
        ...urgent,
        change: { priority: 10 },
        at: second(2)
      })

      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 5, at: second(3) })
      assert.isTrue(changed)
      assert.deepInclude(run.execution, { priority: 10, updatedAt: second(2) })
      assert.deepStrictEqual(idsOf(claims), [urgent.id, first.id])
      assert.strictEqual((yield* store.get(urgent.accountId, urgent.id)).priority, 10)
    })

    it.test("starts one now that was to wait for the last moment of year 9999", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const last = yield* makeExecution(tenant, {
        scheduledAt: DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")
      })

      yield* store.reschedule({ ...last, change: { scheduledAt: null }, at: second(1) })

      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(2) })
      assert.deepStrictEqual(idsOf(claims), [last.id])
    })

    it.test("starts one now that was to wait, and puts off one that was not", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const deferred = yield* makeExecution(tenant, { scheduledAt: second(600) })
      const ready = yield* makeExecution(tenant)

      yield* store.reschedule({ ...deferred, change: { scheduledAt: null }, at: second(1) })
      yield* store.reschedule({ ...ready, change: { scheduledAt: second(300) }, at: second(1) })

      const session = yield* makeSession(tenant)
      const now = yield* claimUpTo(session, { limit: 5, at: second(2) })
      const { nextDueAt } = yield* claimUpTo(session, { limit: 5, at: second(2) })
      const later = yield* claimUpTo(session, { limit: 5, at: second(300) })
      assert.deepStrictEqual(idsOf(now.claims), [deferred.id])
      assert.deepStrictEqual(nextDueAt, second(300))
      assert.deepStrictEqual(idsOf(later.claims), [ready.id])
    })

    it.test("gives one that is held a new time, which counts once it is released", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const held = yield* makeExecution(tenant, { status: "pending" })

      yield* store.reschedule({
        ...held,
        change: { scheduledAt: second(90), priority: 3, expiresAt: second(900) },
        at: second(1)
      })
      yield* store.release({ ...held, at: second(2) })

      const { claims, nextDueAt } = yield* claimUpTo(yield* makeSession(tenant), { limit: 5, at: second(3) })
      assert.deepStrictEqual([idsOf(claims), nextDueAt], [[], second(90)])
      assert.deepInclude(yield* store.get(held.accountId, held.id), {
        status: "queued",
        scheduledAt: second(90),
        expiresAt: second(900),
        priority: 3
      })
    })

    it.test("ends one by its new end, and not by the one before", function* () {
      const store = yield* ExecutionStore
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const spared = yield* makeExecution(tenant, { expiresAt: second(10) })
      const doomed = yield* makeExecution(tenant)
      yield* store.reschedule({ ...spared, change: { expiresAt: null }, at: second(1) })
      yield* store.reschedule({ ...doomed, change: { expiresAt: second(10) }, at: second(1) })

      yield* sweeps.expireExecutions({ at: second(11), limit: 100 })

      assert.strictEqual((yield* store.get(spared.accountId, spared.id)).status, "queued")
      assert.strictEqual((yield* store.get(doomed.accountId, doomed.id)).status, "cancelled")
    })

    it.test("keeps the fields that a change does not name, and notes the change", function* () {
      const store = yield* ExecutionStore
      const history = yield* HistoryStore
      const execution = yield* makeExecution(yield* makeTenant(), {
        priority: 4,
        scheduledAt: second(60),
        expiresAt: second(120)
      })

      yield* store.reschedule({ ...execution, change: { priority: 5 }, at: second(1) })

      assert.deepInclude(yield* store.get(execution.accountId, execution.id), {
        priority: 5,
        scheduledAt: second(60),
        expiresAt: second(120)
      })
      const events = yield* history.events({ ...execution, after: 1, limit: 10 })
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["rescheduled"]
      )
    })

    it.test("leaves one alone that a runner has, or that is finished", function* () {
      const store = yield* ExecutionStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())
      const ended = yield* makeExecution(yield* makeTenant())
      yield* store.stop({ ...ended, to: "cancelled", reason: null, at: second(2) })
      const tryOn = (ref: Parameters<typeof store.release>[0]) =>
        Effect.flip(store.reschedule({ ...ref, change: { priority: 9 } }))

      const taken = yield* tryOn({ ...run.execution, at: second(3) })
      const over = yield* tryOn({ ...ended, at: second(3) })

      assert.deepStrictEqual(
        [taken, over].map((error) => error._tag),
        ["NotWaiting", "NotWaiting"]
      )
      assert.strictEqual((yield* store.get(ended.accountId, ended.id)).priority, 0)
    })
  })
