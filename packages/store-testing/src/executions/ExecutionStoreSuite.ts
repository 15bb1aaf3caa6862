/** What every ExecutionStore does with one execution: keep it, stop it, release it. */
import { assert } from "@effect/vitest"
import { InputId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { KeyScope } from "@runhook/core/keys/KeyScope"
import type { Change } from "@runhook/core/runs/Run"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  callbackUrl,
  eventsOf,
  idAt,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import {
  claimUpTo,
  idsOf,
  makeAskingRun,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  writeTo
} from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ExecutionStore", { layer, name }, (it) => {
    it.test("gives an execution back as it was created, its first event noted", function* () {
      const store = yield* ExecutionStore
      const execution = yield* newExecution(yield* makeTenant(), {
        reference: "Ærø 🚲",
        params: StoredJson.of({ nested: [{ deep: null }, 1.5, "text"] }),
        priority: -7,
        scheduledAt: second(60),
        expiresAt: second(120),
        timeoutSeconds: 30,
        callbackUrl,
        callbackEvents: ["execution.completed"]
      })
      const { change } = yield* store.create({ ...unlimited, execution })

      const found = yield* store.get(execution.accountId, execution.id)

      assert.deepStrictEqual(found, execution)
      assert.deepStrictEqual(change.run.execution, found)
      assert.isTrue(change.changed)
    })

    it.test("shares nothing with whoever gave it an execution", function* () {
      const store = yield* ExecutionStore
      const params = { nested: { count: 1 } }
      const { accountId, id } = yield* makeExecution(yield* makeTenant(), { params: StoredJson.of(params) })

      params.nested.count = 2

      assert.deepStrictEqual((yield* store.get(accountId, id)).params.value, { nested: { count: 1 } })
    })

    it.test("hides an execution from another account", function* () {
      const store = yield* ExecutionStore
      const { id } = yield* makeExecution(yield* makeTenant())
      const { accountId } = yield* makeTenant()
      const ref = { accountId, id, at: second(1) }
      const inputId = yield* idAt(InputId, second(1))

      const errors = yield* Effect.all([
        Effect.flip(store.get(accountId, id)),
        Effect.flip(store.stop({ ...ref, to: "aborted", reason: null })),
        Effect.flip(store.release(ref)),
        Effect.flip(store.inputs(accountId, id)),
        Effect.flip(store.answer({ ...ref, inputId, value: 1 }))
      ])

      for (const error of errors) assert.strictEqual(error._tag, "ExecutionNotFound")
    })

    it.test("leaves an execution as it is that is out of the scope of who changes it", function* () {
      const store = yield* ExecutionStore
      const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
      const held = yield* makeExecution(tenant, { status: "pending" })
      const { input, run } = yield* makeAskingRun(tenant)
      const tasks: KeyScope = { taskIds: [other.taskId], agentIds: null }
      const agents: KeyScope = { taskIds: [tenant.taskId], agentIds: [] }
      const own: KeyScope = { taskIds: [other.taskId, tenant.taskId], agentIds: [tenant.agentId] }
      const changes = (scope: KeyScope): ReadonlyArray<Effect.Effect<Change, { readonly _tag: string }>> => {
        const options = { accountId: tenant.accountId, id: held.id, at: second(9), scope }
        const ofAsking = { ...options, id: run.execution.id, inputId: input.id }
        return [
          store.reschedule({ ...options, change: { priority: 7 } }),
          store.release(options),
          store.answer({ ...ofAsking, value: "42" }),
          store.stop({ ...options, to: "aborted", reason: null })
        ]
      }
      const before = yield* store.get(tenant.accountId, held.id)

      const refusals = yield* Effect.forEach([...changes(tasks), ...changes(agents)], (change) =>
        Effect.flip(change)
      )
      const after = yield* store.get(tenant.accountId, held.id)
      const made = yield* Effect.all(changes(own))

      for (const refusal of refusals) assert.strictEqual(refusal._tag, "OutOfScope")
      assert.deepStrictEqual(after, before)
      assert.deepStrictEqual((yield* store.inputs(tenant.accountId, run.execution.id))[0]?.value, "42")
      assert.isTrue(made.every(({ changed }) => changed))
    })

    it.test("stops a queued execution, so that no runner claims it", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { accountId, id } = yield* makeExecution(tenant)

      const { run } = yield* store.stop({
        accountId,
        id,
        to: "cancelled",
        reason: "spring cleaning",
        at: second(1)
      })

      assert.deepStrictEqual(yield* store.get(accountId, id), run.execution)
      assert.strictEqual(run.execution.status, "cancelled")
      assert.strictEqual(run.execution.statusReason, "spring cleaning")
      assert.deepStrictEqual(run.execution.stoppedAt, second(1))
      assert.deepStrictEqual(
        (yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(2) })).claims,
        []
      )
    })

    it.test("takes a stopped execution from the session that ran it", function* () {
      const store = yield* ExecutionStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, epoch, id } = run.execution

      const change = yield* store.stop({ accountId, id, to: "aborted", reason: null, at: second(5) })

      assert.strictEqual(change.releasedFrom, session.id)
      assert.isNull(change.run.lease)
      assert.isAbove(change.run.execution.epoch, epoch)
    })

    it.test("lets one of twenty concurrent stops win", function* () {
      const store = yield* ExecutionStore
      const { accountId, id } = yield* makeExecution(yield* makeTenant(), { callbackUrl })
      const stop = store.stop({ accountId, id, to: "aborted", reason: null, at: second(1) })

      const changes = yield* Effect.all(
        Array.from({ length: 20 }, () => stop),
        { concurrency: "unbounded" }
      )

      assert.strictEqual(changes.filter(({ changed }) => changed).length, 1)
      for (const { run } of changes) assert.strictEqual(run.execution.status, "aborted")
      assert.deepStrictEqual(yield* eventsOf({ accountId, id }), ["execution.queued", "execution.aborted"])
    })

    it.test("keeps a finished execution as it is", function* () {
      const store = yield* ExecutionStore
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), { callbackUrl })
      const outcome = { _tag: "Completed", result: StoredJson.of({ sum: 3 }) } as const
      const finished = yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })
      const { accountId, id } = run.execution

      const change = yield* store.stop({
        accountId,
        id,
        to: "aborted",
        reason: "too late",
        at: second(9)
      })

      assert.isFalse(change.changed)
      assert.isNull(change.event)
      assert.deepStrictEqual(change.run.execution, finished.run.execution)
      assert.deepStrictEqual(yield* store.get(accountId, id), finished.run.execution)
    })

    it.test("gives a held execution to no runner", function* () {
      const tenant = yield* makeTenant()
      const { status } = yield* makeExecution(tenant, { status: "pending" })

      const claim = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(10) })

      assert.strictEqual(status, "pending")
      assert.deepStrictEqual(claim, { claims: [], isMoreDue: false, nextDueAt: null })
    })

    it.test("queues a held execution when it is released, once", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { accountId, id } = yield* makeExecution(tenant, { status: "pending", callbackUrl })
      const release = store.release({ accountId, id, at: second(5) })

      const changes = yield* Effect.all([release, release, release], { concurrency: "unbounded" })

      assert.strictEqual(changes.filter(({ changed }) => changed).length, 1)
      assert.deepStrictEqual(yield* eventsOf({ accountId, id }), ["execution.queued"])
      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(5) })
      assert.deepStrictEqual(idsOf(claims), [id])
    })

    it.test("keeps the scheduled time of a held execution", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { accountId, id } = yield* makeExecution(tenant, {
        status: "pending",
        scheduledAt: second(100)
      })
      const session = yield* makeSession(tenant)

      const { run } = yield* store.release({ accountId, id, at: second(5) })

      assert.deepStrictEqual(run.dueAt, second(100))
      assert.deepStrictEqual((yield* claimUpTo(session, { limit: 1, at: second(99) })).claims, [])
      assert.deepStrictEqual(idsOf((yield* claimUpTo(session, { limit: 1, at: second(100) })).claims), [id])
    })

    it.test("releases nothing that is not held", function* () {
      const store = yield* ExecutionStore
      const { run } = yield* makeClaimedRun(yield* makeTenant())
      const { accountId, id } = run.execution

      const change = yield* store.release({ accountId, id, at: second(5) })

      assert.isFalse(change.changed)
      assert.deepStrictEqual(change.run, run)
    })
  })
