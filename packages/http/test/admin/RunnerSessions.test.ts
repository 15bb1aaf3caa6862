import { assert, describe } from "@effect/vitest"
import { type AgentId, SessionId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeBrowser } from "../Browser.ts"
import { id } from "../Hosts.ts"
import { refusalOf, test } from "../Service.ts"
import { makeSession, makeTenant, someWork } from "../Tenant.ts"

describe("the runner processes of an account, over the wire", () => {
  test("are shown with what they hold, also once they are silent", function* () {
    const { admin, agent, params, runnerKey, session } = yield* someWork
    const other = yield* admin.agents.create({ params, payload: { name: "Other" } })
    const ofAgent = (agent_id: AgentId) =>
      Effect.map(
        admin.runnerSessions.ofAgent({ params: { ...params, agent_id }, query: {} }),
        ({ data }) => data
      )

    const { data } = yield* admin.runnerSessions.list({ params, query: {} })
    yield* TestClock.adjust("1 minute")
    const [silent] = yield* ofAgent(agent.id)

    assert.deepInclude(data[0], {
      id: session.session_id,
      runner_name: "Cellar",
      instance_id: "cellar-1",
      runner_key_id: runnerKey.id,
      agent_ids: null,
      status: "online",
      capacity: 4,
      busy: 1,
      drain_requested_at: null
    })
    assert.deepStrictEqual(data.length, 1)
    assert.deepInclude(silent, { id: session.session_id, status: "silent" })
    assert.deepStrictEqual(
      (yield* ofAgent(other.id)).map((each) => each.id),
      [session.session_id]
    )
  })

  test("are drained once, by admins", function* () {
    const tenant = yield* makeTenant()
    const { account, admin, params } = tenant
    const { session_id } = yield* makeSession(tenant)
    const viewer = yield* makeBrowser(account.id, { role: "viewer" })
    const refused = yield* viewer.send(`/api/v1/admin/accounts/${account.id}/sessions/${session_id}/drain`, {
      method: "POST"
    })

    const first = yield* admin.runnerSessions.drain({ params: { ...params, session_id } })
    yield* TestClock.adjust("10 seconds")
    const again = yield* admin.runnerSessions.drain({ params: { ...params, session_id } })

    const { data } = yield* admin.runnerSessions.list({ params, query: {} })
    assert.strictEqual(refused.status, 403)
    assert.deepStrictEqual(again.drain_requested_at, first.drain_requested_at)
    assert.deepInclude(data[0], { status: "draining", drain_requested_at: first.drain_requested_at })
  })

  test("are not there for another account, nor for an agent that is not", function* () {
    const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
    const { session_id } = yield* makeSession(tenant)

    const refusals = [
      yield* refusalOf(tenant.admin.runnerSessions.drain({ params: { ...other.params, session_id } })),
      yield* refusalOf(
        tenant.admin.runnerSessions.drain({ params: { ...tenant.params, session_id: SessionId.make(id) } })
      ),
      yield* refusalOf(
        tenant.admin.runnerSessions.ofAgent({
          params: { ...tenant.params, agent_id: other.agent.id },
          query: {}
        })
      )
    ]

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["not_found", "not_found", "not_found"]
    )
  })
})
