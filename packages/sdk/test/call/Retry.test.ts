import { assert, describe, it } from "vitest"
import {
  ApiError,
  ConnectionError,
  InternalError,
  RateLimitedError,
  TimeoutError,
  UnexpectedAnswerError
} from "../../src/Runhook.ts"
import { failureOf, meeting } from "./Meeting.ts"
import { type Answering, hangUp, json, refusal, silence } from "./RawServer.ts"

const created = json(201, { execution_id: "e-1", status: "queued", request_id: "req_1" })
const body = { agent_id: "a-1", task_id: "t-1" }

describe("a call", () => {
  it.each([
    ["408", refusal(408, "invalid_request")],
    ["429", refusal(429, "rate_limited")],
    ["500", refusal(500, "internal_error")],
    ["503 of a proxy", (response) => void response.writeHead(503).end("<html>")],
    ["a broken connection", hangUp],
    [
      "a body that breaks off",
      (response) =>
        void response.writeHead(200, { "content-length": "9" }).write("{", () => response.destroy())
    ]
  ] satisfies ReadonlyArray<[string, Answering]>)(
    "is made again after %s, under the same idempotency key",
    async (_, answer) => {
      const { client, server } = await meeting([answer, answer, created])
      await using _server = server

      const { attempts, body: execution } = await client.executions.create(body).withResponse()

      assert.deepStrictEqual([attempts, execution.execution_id], [3, "e-1"])
      const keys = new Set(server.received.map(({ headers }) => headers["idempotency-key"]))
      assert.strictEqual(keys.size, 1)
      assert.match(String([...keys][0]), /^\d{1,10}(-\d{1,10}){3}$/)
      assert.deepStrictEqual(
        new Set(server.received.map((request) => request.body)),
        new Set([JSON.stringify(body)])
      )
    }
  )

  it.each([
    ["no connection", hangUp],
    ["502", refusal(502, "internal_error")],
    ["503", refusal(503, "internal_error")],
    ["504", refusal(504, "internal_error")]
  ] satisfies ReadonlyArray<[string, Answering]>)(
    "goes on after %s until the service is back",
    async (_, answer) => {
      const { client, server } = await meeting([...Array.from({ length: 10 }, () => answer), created])
      await using _server = server

      const { attempts } = await client.executions.create(body).withResponse()

      assert.strictEqual(attempts, 11)
    }
  )

  it("gives up a service that stays away for half a minute", async () => {
    const { client, clock, server } = await meeting([hangUp])
    await using _ = server

    const error = await failureOf(client.executions.create(body))

    assert.instanceOf(error, ConnectionError)
    assert.strictEqual(error.attempts, 11)
    assert.isAtLeast(clock.now(), 25_000)
    assert.isBelow(clock.now(), 60_000)
  })

  it.each([
    [408, "invalid_request"],
    [429, "rate_limited"],
    [500, "internal_error"]
  ])("is made four times at most when a service that is there answers %i", async (status, code) => {
    const { client, server } = await meeting([refusal(status, code)])
    await using _ = server

    const error = await failureOf(client.executions.create(body))

    assert.instanceOf(error, ApiError)
    assert.strictEqual(error.attempts, 4)
  })

  it.each([400, 401, 403, 404, 409, 422])("is not made again after %i", async (status) => {
    const { client, server } = await meeting([refusal(status, "invalid_request")])
    await using _ = server

    const error = await failureOf(client.executions.get("e-1"))

    assert.instanceOf(error, ApiError)
    assert.deepStrictEqual([error.attempts, server.received.length], [1, 1])
  })

  it("pauses a random time whose bound doubles up to 8 seconds", async () => {
    const { client, clock, server } = await meeting([refusal(500, "internal_error")], { retries: 7 })
    await using _ = server

    const error = await failureOf(client.executions.get("e-1"))

    assert.instanceOf(error, InternalError)
    assert.deepStrictEqual(clock.pauses, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
  })

  it("adds its random time to what Retry-After asks for", async () => {
    const { client, clock, server } = await meeting([
      refusal(429, "rate_limited", { "retry-after": "7" }),
      created
    ])
    await using _ = server

    await client.executions.create(body)

    assert.deepStrictEqual(clock.pauses, [7_250])
  })

  it("compares a date in Retry-After with the service's own clock", async () => {
    const headers = { date: "Sat, 01 Jan 2000 00:00:00 GMT", "retry-after": "Sat, 01 Jan 2000 00:00:03 GMT" }
    const { client, clock, server } = await meeting([refusal(503, "internal_error", headers), created])
    await using _ = server

    await client.executions.create(body)

    assert.deepStrictEqual(clock.pauses, [3_250])
  })

  it("gives up at once when the service asks for more time than there is", async () => {
    const { client, clock, server } = await meeting([refusal(429, "rate_limited", { "retry-after": "3600" })])
    await using _ = server

    const error = await failureOf(client.executions.create(body))

    assert.instanceOf(error, RateLimitedError)
    assert.deepStrictEqual([error.attempts, error.retryAfterMs, clock.pauses], [1, 3_600_000, []])
  })

  it("is made once with retries: 0", async () => {
    const { client, clock, server } = await meeting([refusal(500, "internal_error")])
    await using _ = server

    const error = await failureOf(client.executions.create(body, { retries: 0 }))

    assert.instanceOf(error, InternalError)
    assert.deepStrictEqual([server.received.length, clock.pauses], [1, []])
  })

  it("is made once when it may not take effect twice", async () => {
    const { client, server } = await meeting([hangUp])
    await using _ = server

    const error = await failureOf(client.request({ method: "POST", path: "/things", body: {} }))

    assert.instanceOf(error, ConnectionError)
    assert.strictEqual(server.received.length, 1)
  })

  it("ends an attempt without an answer, and tries again", async () => {
    const { client, server } = await meeting([silence, silence])
    await using _ = server

    const error = await failureOf(client.executions.get("e-1", { attemptTimeoutMs: 0, retries: 1 }))

    assert.instanceOf(error, TimeoutError)
    assert.strictEqual(error.attempts, 2)
  })

  it("ends with its total time, retries or not", async () => {
    const { client, clock, server } = await meeting([refusal(500, "internal_error")], {
      timeoutMs: 30_000,
      retries: 100
    })
    await using _ = server

    const error = await failureOf(client.executions.get("e-1"))

    assert.instanceOf(error, InternalError)
    assert.isBelow(clock.now(), 30_000)
    assert.isAbove(error.attempts, 5)
  })

  it("says what else than the service answered", async () => {
    const { client, server } = await meeting([
      (response, { headers }) => void response.end(`<h1>Hello ${headers.authorization}</h1>`)
    ])
    await using _ = server

    const error = await failureOf(client.executions.get("e-1"))

    assert.instanceOf(error, UnexpectedAnswerError)
    assert.deepStrictEqual([error.status, error.body], [200, "<h1>Hello Bearer [key]</h1>"])
  })
})
