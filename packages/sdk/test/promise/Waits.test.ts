/** What outlasts a wait, and what its errors tell. */
import { assert, describe, it } from "vitest"
import { NotFoundError, RunhookError, TimeoutError, UnauthorizedError } from "../../src/Runhook.ts"
import { failureOf, meeting } from "../call/Meeting.ts"
import { type Answering, hangUp, json, refusal, silence } from "../call/RawServer.ts"

describe("createAndWait", () => {
  const created = json(201, { execution_id: "e-1", status: "queued", request_id: "req_1" })
  const body = { agent_id: "a-1", task_id: "t-1" }

  it("goes on reading after what may pass, for as long as the service asks", async () => {
    const away = Array.from({ length: 20 }, () => hangUp)
    const { client, clock, server } = await meeting([
      created,
      ...away,
      refusal(503, "internal_error", { "retry-after": "5" }),
      refusal(429, "rate_limited", { "retry-after": "300" }),
      json(200, { execution_id: "e-1", status: "completed" })
    ])
    await using _ = server

    const { status } = await client.executions.createAndWait(body, { retries: 0, timeoutMs: 1_000 })

    assert.strictEqual(status, "completed")
    assert.deepStrictEqual(clock.pauses.slice(-2), [9_000, 304_000])
    assert.isAtMost(Math.max(...clock.pauses.slice(0, 20)), 8_000)
  })

  it.each([
    ["401", refusal(401, "unauthorized"), UnauthorizedError],
    ["404", refusal(404, "not_found"), NotFoundError],
    ["a page of something else", json(200, []), RunhookError]
  ] satisfies ReadonlyArray<[string, Answering, unknown]>)(
    "ends at once with %s, and names the execution",
    async (_, answer, kind) => {
      const { client, server } = await meeting([created, answer])
      await using _server = server

      const failure = await failureOf(client.executions.createAndWait(body))

      assert.instanceOf(failure, kind)
      assert.strictEqual(failure.executionId, "e-1")
      assert.match(failure.message, /^Execution e-1: /)
      assert.include(String(failure.stack), "e-1")
      assert.strictEqual(server.received.length, 2)
    }
  )

  it.each([
    ["is silent", silence],
    ["hangs up", hangUp],
    ["refuses", refusal(503, "internal_error")]
  ])("ends after its time while the service %s, and names the execution", async (_, answer) => {
    const { client, server } = await meeting([created, answer])
    await using _server = server

    const failure = await failureOf(client.executions.createAndWait(body, { waitMs: 0 }))

    assert.instanceOf(failure, TimeoutError)
    assert.strictEqual(failure.executionId, "e-1")
    assert.include(failure.message, "e-1")
  })

  it("names no execution where none was acknowledged", async () => {
    const { client, server } = await meeting([refusal(401, "unauthorized")])
    await using _ = server

    const failure = await failureOf(client.executions.createAndWait(body))

    assert.instanceOf(failure, UnauthorizedError)
    assert.isNull(failure.executionId)
  })
})
