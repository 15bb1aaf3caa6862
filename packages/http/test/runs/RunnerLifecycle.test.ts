import { assert, describe } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import * as Struct from "effect/Struct"
import { refusalOf, test } from "../Service.ts"
import { claimNow, makeExecution, makeSession, makeTenant, someWork } from "../Tenant.ts"

describe("the life of an execution, over the wire", () => {
  test("goes from its creation to its result", function* () {
    const tenant = yield* makeTenant()
    const session = yield* makeSession(tenant)
    const created = yield* makeExecution(tenant, { metadata: { invoice: "7" } })
    const { claims } = yield* claimNow(tenant, session)
    const params = { id: created.execution_id }

    const started = yield* tenant.runner.runner.start({ params, payload: { epoch: 1 } })
    const completed = yield* tenant.runner.runner.complete({
      params,
      payload: { epoch: 1, outcome: "completed", result: { pages: 2 } }
    })

    assert.deepStrictEqual(claims, [
      {
        execution_id: created.execution_id,
        attempt: 1,
        epoch: 1,
        lease_ms: 60_000,
        fencing_token: 1,
        status: "queued",
        task: { id: tenant.task.id, slug: "print", version_id: tenant.version.id, number: 1 },
        agent_id: tenant.agent.id,
        params: StoredJson.of({ copies: 1 }),
        reference: created.reference,
        metadata: StoredJson.of({ invoice: "7" }),
        timeout_ms: null,
        // Effect's client names the span of its own request.
        ...Struct.pick(claims[0] ?? { traceparent: "none" }, ["traceparent"])
      }
    ])
    assert.deepInclude(started, { status: "running", lease_ms: 60_000 })
    assert.strictEqual(completed.status, "completed")
    const seen = yield* tenant.integration.executions.get({ params, query: {} })
    assert.deepInclude(seen, { status: "completed", attempt: 1, result: StoredJson.of({ pages: 2 }) })
  })

  test("may end with a result of null, which is none", function* () {
    const { execution, held, integration, runner } = yield* someWork

    const completed = yield* runner.runner.complete({
      ...held,
      payload: { ...held.payload, outcome: "cancelled", result: null, error: null }
    })

    const { result } = yield* integration.executions.get({ params: execution, query: {} })
    assert.deepStrictEqual([completed.status, result], ["cancelled", null])
  })

  test("tells a repeated outcome the same, and refuses a contradiction", function* () {
    const { held, runner } = yield* someWork
    const failed = { ...held.payload, outcome: "error", error: { message: "No paper" } } as const
    const first = yield* runner.runner.complete({ ...held, payload: failed })

    const again = yield* runner.runner.complete({ ...held, payload: failed })
    const refused = yield* refusalOf(
      runner.runner.complete({ ...held, payload: { ...held.payload, outcome: "cancelled" } })
    )

    assert.deepStrictEqual([first.status, again.status], ["error", "error"])
    assert.deepInclude(refused, {
      code: "invalid_request",
      details: { reason: "already_finished", status: "error" }
    })
  })
})
