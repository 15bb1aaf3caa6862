import { assert, describe } from "@effect/vitest"
import { LogLineItem } from "@runhook/contract/executions/LogWire"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { reading } from "../EventReader.ts"
import { errorOf, sending } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeClaim, someWork } from "../Tenant.ts"

const line = (message: string, number?: number) => ({
  level: "info" as const,
  message,
  ...(number !== undefined && { number })
})

const readAll = { headers: {}, query: {} }

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(LogLineItem), { onExcessProperty: "error" })

describe("the log of an execution, over the wire", () => {
  test("has the lines of heartbeats, of the outcome and of outcomes with a claim, once each", function* () {
    const work = yield* someWork
    const { account, admin, claim, execution, held, integration, params, runner, session } = work
    const beats = [
      { execution_id: claim.execution_id, epoch: claim.epoch, logs: [line("one", 1), line("two", 2)] }
    ]
    const end = { ...held.payload, outcome: "completed" as const, result: { pages: 1 } }

    yield* runner.runner.heartbeat({ payload: { session_id: session.session_id, beats } })
    yield* runner.runner.heartbeat({ payload: { session_id: session.session_id, beats } })
    yield* runner.runner.complete({
      params: held.params,
      payload: { ...end, logs: [line("two", 2), line("three", 3)] }
    })
    yield* runner.runner.complete({ params: held.params, payload: { ...end, logs: [line("four")] } })

    const { data } = yield* integration.executions.logs({ params: execution, ...readAll })
    assert.deepStrictEqual(
      data.map(({ attempt, level, message, sequence }) => [sequence, level, message, attempt]),
      [
        [1, "info", "one", 1],
        [2, "info", "two", 1],
        [3, "info", "three", 1]
      ]
    )
    const shown = yield* admin.executions.logs({
      params: { ...params, account_id: account.id, id: execution.id },
      ...readAll
    })
    assert.deepStrictEqual(shown.data, data)
  })

  test("is read in pages, as the changes of the execution are, each from the cursor of the one before", function* () {
    const { claim, execution, key, runner, session } = yield* someWork
    const logs = ["one", "two", "three", "four"].map((message) => line(message))
    const beats = [{ execution_id: claim.execution_id, epoch: claim.epoch, logs }]
    yield* runner.runner.heartbeat({ payload: { session_id: session.session_id, beats } })
    const host = yield* Host
    const page = Effect.fnUntraced(function* (list: string, query: string) {
      const headers = { authorization: `Bearer ${key.key}` }
      const answer = yield* host(`/api/v1/integrations/executions/${execution.id}/${list}?limit=2${query}`, {
        headers
      })
      const { data = [], error, next_cursor: next } = Object(yield* Effect.promise(() => answer.json()))
      return { numbers: Array.from(data, (item) => Object(item).sequence), error, next }
    })

    for (const list of ["logs", "events"]) {
      const first = yield* page(list, "")
      const second = yield* page(list, `&cursor=${first.next}`)
      const behind = yield* page(list, "&after=2")
      assert.deepStrictEqual(first.numbers, [1, 2])
      assert.isString(first.next)
      assert.deepStrictEqual([second.numbers, behind.numbers], [behind.numbers, second.numbers])
      assert.deepStrictEqual([second.numbers[0], second.next, behind.next], [3, null, null])
      const other = yield* page(list === "logs" ? "events" : "logs", `&cursor=${first.next}`)
      assert.include(JSON.stringify(other.error), "must be a next_cursor of this list with the same filters")
    }
  })

  test("wakes who waits for it, and streams to its end", function* () {
    const work = yield* someWork
    const { claim, execution, held, integration, key, runner, session } = work
    const host = yield* Host
    const answer = yield* host(`/api/v1/integrations/executions/${execution.id}/logs`, {
      headers: { authorization: `Bearer ${key.key}`, accept: "text/event-stream" }
    })
    const { block, fields } = yield* reading(answer)
    const waiting = yield* Effect.forkChild(
      integration.executions.logs({ params: execution, headers: {}, query: { wait: 30 } }),
      { startImmediately: true }
    )

    yield* runner.runner.heartbeat({
      payload: {
        session_id: session.session_id,
        beats: [{ execution_id: claim.execution_id, epoch: claim.epoch, logs: [line("one")] }]
      }
    })
    const { data } = yield* Fiber.join(waiting)
    yield* runner.runner.claim({
      payload: {
        session_id: session.session_id,
        claim_id: "claim-2",
        free_slots: 0,
        wait_ms: 0,
        outcomes: [
          {
            execution_id: execution.id,
            ...held.payload,
            outcome: "completed",
            result: { pages: 1 },
            logs: [line("two")]
          }
        ]
      }
    })

    assert.deepStrictEqual(
      data.map(({ message }) => message),
      ["one"]
    )
    assert.strictEqual(yield* block, "retry: 2000")
    const told = [yield* fields, yield* fields]
    assert.deepStrictEqual(
      told.map(({ data: text, event, id }) => [id, event, decodeLine(text).message]),
      [
        ["1", "line", "one"],
        ["2", "line", "two"]
      ]
    )
    assert.strictEqual(yield* block, "over")
  })

  test("refuses what is too long or too much, and names it; and skips what comes before the start", function* () {
    const { claim, execution, integration, runnerKey, session } = yield* makeClaim()
    const host = yield* Host
    const beat = (logs: ReadonlyArray<ReturnType<typeof line>>) => {
      const beats = [{ execution_id: claim.execution_id, epoch: claim.epoch, logs }]
      const { headers, ...post } = sending("POST", JSON.stringify({ session_id: session.session_id, beats }))
      return host("/api/v1/runner/heartbeats", {
        ...post,
        headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
      })
    }

    const long = yield* beat([line("x".repeat(4_097))])
    const many = yield* beat(Array.from({ length: 201 }, () => line("x")))
    const early = yield* beat([line("x".repeat(4_096))])

    assert.deepStrictEqual([long.status, many.status, early.status], [400, 400, 200])
    assert.include(JSON.stringify(yield* errorOf(long)), "beats.0.logs.0.message")
    assert.include(JSON.stringify(yield* errorOf(many)), "beats.0.logs")
    const { data } = yield* integration.executions.logs({ params: execution, ...readAll })
    assert.deepStrictEqual(data, [])
  })
})
