/** What every AgentStore does. */
import { assert } from "@effect/vitest"
import { statusOf } from "@runhook/core/domain/catalog/Agent"
import { AgentId, newId } from "@runhook/core/domain/Ids"
import { presence } from "@runhook/core/domain/run/RunnerSession"
import { AgentStore } from "@runhook/core/ports/AgentStore"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { anExecution, aTenant, type Stores, second, type Tenant } from "../Fixtures.ts"
import { aSession, aStartedRun, claimUpTo } from "../runs/RunFixtures.ts"
import { anAccount, anAgent } from "./CatalogFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** The tenant's agent as it is at an instant. */
const seen = ({ accountId, agentId: id }: Tenant, at: DateTime.Utc) =>
  AgentStore.use((store) => store.get({ accountId, id, at }))

const stop = (
  { accountId }: Tenant,
  { id }: { readonly id: Parameters<ExecutionStore["Service"]["get"]>[1] }
) =>
  ExecutionStore.use((store) => store.stop({ accountId, id, to: "cancelled", reason: null, at: second(9) }))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("AgentStore", { layer, name }, (it) => {
    it.test("gives an agent back as it was created, idle and alone", function* () {
      const store = yield* AgentStore
      const { id: accountId } = yield* anAccount()
      const agent = yield* anAgent(accountId, { labels: { region: "eu" }, capacity: 7, state: "paused" })

      const view = yield* store.get({ accountId, id: agent.id, at: second(0) })

      assert.deepStrictEqual(view, { agent, busy: 0, queued: 0, runners: [], lastSeenAt: null })
      assert.deepStrictEqual(yield* store.find(accountId, agent.id), agent)
    })

    it.test("answers for another account's agent as for one that does not exist", function* () {
      const store = yield* AgentStore
      const { id: owner } = yield* anAccount()
      const { id: accountId } = yield* anAccount()
      const foreign = yield* anAgent(owner)
      const at = second(0)

      for (const id of [foreign.id, yield* newId(AgentId)]) {
        const errors = yield* Effect.all([
          store.find(accountId, id).pipe(Effect.flip),
          store.get({ accountId, id, at }).pipe(Effect.flip),
          store.update({ accountId, id, change: { name: "Mine" }, at }).pipe(Effect.flip),
          store.remove({ accountId, id }).pipe(Effect.flip)
        ])

        assert.deepStrictEqual([...new Set(errors.map(({ _tag }) => _tag))], ["AgentNotFound"])
      }
      const { agent } = yield* store.get({ accountId: owner, id: foreign.id, at })
      assert.deepStrictEqual(agent, foreign)
    })

    it.test("lists only the agents asked for, each as it is seen alone", function* () {
      const store = yield* AgentStore
      const tenant = yield* aTenant()
      yield* aStartedRun(tenant)
      yield* anExecution(tenant)
      yield* anAgent(tenant.accountId)
      const foreign = yield* aTenant()
      const { accountId, agentId } = tenant
      const at = second(2)
      const wanted = (ids: ReadonlyArray<AgentId>) =>
        store.list({ accountId, ids, at }, { after: null, limit: 10 })

      const page = yield* wanted([agentId, foreign.agentId])

      assert.deepStrictEqual(page, { items: [yield* seen(tenant, at)], hasMore: false })
      assert.deepStrictEqual(yield* wanted([]), { items: [], hasMore: false })
    })

    it.test("changes what it is told to and nothing else", function* () {
      const store = yield* AgentStore
      const { id: accountId } = yield* anAccount()
      const agent = yield* anAgent(accountId, { labels: { region: "eu" } })
      const at = DateTime.add(agent.createdAt, { minutes: 1 })
      const change = { capacity: 9, state: "disabled", labels: { zone: "b" } } as const

      const view = yield* store.update({ accountId, id: agent.id, change, at })

      assert.deepStrictEqual(view.agent, { ...agent, ...change, updatedAt: at })
      assert.deepStrictEqual(yield* store.get({ accountId, id: agent.id, at }), view)
    })

    it.test(
      "counts leases as busy and unclaimed executions as queued, also deferred ones and those without a seat",
      function* () {
        const tenant = yield* aTenant({ capacity: 2 })
        yield* anExecution(tenant, { scheduledAt: second(3_600) })
        yield* anExecution(tenant, { concurrency: { key: "customer 42", limit: 1, policy: "queue" } })
        yield* anExecution(tenant, { status: "pending" })
        yield* stop(tenant, yield* anExecution(tenant))
        yield* Effect.all(Array.from({ length: 3 }, () => anExecution(tenant)))
        const session = yield* aSession(tenant)
        yield* claimUpTo(session, { limit: 10, at: second(1) })
        yield* anExecution({ ...tenant, agentId: (yield* anAgent(tenant.accountId)).id })

        const { busy, queued } = yield* seen(tenant, second(1))

        assert.deepStrictEqual({ busy, queued }, { busy: 2, queued: 3 })
      }
    )

    it.test("is not busy with what has ended", function* () {
      const tenant = yield* aTenant()
      const { run } = yield* aStartedRun(tenant)
      const { busy: before } = yield* seen(tenant, second(2))

      yield* stop(tenant, run.execution)

      const { busy: after } = yield* seen(tenant, second(9))
      assert.deepStrictEqual([before, after], [1, 0])
    })

    it.test("shows the present runners that serve it, and when it was last served", function* () {
      const tenant = yield* aTenant()
      const { id: other } = yield* anAgent(tenant.accountId)
      yield* aSession(yield* aTenant(), { lastSeenAt: second(50) })
      yield* aSession(tenant, { agentIds: [other], lastSeenAt: second(40) })
      yield* aSession(tenant, {
        agentIds: [tenant.agentId, other],
        lastSeenAt: second(30),
        isDraining: true
      })
      yield* aSession(tenant, { agentIds: null, lastSeenAt: second(10) })
      const absentAt = DateTime.addDuration(second(10), presence)

      const [both, one, none] = yield* Effect.all([
        seen(tenant, DateTime.subtract(absentAt, { milliseconds: 1 })),
        seen(tenant, absentAt),
        seen(tenant, DateTime.add(absentAt, { seconds: 20 }))
      ])

      assert.sameDeepMembers([...both.runners], [{ isDraining: true }, { isDraining: false }])
      assert.deepStrictEqual(one.runners, [{ isDraining: true }])
      assert.deepStrictEqual(none.runners, [])
      assert.deepStrictEqual([both, one, none].map(statusOf), ["online", "draining", "offline"])
      for (const { lastSeenAt } of [both, one, none]) assert.deepStrictEqual(lastSeenAt, second(30))
    })

    it.test("is not served by a session that was closed", function* () {
      const tenant = yield* aTenant()
      const runs = yield* RunStore
      const { id } = yield* aSession(tenant)

      yield* runs.closeSession({ accountId: tenant.accountId, id, at: second(1) })

      const { runners } = yield* seen(tenant, second(1))
      assert.deepStrictEqual(runners, [])
    })

    it.test("is not removed while it has unfinished executions, of any kind", function* () {
      const store = yield* AgentStore
      const held = yield* aTenant()
      yield* anExecution(held, { status: "pending" })
      const queued = yield* aTenant()
      yield* anExecution(queued)
      const running = yield* aTenant()
      yield* aStartedRun(running)

      for (const tenant of [held, queued, running]) {
        const { accountId, agentId: id } = tenant
        const error = yield* store.remove({ accountId, id }).pipe(Effect.flip)

        assert.strictEqual(error._tag, "AgentInUse")
        assert.strictEqual((yield* seen(tenant, second(2))).agent.id, id)
      }
    })

    it.test("is removed when its executions have ended, which keep its id", function* () {
      const store = yield* AgentStore
      const executions = yield* ExecutionStore
      const tenant = yield* aTenant()
      const { accountId, agentId } = tenant
      const { id } = yield* anExecution(tenant)
      yield* stop(tenant, { id })

      yield* store.remove({ accountId, id: agentId })

      const error = yield* seen(tenant, second(9)).pipe(Effect.flip)
      assert.strictEqual(error._tag, "AgentNotFound")
      assert.strictEqual((yield* executions.get(accountId, id)).agentId, agentId)
    })
  })
