import { assert, describe, it } from "@effect/vitest"
import { statusOf } from "@runhook/core/domain/catalog/Agent"
import { Agents } from "@runhook/core/usecases/Agents"
import { Executions } from "@runhook/core/usecases/Executions"
import { RunnerKeys } from "@runhook/core/usecases/RunnerKeys"
import { second } from "@runhook/store-testing/Fixtures"
import { engine } from "@runhook/test-support/engine/Engine"
import { makeClaimedRun, makeRunner, pollNow } from "@runhook/test-support/engine/Runner"
import { makeAgent, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

describe("Agents", () => {
  it.effect("shows who serves an agent and how busy it is", () =>
    Effect.gen(function* () {
      const agents = yield* Agents
      const tenant = yield* makeTenant()
      const before = yield* agents.get(tenant.agent)
      yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
      yield* makeExecution(tenant)

      const view = yield* agents.get(tenant.agent)

      assert.deepStrictEqual([before, view].map(statusOf), ["offline", "online"])
      assert.deepInclude(view, { busy: 1, queued: 1, lastSeenAt: second(0) })
    }).pipe(Effect.provide(engine))
  )

  it.effect("counts an agent as draining when all its runners are, and as offline when they are silent", () =>
    Effect.gen(function* () {
      const agents = yield* Agents
      const tenant = yield* makeTenant()
      yield* pollNow(yield* makeRunner(tenant), { isDraining: true })
      const draining = yield* agents.get(tenant.agent)
      yield* TestClock.adjust("60 seconds")

      const silent = yield* agents.get(tenant.agent)

      assert.deepStrictEqual([draining, silent].map(statusOf), ["draining", "offline"])
    }).pipe(Effect.provide(engine))
  )

  it.effect("removes an agent only when nothing unfinished is left for it", () =>
    Effect.gen(function* () {
      const agents = yield* Agents
      const tenant = yield* makeTenant()
      const execution = yield* makeExecution(tenant)
      const refusal = yield* Effect.flip(agents.remove(tenant.agent))
      yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

      yield* agents.remove(tenant.agent)

      assert.strictEqual(refusal._tag, "AgentInUse")
      assert.strictEqual((yield* Effect.flip(agents.get(tenant.agent)))._tag, "AgentNotFound")
    }).pipe(Effect.provide(engine))
  )

  it.effect("lists the agents that a key may use, and none of another account", () =>
    Effect.gen(function* () {
      const agents = yield* Agents
      const [{ agent }, stranger] = [yield* makeTenant(), yield* makeTenant()]
      const other = yield* makeAgent(agent)
      const { accountId } = agent
      const page = { after: null, limit: 10 }

      const all = yield* agents.list({ accountId, ids: null }, page)
      const some = yield* agents.list({ accountId, ids: [other.id, stranger.agent.id] }, page)

      assert.deepStrictEqual(
        all.items.map((view) => view.agent.id),
        [other.id, agent.id]
      )
      assert.deepStrictEqual(
        some.items.map((view) => view.agent.id),
        [other.id]
      )
    }).pipe(Effect.provide(engine))
  )
})

describe("RunnerKeys", () => {
  it.effect("serve agents of their account only", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
      const request = {
        accountId: tenant.caller.accountId,
        name: "Machine room",
        agentIds: [tenant.agent.id, stranger.agent.id]
      }

      const error = yield* Effect.flip((yield* RunnerKeys).create(request))

      assert.deepInclude(error, { _tag: "AgentNotFound", id: stranger.agent.id })
    }).pipe(Effect.provide(engine))
  )
})
