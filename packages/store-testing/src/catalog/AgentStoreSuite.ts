/** What every AgentStore does. */
import { assert } from "@effect/vitest"
import { statusOf } from "@runhook/core/catalog/Agent"
import { AgentId, newId } from "@runhook/core/shared/Ids"
import { presence } from "@runhook/core/runs/sessions/RunnerSession"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeExecution, makeTenant, second, type Stores, type Tenant } from "../Fixtures.ts"
import { claimUpTo, makeSession, makeStartedRun } from "../runs/RunFixtures.ts"
import { makeAccount, makeAgent } from "./CatalogFixtures.ts"
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
      const { id: accountId } = yield* makeAccount()
      const agent = yield* makeAgent(accountId, { labels: { region: "eu" }, capacity: 7, state: "paused" })

      const view = yield* store.get({ accountId, id: agent.id, at: second(0) })

      assert.deepStrictEqual(view, { agent, busy: 0, queued: 0, runners: [], lastSeenAt: null })
      assert.deepStrictEqual(yield* store.find(accountId, agent.id), agent)
    })

    it.test("answers for another account's agent as for one that does not exist", function* () {
      const store = yield* AgentStore
      const { id: owner } = yield* makeAccount()
      const { id: accountId } = yield* makeAccount()
      const foreign = yield* makeAgent(owner)
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
      const tenant = yield* makeTenant()
      yield* makeStartedRun(tenant)
      yield* makeExecution(tenant)
      yield* makeAgent(tenant.accountId)
      const foreign = yield* makeTenant()
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
      const { id: accountId } = yield* makeAccount()
      const agent = yield* makeAgent(accountId, { labels: { region: "eu" } })
      const at = DateTime.add(agent.createdAt, { minutes: 1 })
      const change = { capacity: 9, state: "disabled", labels: { zone: "b" } } as const

      const view = yield* store.update({ accountId, id: agent.id, change, at })

      assert.deepStrictEqual(view.agent, { ...agent, ...change, updatedAt: at })
      assert.deepStrictEqual(yield* store.get({ accountId, id: agent.id, at }), view)
    })

    it.test(
      "counts leases as busy and unclaimed executions as queued, also deferred ones and those without a seat",
      function* () {
        const tenant = yield* makeTenant({ capacity: 2 })
        yield* makeExecution(tenant, { scheduledAt: second(3_600) })
        yield* makeExecution(tenant, { concurrency: { key: "customer 42", limit: 1, policy: "queue" } })
        yield* makeExecution(tenant, { status: "pending" })
        yield* stop(tenant, yield* makeExecution(tenant))
        yield* Effect.all(Array.from({ length: 3 }, () => makeExecution(tenant)))
        const session = yield* makeSession(tenant)
        yield* claimUpTo(session, { limit: 10, at: second(1) })
        yield* makeExecution({ ...tenant, agentId: (yield* makeAgent(tenant.accountId)).id })

        const { busy, queued } = yield* seen(tenant, second(1))

        assert.deepStrictEqual({ busy, queued }, { busy: 2, queued: 3 })
      }
    )

    it.test("is not busy with what has ended", function* () {
      const tenant = yield* makeTenant()
      const { run } = yield* makeStartedRun(tenant)
      const { busy: before } = yield* seen(tenant, second(2))

      yield* stop(tenant, run.execution)

      const { busy: after } = yield* seen(tenant, second(9))
      assert.deepStrictEqual([before, after], [1, 0])
    })

    it.test("shows the present runners that serve it, and when it was last served", function* () {
      const tenant = yield* makeTenant()
      const { id: other } = yield* makeAgent(tenant.accountId)
      yield* makeSession(yield* makeTenant(), { lastSeenAt: second(50) })
      yield* makeSession(tenant, { agentIds: [other], lastSeenAt: second(40) })
      yield* makeSession(tenant, {
        agentIds: [tenant.agentId, other],
        lastSeenAt: second(30),
        isDraining: true
      })
      yield* makeSession(tenant, { agentIds: null, lastSeenAt: second(10) })
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
      const tenant = yield* makeTenant()
      const runs = yield* RunStore
      const { id } = yield* makeSession(tenant)

      yield* runs.closeSession({ accountId: tenant.accountId, id, at: second(1) })

      const { runners } = yield* seen(tenant, second(1))
      assert.deepStrictEqual(runners, [])
    })

    it.test("is not removed while it has unfinished executions, of any kind", function* () {
      const store = yield* AgentStore
      const held = yield* makeTenant()
      yield* makeExecution(held, { status: "pending" })
      const queued = yield* makeTenant()
      yield* makeExecution(queued)
      const running = yield* makeTenant()
      yield* makeStartedRun(running)

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
      const tenant = yield* makeTenant()
      const { accountId, agentId } = tenant
      const { id } = yield* makeExecution(tenant)
      yield* stop(tenant, { id })

      yield* store.remove({ accountId, id: agentId })

      const error = yield* seen(tenant, second(9)).pipe(Effect.flip)
      assert.strictEqual(error._tag, "AgentNotFound")
      assert.strictEqual((yield* executions.get(accountId, id)).agentId, agentId)
    })
  })
