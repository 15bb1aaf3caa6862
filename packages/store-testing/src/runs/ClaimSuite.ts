/** What every RunStore does when runners ask for work. */
import { assert } from "@effect/vitest"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent } from "../catalog/CatalogFixtures.ts"
import { makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, idsOf, makeSession, startDeadline } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunStore claim", { layer, name }, (it) => {
    it.test("claims a run under a new epoch, with what its runner must know of the task", function* () {
      const tenant = yield* makeTenant()
      const execution = yield* makeExecution(tenant)
      const session = yield* makeSession(tenant)

      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(1) })

      assert.deepStrictEqual(idsOf(claims), [execution.id])
      for (const { run, task, version } of claims) {
        assert.deepStrictEqual(run.execution, { ...execution, epoch: 1, updatedAt: second(1) })
        assert.deepInclude(run.lease, { sessionId: session.id, epoch: 1, expiresAt: second(61) })
        assert.strictEqual(task.id, tenant.taskId)
        assert.deepInclude(version, { id: tenant.taskVersionId, number: 1 })
      }
    })

    it.test("orders by priority, then due time, then creation", function* () {
      const tenant = yield* makeTenant({ capacity: 10 })
      const low = yield* makeExecution(tenant, { priority: -5 })
      const second2 = yield* makeExecution(tenant, { createdAt: second(2) })
      const deferred = yield* makeExecution(tenant, { createdAt: second(1), scheduledAt: second(3) })
      const high = yield* makeExecution(tenant, { priority: 5, createdAt: second(4) })
      const first = yield* makeExecution(tenant, { createdAt: second(1) })
      const alsoFirst = yield* makeExecution(tenant, { createdAt: second(1) })

      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 10, at: second(9) })

      const equals = [first.id, alsoFirst.id].toSorted()
      assert.deepStrictEqual(idsOf(claims), [high.id, ...equals, second2.id, deferred.id, low.id])
    })

    it.test("orders over all agents of the session", function* () {
      const tenant = yield* makeTenant()
      const other = { ...tenant, agentId: (yield* makeAgent(tenant.accountId, { capacity: 5 })).id }
      const created = yield* Effect.forEach([4, 3, 2, 1], (priority) =>
        makeExecution(priority % 2 === 0 ? tenant : other, { priority })
      )

      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 3, at: second(1) })

      assert.deepStrictEqual(
        idsOf(claims),
        created.slice(0, 3).map(({ id }) => id)
      )
    })

    it.test("gives nothing before it is due, and says when that is to who found nothing", function* () {
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant, { scheduledAt: second(200), priority: 9 })
      const { id } = yield* makeExecution(tenant, { scheduledAt: second(100) })
      const due = yield* makeExecution(tenant)
      const session = yield* makeSession(tenant)

      const claimAt = (at: number) =>
        Effect.map(claimUpTo(session, { limit: 5, at: second(at) }), ({ claims, nextDueAt }) => [
          idsOf(claims),
          nextDueAt
        ])

      const answers = [
        yield* claimAt(99.999),
        yield* claimAt(99.999),
        yield* claimAt(100),
        yield* claimAt(100)
      ]

      assert.deepStrictEqual(answers, [
        [[due.id], null],
        [[], second(100)],
        [[id], null],
        [[], second(200)]
      ])
    })

    it.test("says whether more is due, to who finds nothing since the agent is full as well", function* () {
      const tenant = yield* makeTenant({ capacity: 1 })
      yield* makeExecution(tenant)
      yield* makeExecution(tenant)
      const session = yield* makeSession(tenant)
      yield* claimUpTo(session, { limit: 1, at: second(1) })

      const full = yield* claimUpTo(session, { limit: 1, at: second(2) })
      const empty = yield* claimUpTo(yield* makeSession(yield* makeTenant()), { limit: 1, at: second(2) })

      assert.deepStrictEqual(full, { claims: [], isMoreDue: true, nextDueAt: null })
      assert.isFalse(empty.isMoreDue)
    })

    it.test("gives nothing whose time to start is over", function* () {
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant, { expiresAt: second(10), priority: 9 })
      const { id } = yield* makeExecution(tenant, { expiresAt: second(11) })

      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 5, at: second(10) })

      assert.deepStrictEqual(idsOf(claims), [id])
    })

    it.test("gives ten racing claimers each run once, and no agent more than its capacity", function* () {
      const tenant = yield* makeTenant({ capacity: 5 })
      yield* Effect.forEach(Array.from({ length: 20 }), () => makeExecution(tenant))
      const sessions = yield* Effect.forEach(Array.from({ length: 10 }), () => makeSession(tenant))

      const answers = yield* Effect.forEach(
        sessions,
        (session) => claimUpTo(session, { limit: 3, at: second(1) }),
        {
          concurrency: "unbounded"
        }
      )

      const ids = answers.flatMap(({ claims }) => idsOf(claims))
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.strictEqual(ids.length, 5)
    })

    it.test("gives every run to some claimer when there is room for all", function* () {
      const tenant = yield* makeTenant({ capacity: 100 })
      const created = yield* Effect.forEach(Array.from({ length: 30 }), () => makeExecution(tenant))
      const sessions = yield* Effect.forEach(Array.from({ length: 10 }), () => makeSession(tenant))

      const rounds = yield* Effect.forEach([1, 2], (round) =>
        Effect.forEach(sessions, (session) => claimUpTo(session, { limit: 3, at: second(round) }), {
          concurrency: "unbounded"
        })
      )

      const ids = rounds.flat().flatMap(({ claims }) => idsOf(claims))
      assert.deepStrictEqual(ids.toSorted(), created.map(({ id }) => id).toSorted())
    })

    it.test("answers a repeated claim with the same runs, and no others", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      yield* Effect.forEach([1, 2, 3], (priority) => makeExecution(tenant, { priority }))
      const session = yield* makeSession(tenant)
      const claim = { session, claimId: "claim-1", limit: 2, startDeadline, at: second(1) }
      const first = yield* store.claim(claim)

      const again = yield* store.claim({ ...claim, limit: 3, at: second(2) })

      assert.strictEqual(first.claims.length, 2)
      assert.deepStrictEqual(again.claims, first.claims)
    })

    it.test("keeps equal claim ids of two sessions apart", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      yield* Effect.forEach([1, 2], (priority) => makeExecution(tenant, { priority }))
      const claim = { claimId: "claim-1", limit: 1, startDeadline, at: second(1) }
      const first = yield* store.claim({ ...claim, session: yield* makeSession(tenant) })

      const other = yield* store.claim({ ...claim, session: yield* makeSession(tenant) })

      assert.strictEqual(other.claims.length, 1)
      assert.notDeepEqual(idsOf(other.claims), idsOf(first.claims))
    })

    it.test("takes new runs for a claim id whose leases have run out", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      yield* Effect.forEach([1, 2], (priority) => makeExecution(tenant, { priority }))
      const claim = { session: yield* makeSession(tenant), claimId: "claim-1", limit: 1, startDeadline }
      const first = yield* store.claim({ ...claim, startDeadline: Duration.seconds(5), at: second(1) })

      const later = yield* store.claim({ ...claim, at: second(6) })

      assert.strictEqual(later.claims.length, 1)
      assert.notDeepEqual(idsOf(later.claims), idsOf(first.claims))
    })

    it.effect.each(["paused", "disabled"] as const)("gives no runs of an agent that is %s", (state) =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant({ state })
        yield* makeExecution(tenant)
        yield* makeExecution(tenant, { scheduledAt: second(100) })

        const claim = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(1) })

        assert.deepStrictEqual(claim, { claims: [], isMoreDue: false, nextDueAt: null })
      })
    )

    it.test("gives only runs of the agents that the session serves", function* () {
      const tenant = yield* makeTenant()
      const agentId = (yield* makeAgent(tenant.accountId)).id
      yield* makeExecution(tenant)
      const { id } = yield* makeExecution({ ...tenant, agentId })

      const { claims } = yield* claimUpTo(yield* makeSession(tenant, { agentIds: [agentId] }), {
        limit: 5,
        at: second(1)
      })

      assert.deepStrictEqual(idsOf(claims), [id])
    })

    it.test("gives no runs of another account, even to a session that names its agent", function* () {
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant)
      const session = yield* makeSession(yield* makeTenant(), { agentIds: [tenant.agentId] })

      const { claims } = yield* claimUpTo(session, { limit: 5, at: second(1) })

      assert.deepStrictEqual(claims, [])
    })

    it.test("finds no session that was left", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      yield* makeExecution(tenant)
      const session = yield* makeSession(tenant)
      yield* store.closeSession({ accountId: tenant.accountId, id: session.id, at: second(1) })

      const error = yield* Effect.flip(claimUpTo(session, { limit: 1, at: second(2) }))

      assert.strictEqual(error._tag, "SessionNotFound")
      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(2) })
      assert.strictEqual(claims.length, 1)
    })
  })
