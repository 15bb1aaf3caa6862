/**
 * What every SweepStore does. Sweeps see all accounts, so no other suite may
 * run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import type { Change } from "@runhook/core/runs/Run"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { type SweepRound, SweepStore } from "@runhook/core/sweeps/SweepStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  callbackUrl,
  eventsOf,
  makeExecution,
  makeTenant,
  plenty,
  second,
  type Stores,
  type Tenant
} from "../Fixtures.ts"
import {
  claimUpTo,
  idsOf,
  lease,
  makeAskingRun,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  writeTo
} from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** Sweeps everything that is due, and answers what happened to the tenant's. */
const swept = (
  verb: (round: SweepRound) => Effect.Effect<ReadonlyArray<Change>>,
  { accountId }: Tenant,
  at: DateTime.Utc
) =>
  Effect.map(verb({ at, limit: plenty }), (changes) =>
    changes.filter(({ run }) => run.execution.accountId === accountId)
  )

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SweepStore", { layer, name }, (it) => {
    it.test("queues claimed work again, in its old place, when it was not started in time", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeClaimedRun(tenant)

      const early = yield* swept(sweeps.expireLeases, tenant, second(60.999))
      const changes = yield* swept(sweeps.expireLeases, tenant, second(61))

      assert.deepStrictEqual(early, [])
      assert.strictEqual(changes.length, 1)
      for (const change of changes) {
        assert.deepInclude(change.run.execution, {
          status: "queued",
          attempt: 0,
          epoch: run.execution.epoch + 1
        })
        assert.deepStrictEqual(change.run.dueAt, run.dueAt)
        assert.strictEqual(change.releasedFrom, session.id)
      }
      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(61) })
      assert.deepStrictEqual(idsOf(claims), [run.execution.id])
    })

    it.test("ends started work whose runner is gone, when its task allows no other attempt", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const { run } = yield* makeStartedRun(tenant, { callbackUrl })

      const changes = yield* swept(sweeps.expireLeases, tenant, second(62))

      assert.strictEqual(changes.length, 1)
      for (const change of changes) {
        assert.deepInclude(change.run.execution, { status: "error", errorMessage: "runner lost" })
      }
      const events = yield* eventsOf(run.execution)
      assert.deepStrictEqual(events, ["execution.queued", "execution.started", "execution.failed"])
    })

    it.test("queues started work whose runner is gone, when its task allows another attempt", function* () {
      const sweeps = yield* SweepStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeStartedRun(tenant, { maxAttempts: 2 })

      yield* swept(sweeps.expireLeases, tenant, second(62))

      const late = yield* Effect.flip(runs.start({ ...writeTo(run, second(63)), lease }))
      assert.strictEqual(late._tag, "LeaseLost")
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(63) })
      assert.deepStrictEqual(idsOf(claims), [run.execution.id])
    })

    it.test("keeps the lease of work whose runner was heard of", function* () {
      const sweeps = yield* SweepStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeStartedRun(tenant)
      const inFlight = [{ executionId: run.execution.id, epoch: run.execution.epoch }]
      yield* runs.beat({ session, isDraining: false, inFlight, lease, at: second(50) })

      const changes = yield* swept(sweeps.expireLeases, tenant, second(109.999))

      assert.deepStrictEqual(changes, [])
    })

    it.test("sweeps each lease once of ten sweeps at once", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* Effect.forEach([1, 2, 3], () => makeStartedRun(tenant))

      const rounds = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => swept(sweeps.expireLeases, tenant, second(62)),
        { concurrency: "unbounded" }
      )

      const ids = rounds.flat().map(({ run }) => run.execution.id)
      assert.strictEqual(ids.length, 3)
      assert.strictEqual(new Set(ids).size, 3)
    })

    it.test("sweeps up to the limit in one round", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* Effect.forEach([1, 2, 3], () => makeStartedRun(tenant))

      const changes = yield* sweeps.expireLeases({ at: second(62), limit: 2 })

      assert.strictEqual(changes.length, 2)
    })

    it.test("ends an attempt that used up its time", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const { run } = yield* makeStartedRun(tenant, { timeoutSeconds: 10, maxAttempts: 2 })

      const early = yield* swept(sweeps.timeOutRuns, tenant, second(11.999))
      const changes = yield* swept(sweeps.timeOutRuns, tenant, second(12))

      assert.deepStrictEqual(early, [])
      assert.strictEqual(changes.length, 1)
      for (const change of changes) {
        assert.deepInclude(change.run.execution, {
          status: "error",
          errorMessage: "timed out after 10 seconds",
          epoch: run.execution.epoch + 1
        })
      }
    })

    it.test("does not count the wait for an answer to an attempt's time", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* makeAskingRun(tenant, { execution: { timeoutSeconds: 10 } })

      const changes = yield* swept(sweeps.timeOutRuns, tenant, second(40))

      assert.deepStrictEqual(changes, [])
    })

    it.effect.each([
      ["error", { status: "error", errorMessage: 'input "code" was not answered in time' }],
      ["cancel", { status: "cancelled", statusReason: 'input "code" was not answered in time' }],
      ["default", { status: "running", errorMessage: null }]
    ] as const)("does what was said for a question without an answer: %s", ([onTimeout, expected]) =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const executions = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const { run } = yield* makeAskingRun(tenant, { question: { onTimeout, defaultValue: { pin: 0 } } })
        const { accountId, id } = run.execution

        const early = yield* swept(sweeps.expireInputs, tenant, second(62.999))
        const changes = yield* swept(sweeps.expireInputs, tenant, second(63))

        assert.deepStrictEqual(early, [])
        assert.strictEqual(changes.length, 1)
        for (const change of changes)
          assert.deepInclude(change.run.execution, { ...expected, inputRequest: null })
        const values = (yield* executions.inputs(accountId, id)).map(({ value }) => value)
        assert.deepStrictEqual(values, [onTimeout === "default" ? { pin: 0 } : null])
      })
    )

    it.test("queues work that released its runner with the default when no answer comes", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeAskingRun(tenant, {
        question: { mode: "release", onTimeout: "default" }
      })

      yield* swept(sweeps.expireInputs, tenant, second(63))

      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(63) })
      assert.deepStrictEqual(idsOf(claims), [run.execution.id])
    })

    it.test("cancels executions that were not started in time, held and claimed ones too", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const expiresAt = second(20)
      const queued = yield* makeExecution(tenant, { expiresAt, scheduledAt: second(90), callbackUrl })
      const held = yield* makeExecution(tenant, { expiresAt, status: "pending" })
      const { run: claimed } = yield* makeClaimedRun(tenant, { expiresAt })

      const early = yield* swept(sweeps.expireExecutions, tenant, second(19.999))
      const changes = yield* swept(sweeps.expireExecutions, tenant, second(20))

      assert.deepStrictEqual(early, [])
      const ids = changes.map(({ run }) => run.execution.id)
      assert.deepStrictEqual(ids.toSorted(), [queued.id, held.id, claimed.execution.id].toSorted())
      for (const { run } of changes) {
        assert.deepInclude(run.execution, {
          status: "cancelled",
          statusReason: "not started before expires_at"
        })
      }
      assert.deepStrictEqual(yield* eventsOf(queued), ["execution.queued", "execution.aborted"])
    })

    it.test("cancels no execution that was started in time, also while it is queued again", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* makeStartedRun(tenant, { expiresAt: second(20) })
      const { run, session } = yield* makeStartedRun(tenant, { expiresAt: second(20), maxAttempts: 2 })
      yield* swept(sweeps.expireLeases, tenant, second(62))

      const changes = yield* swept(sweeps.expireExecutions, tenant, second(63))

      assert.deepStrictEqual(changes, [])
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(63) })
      assert.deepStrictEqual(idsOf(claims), [run.execution.id])
    })
  })
