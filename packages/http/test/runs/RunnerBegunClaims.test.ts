import { assert, describe } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { test } from "../Service.ts"
import { makeExecution, makeSession, makeTenant, someWork } from "../Tenant.ts"

describe("work that begins with its claim, over the wire", () => {
  test("is answered as running, with the lease that a start gives, and told once", function* () {
    const tenant = yield* makeTenant()
    const session = yield* makeSession(tenant)
    const { execution_id: id } = yield* makeExecution(tenant, { callback_url: "https://example.com/hook" })
    const payload = { session_id: session.session_id, claim_id: "claim-1", free_slots: 1, start: true }
    const { claims } = yield* tenant.runner.runner.claim({ payload })
    yield* TestClock.adjust("10 seconds")

    const again = yield* tenant.runner.runner.claim({ payload })

    const shown = [...claims, ...again.claims].map(({ attempt, epoch, lease_ms, status }) => ({
      attempt,
      epoch,
      lease_ms,
      status
    }))
    const begun = { attempt: 1, epoch: 1, lease_ms: 60_000, status: "running" }
    assert.deepStrictEqual(shown, [begun, begun])
    const { data } = yield* tenant.integration.webhooks.list({ params: {}, query: { execution_id: id } })
    assert.deepStrictEqual(data.map(({ type }) => type).toSorted(), ["execution.queued", "execution.started"])
  })

  test("waits for a start of its own when it goes on with an answer, which a repeat tells again", function* () {
    const work = yield* someWork
    const asked = yield* work.runner.runner.ask({
      ...work.held,
      payload: {
        ...work.held.payload,
        input_key: "code",
        prompt: "Which code?",
        schema: {},
        expires_in_s: 60,
        on_timeout: "error",
        mode: "release"
      }
    })
    yield* work.integration.executions.answer({
      params: { ...work.execution, inputId: asked.input_id },
      payload: { value: 7 }
    })
    const payload = { session_id: work.session.session_id, claim_id: "on", free_slots: 1, start: true }
    const { claims } = yield* work.runner.runner.claim({ payload })

    const again = yield* work.runner.runner.claim({ payload })

    for (const claim of [...claims, ...again.claims]) {
      assert.deepInclude(claim, {
        status: "queued",
        input_answer: { input_id: asked.input_id, input_key: "code", value: 7 }
      })
    }
    assert.strictEqual(again.claims.length, 1)
  })
})
