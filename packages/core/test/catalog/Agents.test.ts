import { assert, describe } from "@effect/vitest"
import { statusOf } from "@runhook/core/catalog/Agent"
import { Agents } from "@runhook/core/catalog/Agents"
import { Executions } from "@runhook/core/executions/Executions"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { makeClaimedRun, makeRunner, pollNow } from "@runhook/test-support/engine/Runner"
import { makeAgent, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

describe("Agents", () => {
  test("shows who serves an agent and how busy it is", function* () {
    const agents = yield* Agents
    const tenant = yield* makeTenant()
    const before = yield* agents.get(tenant.agent)
    yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    yield* makeExecution(tenant)

    const view = yield* agents.get(tenant.agent)

    assert.deepStrictEqual([before, view].map(statusOf), ["offline", "online"])
    assert.deepInclude(view, { busy: 1, queued: 1, lastSeenAt: second(0) })
  })

  test("counts an agent as draining when all its runners are, and as offline when they are silent", function* () {
    const agents = yield* Agents
    const tenant = yield* makeTenant()
    yield* pollNow(yield* makeRunner(tenant), { isDraining: true })
    const draining = yield* agents.get(tenant.agent)
    yield* TestClock.adjust("60 seconds")

    const silent = yield* agents.get(tenant.agent)

    assert.deepStrictEqual([draining, silent].map(statusOf), ["draining", "offline"])
  })

  test("removes an agent only when nothing unfinished is left for it", function* () {
    const agents = yield* Agents
    const tenant = yield* makeTenant()
    const execution = yield* makeExecution(tenant)
    const refusal = yield* Effect.flip(agents.remove(tenant.agent))
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    yield* agents.remove(tenant.agent)

    assert.strictEqual(refusal._tag, "AgentInUse")
    assert.strictEqual((yield* Effect.flip(agents.get(tenant.agent)))._tag, "AgentNotFound")
  })

  test("lists the agents that a key may use, and none of another account", function* () {
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
  })
})

describe("RunnerKeys", () => {
  test("serve agents of their account only", function* () {
    const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
    const request = {
      accountId: tenant.caller.accountId,
      name: "Machine room",
      agentIds: [tenant.agent.id, stranger.agent.id]
    }

    const error = yield* Effect.flip((yield* RunnerKeys).create(request))

    assert.deepInclude(error, { _tag: "AgentNotFound", id: stranger.agent.id })
  })
})
