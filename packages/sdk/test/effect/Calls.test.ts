import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Sdk from "../../src/effect/Runhook.ts"
import { apiKey, json, meeting, type Met, refusal } from "./Answering.ts"

const created = json(201, { execution_id: "e-1", status: "queued", request_id: "req_1" })
const proxyPage = (status: number) => (): Response =>
  new Response("<html>", { status, headers: { "content-type": "text/html" } })
const body = { agent_id: "a-1", task_id: "t-1" }

/** The call, with all the time its pauses may take. */
const hurried = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(call, { startImmediately: true })
  yield* TestClock.adjust("10 minutes")
  return yield* Fiber.await(fiber)
})

/** What may be over when the call is made again. */
const passing: ReadonlyArray<readonly [string, () => Met]> = [
  ["408", refusal(408, "invalid_request")],
  ["429", refusal(429, "rate_limited")],
  ["500", refusal(500, "internal_error")],
  ["503 of a proxy", proxyPage(503)],
  ["a broken connection", () => "broken"]
]

describe("a call", () => {
  it.effect.each(passing)("is made again after %s, under the same idempotency key", ([, answer]) => {
    const { layer, requests } = meeting([answer, answer, created])
    return Effect.gen(function* () {
      const runhook = yield* Sdk.Runhook

      const exit = yield* hurried(runhook.executions.create(body))

      assert.strictEqual(Exit.isSuccess(exit) && exit.value.execution_id, "e-1")
      assert.strictEqual(requests.length, 3)
      const keys = new Set(requests.map(({ headers }) => headers["idempotency-key"]))
      assert.strictEqual(keys.size, 1)
      assert.match(String([...keys][0]), /^\d{1,10}(-\d{1,10}){3}$/)
    }).pipe(Effect.provide(layer))
  })

  it.effect("of no method answers null where there is no body", () => {
    const { layer } = meeting([() => new Response(null, { status: 204 })])
    return Effect.gen(function* () {
      const answer = yield* (yield* Sdk.Runhook).request({ method: "DELETE", path: "/things/1" })

      assert.isNull(answer)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    ["the service is away", (): Met => "broken", 11],
    ["a service that is there fails", refusal(500, "internal_error"), 4]
  ] as const)("goes on as long as it may while %s", ([, answer, requestsMax]) => {
    const { layer, requests } = meeting([...Array.from({ length: 10 }, () => answer), created])
    return Effect.gen(function* () {
      yield* hurried((yield* Sdk.Runhook).executions.create(body))

      assert.strictEqual(requests.length, requestsMax)
    }).pipe(Effect.provide(layer))
  })

  it.effect("has a new idempotency key for each of its runs", () => {
    const { layer, requests } = meeting([created])
    return Effect.gen(function* () {
      const create = (yield* Sdk.Runhook).executions.create(body)

      yield* create
      yield* create

      assert.notStrictEqual(requests[0]?.headers["idempotency-key"], requests[1]?.headers["idempotency-key"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits as long as the service asks", () => {
    const { layer, requests } = meeting([refusal(429, "rate_limited", { "retry-after": "20" }), created])
    return Effect.gen(function* () {
      const runhook = yield* Sdk.Runhook
      const fiber = yield* Effect.forkChild(runhook.executions.create(body), { startImmediately: true })

      yield* TestClock.adjust("19999 millis")
      const before = requests.length
      yield* TestClock.adjust("1 second")

      assert.deepStrictEqual([before, requests.length], [1, 2])
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(layer))
  })

  it.effect("sends the refused items of a batch again after the time that they name", () => {
    const answer = (...data: ReadonlyArray<object>) => json(200, { data, request_id: "req_1" })
    const refused = { status: 429, error: { details: { retry_after_seconds: 20 } } }
    const { layer, requests } = meeting([
      answer({ index: 0, status: 201 }, { index: 1, ...refused }),
      answer({ index: 0, status: 201 })
    ])
    return Effect.gen(function* () {
      const batch = (yield* Sdk.Runhook).executions.createBatch([body, body])
      const fiber = yield* Effect.forkChild(batch, { startImmediately: true })

      yield* TestClock.adjust("19999 millis")
      const before = requests.length
      yield* TestClock.adjust("1 second")

      assert.deepStrictEqual([before, requests.length], [1, 2])
      const { data } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        data.map(({ index, status }) => [index, status]),
        [
          [0, 201],
          [1, 201]
        ]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends at once when a pause does not fit into its time", () => {
    const { layer, requests } = meeting([refusal(429, "rate_limited", { "retry-after": "121" })])
    return Effect.gen(function* () {
      const error = yield* Effect.flip((yield* Sdk.Runhook).agents.page())

      assert.deepStrictEqual(
        [error._tag, error.retryAfterMs, requests.length],
        ["RateLimitedError", 121_000, 1]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not repeat what may have taken effect", () => {
    const { layer, requests } = meeting([() => "broken"])
    return Effect.gen(function* () {
      const runhook = yield* Sdk.Runhook

      const error = yield* Effect.flip(runhook.webhooks.test({ callback_url: "https://example.com" }))

      assert.deepStrictEqual([error._tag, requests.length], ["ConnectionError", 1])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    [400, "invalid_request", "InvalidRequestError"],
    [401, "unauthorized", "UnauthorizedError"],
    [403, "forbidden", "ForbiddenError"],
    [404, "not_found", "NotFoundError"],
    [409, "idempotency_conflict", "IdempotencyConflictError"],
    [422, "invalid_params", "InvalidParamsError"],
    [429, "rate_limited", "RateLimitedError"],
    [429, "concurrency_limit_reached", "ConcurrencyLimitReachedError"],
    [500, "internal_error", "InternalError"],
    [418, "short_and_stout", "UnknownCodeError"],
    [418, "constructor", "UnknownCodeError"]
  ] as const)("refused with %s %s fails as such", ([status, code, tag]) => {
    const { layer } = meeting([refusal(status, code)], { retries: 0 })
    return Effect.gen(function* () {
      const error = yield* Effect.flip((yield* Sdk.Runhook).executions.get("e-1"))

      assert.strictEqual(error._tag, tag)
      assert.deepInclude(error, {
        message: `refused: ${code}`,
        code,
        status,
        details: { why: code },
        requestId: "req_2",
        attempts: 1
      })
    }).pipe(Effect.provide(layer))
  })

  it.effect("answered by something else tells what it said", () => {
    const { layer } = meeting([proxyPage(200)])
    return Effect.gen(function* () {
      const error = yield* Effect.flip((yield* Sdk.Runhook).executions.get("e-1"))

      assert.strictEqual(error._tag, "UnexpectedAnswerError")
      assert.include(error, { status: 200, body: "<html>" })
      assert.include(error.message, "text/html")
    }).pipe(Effect.provide(layer))
  })

  it.effect("that nobody answers fails in its time", () => {
    const { layer, requests } = meeting([() => "silence"], { retries: 1 })
    return Effect.gen(function* () {
      const exit = yield* hurried((yield* Sdk.Runhook).executions.get("e-1"))

      const error = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : undefined
      assert.deepInclude(error, { _tag: "Some" })
      assert.include(inspect(error), "No answer within 30000 ms")
      assert.strictEqual(requests.length, 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("shows the key nowhere", () => {
    const { layer } = meeting([() => "broken"], { retries: 0 })
    return Effect.gen(function* () {
      const runhook = yield* Sdk.Runhook

      const error = yield* Effect.flip(runhook.executions.get("e-1"))

      assert.include(error.message, "reset while sending Bearer [key]")
      const shown = inspect([error, runhook], { depth: 20, showHidden: true }) + JSON.stringify(error)
      assert.notInclude(shown, apiKey)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends when it is interrupted between two attempts", () => {
    const { layer, requests } = meeting([() => "broken"])
    return Effect.gen(function* () {
      const runhook = yield* Sdk.Runhook
      const fiber = yield* Effect.forkChild(runhook.executions.get("e-1"), { startImmediately: true })

      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 minute")

      assert.strictEqual(requests.length, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("waiting for an execution", () => {
  const running = json(200, { execution_id: "e-1", status: "running" })
  const asking = json(200, { execution_id: "e-1", status: "awaiting_input" })
  const failed = json(200, { execution_id: "e-1", status: "error" })

  it.effect("looks until it is over, at most every two seconds", () => {
    const { layer, requests } = meeting([created, running, asking, failed])
    return Effect.gen(function* () {
      const runhook = yield* Sdk.Runhook
      const fiber = yield* Effect.forkChild(runhook.executions.createAndWait(body), {
        startImmediately: true
      })
      yield* TestClock.adjust("1999 millis")
      const before = requests.length

      yield* TestClock.adjust("1 minute")

      const { status } = yield* Fiber.join(fiber)
      assert.deepStrictEqual([status, before, requests.length], ["error", 2, 4])
    }).pipe(Effect.provide(layer))
  })

  it.effect("goes on while the service is away, whatever limits its create has", () => {
    const away = Array.from({ length: 20 }, () => () => "broken" as const)
    const busy = refusal(429, "rate_limited", { "retry-after": "300" })
    const { layer } = meeting([created, ...away, proxyPage(503), busy, failed])
    return Effect.gen(function* () {
      const { executions } = yield* Sdk.Runhook
      const fiber = yield* Effect.forkChild(
        executions.createAndWait(body, { retries: 0, timeout: "1 second" }),
        {
          startImmediately: true
        }
      )

      yield* TestClock.adjust("10 minutes")

      assert.strictEqual((yield* Fiber.join(fiber)).status, "error")
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    ["UnauthorizedError", refusal(401, "unauthorized")],
    ["NotFoundError", refusal(404, "not_found")],
    ["UnexpectedAnswerError", proxyPage(200)]
  ] as const)("ends at once with an %s that names the execution", ([tag, answer]) => {
    const { layer, requests } = meeting([created, answer])
    return Effect.gen(function* () {
      const error = yield* Effect.flip((yield* Sdk.Runhook).executions.createAndWait(body))

      assert.deepStrictEqual([error._tag, error.executionId, requests.length], [tag, "e-1", 2])
      assert.match(error.message, /^Execution e-1: /)
    }).pipe(Effect.provide(layer))
  })

  it.effect("may end when the work asks for input", () => {
    const { layer } = meeting([asking])
    return Effect.gen(function* () {
      const { status } = yield* (yield* Sdk.Runhook).executions.waitFor("e-1", { until: "input" })

      assert.strictEqual(status, "awaiting_input")
    }).pipe(Effect.provide(layer))
  })
})

describe("a list", () => {
  it.effect("is fetched as it is read", () => {
    const { layer, requests } = meeting([
      json(200, { data: [{ id: "1" }, { id: "2" }], next_cursor: "second" }),
      json(200, { data: [{ id: "3" }], next_cursor: null })
    ])
    return Effect.gen(function* () {
      const { executions } = yield* Sdk.Runhook
      const filter = { status: ["queued", "running"], limit: 2 } as const

      const two = yield* Stream.runCollect(Stream.take(executions.list(filter), 2))

      assert.deepStrictEqual(
        two.map(({ id }) => id),
        ["1", "2"]
      )
      assert.deepStrictEqual(
        requests.map(({ url }) => new URL(url).search),
        ["?status=queued&status=running&limit=2"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("is read to its end", () => {
    const { layer } = meeting([
      json(200, { data: [{ id: "1" }, { id: "2" }], next_cursor: "second" }),
      json(200, { data: [{ id: "3" }], next_cursor: null })
    ])
    return Effect.gen(function* () {
      const agents = yield* Stream.runCollect((yield* Sdk.Runhook).agents.list())

      assert.deepStrictEqual(
        agents.map(({ id }) => id),
        ["1", "2", "3"]
      )
    }).pipe(Effect.provide(layer))
  })
})
