/** What every ScheduleStore does when schedules are due. */
import { assert } from "@effect/vitest"
import { isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { changeSchedule, overlapLookedAt, type Schedule } from "@runhook/core/schedules/Schedule"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  anyExecution,
  callbackUrl,
  eventsOf,
  makeExecution,
  makeTenant,
  second,
  type Stores,
  type Tenant
} from "../Fixtures.ts"
import { claimUpTo, makeSession } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { created, executionOf, fireOnce, firing, makeSchedule, minute } from "./ScheduleFixtures.ts"

const listed = Effect.fnUntraced(function* ({ accountId }: Tenant, schedule: Schedule) {
  const store = yield* ExecutionStore
  const filter = { ...anyExecution, scheduleId: schedule.id }
  return (yield* store.list(accountId, filter, { after: null, limit: 100 })).items
})

/** The run that a runner gets by then. */
const claimed = Effect.fnUntraced(function* (tenant: Tenant, at: number) {
  const session = yield* makeSession(tenant)
  const { claims } = yield* claimUpTo(session, { limit: 1, at: second(at) })
  return claims[0]?.run ?? (yield* Effect.die(new Error("There is nothing to claim")))
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ScheduleStore fire", { layer, name }, (it) => {
    it.test("creates one execution of a due time, however many fire it at once", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const schedules = yield* Effect.forEach([1, 2, 3, 4], () => makeSchedule(tenant))
      const other = yield* makeSchedule(yield* makeTenant())
      const fireAll = Effect.gen(function* () {
        const firings = yield* Effect.forEach(schedules, (schedule) =>
          Effect.map(executionOf(tenant, schedule), (execution) => firing(schedule, created(execution)))
        )
        return yield* store.fire([...firings, firing(other, { outcome: "missed" })])
      })

      const fired = (yield* Effect.all([fireAll, fireAll, fireAll], { concurrency: "unbounded" })).flat()

      assert.lengthOf(fired, 5)
      for (const schedule of schedules) {
        const [execution, ...more] = yield* listed(tenant, schedule)
        assert.lengthOf(more, 0)
        assert(execution !== undefined)
        assert.strictEqual(execution.scheduleId, schedule.id)
        assert.deepInclude(yield* store.get({ accountId: tenant.accountId, id: schedule.id }), {
          nextAt: minute(2),
          wakeAt: minute(2),
          lastAt: minute(1),
          lastOutcome: "created",
          lastExecutionId: execution.id,
          revision: schedule.revision + 1
        })
      }
      const theirs = fired.find(({ schedule }) => schedule.id === other.id)?.schedule
      assert.deepStrictEqual(theirs, yield* store.get({ accountId: other.accountId, id: other.id }))
    })

    it.test(
      "creates it as any other: with its callback, its place in the queue, and its claim",
      function* () {
        const tenant = yield* makeTenant()
        const schedule = yield* makeSchedule(tenant)

        const { came, changes } = yield* fireOnce(tenant, schedule, { callbackUrl })

        const [execution] = yield* listed(tenant, schedule)
        assert(execution !== undefined)
        const { id } = execution
        assert.deepStrictEqual(came, { outcome: "created", executionId: id })
        assert.deepStrictEqual(
          changes.map(({ event, run }) => [event, run.execution.id]),
          [["execution.queued", id]]
        )
        assert.deepStrictEqual(yield* eventsOf(execution), ["execution.queued"])
        assert.strictEqual((yield* claimed(tenant, 61)).execution.id, id)
      }
    )

    it.test("refuses what is not to wait for a seat of its key, also of those fired together", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const schedules = yield* Effect.forEach([1, 2], () => makeSchedule(tenant))
      const concurrency = { key: "customer 42", limit: 1, policy: "reject" } as const
      const firings = yield* Effect.forEach(schedules, (schedule) =>
        Effect.map(executionOf(tenant, schedule, { concurrency }), (execution) =>
          firing(schedule, created(execution))
        )
      )

      const together = yield* store.fire(firings)
      const later = yield* fireOnce(tenant, yield* makeSchedule(tenant), { concurrency })

      assert.deepStrictEqual(
        together.map(({ came }) => came.outcome),
        ["created", "refused"]
      )
      assert.deepStrictEqual(later.came, { outcome: "refused", error: { limit: 1 }, isLast: false })
    })

    it.test("changes nothing for who has an older schedule", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const schedule = yield* makeSchedule(tenant)
      const ref = { accountId, id: schedule.id }
      const execution = yield* executionOf(tenant, schedule)
      const changed = yield* store.change(ref, {
        change: (before) => Result.succeed(changeSchedule(before, { name: "Other" }, second(1)))
      })

      const late = yield* store.fire([firing(schedule, created(execution))])
      yield* store.remove(ref)
      const gone = yield* store.fire([firing(changed, created(execution))])

      assert.deepStrictEqual([late, gone], [[], []])
      assert.lengthOf(yield* listed(tenant, schedule), 0)
    })

    it.test("keeps a refusal by a limit as what came of it, and fires the others", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const [refused, other] = [yield* makeSchedule(tenant), yield* makeSchedule(tenant)]
      yield* makeExecution(tenant)

      const fired = yield* store.fire([
        firing(refused, created(yield* executionOf(tenant, refused), { accountMaxLive: 1 })),
        firing(other, created(yield* executionOf(tenant, other)))
      ])

      assert.deepStrictEqual(
        fired.map(({ came }) => came.outcome),
        ["refused", "created"]
      )
      assert.deepInclude(yield* store.get({ accountId: tenant.accountId, id: refused.id }), {
        isEnabled: true,
        nextAt: minute(2),
        lastAt: minute(1),
        lastOutcome: "refused",
        lastExecutionId: null,
        lastError: { limit: 1, scope: "account" }
      })
      assert.lengthOf(yield* listed(tenant, refused), 0)
      const byKey = created(yield* executionOf(tenant, other), { keyMaxLive: 1 })
      const [again] = yield* store.fire([firing(fired[1]?.schedule ?? other, byKey)])
      assert.deepInclude(again?.schedule, { lastError: { limit: 1, scope: "key" } })
    })

    it.test("stops a schedule whose key will never be accepted again", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const schedule = yield* makeSchedule(tenant)
      const error = { _tag: "KeyUnusable", reason: "revoked" }

      yield* store.fire([firing(schedule, { outcome: "refused", error, isLast: true })])

      assert.deepInclude(yield* store.get({ accountId: tenant.accountId, id: schedule.id }), {
        isEnabled: false,
        nextAt: null,
        wakeAt: null,
        lastOutcome: "refused",
        lastError: error
      })
    })

    it.test("skips a due time while one of its executions is unfinished, and no longer", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const schedule = yield* makeSchedule(tenant, { overlap: "skip" })
      // Of another schedule, and of none.
      yield* fireOnce(tenant, yield* makeSchedule(tenant))
      yield* makeExecution(tenant)
      const first = yield* fireOnce(tenant, schedule)
      const [execution] = yield* listed(tenant, schedule)

      const during = yield* fireOnce(tenant, first.schedule)
      if (execution) {
        yield* executions.stop({ accountId, id: execution.id, to: "aborted", reason: null, at: minute(2) })
      }
      const after = yield* fireOnce(tenant, during.schedule)

      assert.deepStrictEqual(
        [first, during, after].map(({ came }) => came.outcome),
        ["created", "skipped", "created"]
      )
      assert.deepInclude(during.schedule, { lastAt: minute(2), lastOutcome: "skipped", nextAt: minute(3) })
      assert.lengthOf(yield* listed(tenant, schedule), 2)
    })

    it.test("cancels what is unfinished of its executions for the next, within the limits", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const schedule = yield* makeSchedule(tenant)
      const begun = yield* fireOnce(tenant, schedule, { callbackUrl })
      const more = yield* fireOnce(tenant, begun.schedule)
      const running = yield* claimed(tenant, 130)
      const replacing: Schedule = { ...more.schedule, overlap: "cancel_running" }
      yield* Effect.orDie(
        store.change(
          { accountId: tenant.accountId, id: schedule.id },
          { change: () => Result.succeed(replacing) }
        )
      )
      const createdAt = second(150)
      const next = yield* executionOf(tenant, replacing, { createdAt })

      // Without the two that are cancelled there is room for one.
      const [fired] = yield* store.fire([firing(replacing, created(next, { accountMaxLive: 1 }))])

      assert(fired?.came.outcome === "created")
      const [latest, ...earlier] = yield* listed(tenant, schedule)
      assert.strictEqual(latest?.id, next.id)
      const statusReason = "The next execution of its schedule was due"
      assert.lengthOf(earlier, 2)
      for (const each of earlier)
        assert.deepInclude(each, { status: "cancelled", statusReason, stoppedAt: createdAt })
      const changed = new Map(fired.changes.map((change) => [change.run.execution.id, change]))
      assert.lengthOf([...changed], 3)
      assert.strictEqual(changed.get(running.execution.id)?.run.execution.status, "cancelled")
      assert.isNotNull(changed.get(running.execution.id)?.releasedFrom)
    })

    it.test("judges overlap among a bounded number of its latest executions", function* () {
      const tenant = yield* makeTenant()
      const executions = yield* ExecutionStore
      const { accountId } = tenant
      const schedule = yield* makeSchedule(tenant)
      yield* fireOnce(tenant, schedule)
      for (let count = 1; count <= overlapLookedAt; count++) {
        const { id } = yield* makeExecution(tenant, {
          scheduleId: schedule.id,
          createdAt: second(60 + count)
        })
        yield* executions.stop({ accountId, id, to: "aborted", reason: null, at: second(60 + count) })
      }
      const store = yield* ScheduleStore
      const skipping = yield* store.change(
        { accountId, id: schedule.id },
        { change: (before) => Result.succeed({ ...before, overlap: "skip" as const }) }
      )

      const { came } = yield* fireOnce(tenant, skipping)

      assert.strictEqual(came.outcome, "created")
      const unfinished = (yield* listed(tenant, schedule)).filter(({ status }) => !isTerminal(status))
      assert.lengthOf(unfinished, 2)
    })
  })
