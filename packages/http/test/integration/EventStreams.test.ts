import { assert, describe } from "@effect/vitest"
import { HistoryEventItem } from "@runhook/contract/executions/HistoryWire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { makeBrowser } from "../Browser.ts"
import { reading } from "../EventReader.ts"
import { errorOf, id, jsonOf } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeClaim, makeExecution, makeTenant } from "../Tenant.ts"

const decodeEvent = Schema.decodeUnknownSync(Schema.fromJsonString(HistoryEventItem), {
  onExcessProperty: "error"
})

const pathOf = (execution: string) => `/api/v1/integrations/executions/${execution}/events`

const request = Effect.fnUntraced(function* (
  { key }: { readonly key: { readonly key: string } },
  path: string,
  headers: Readonly<Record<string, string>> = {}
) {
  const host = yield* Host
  return yield* host(path, {
    headers: { authorization: `Bearer ${key.key}`, accept: "text/event-stream", ...headers }
  })
})

describe("the events of an execution as a stream, over the wire", () => {
  test("come as they happen, as JSON has them, and end after the last", function* () {
    const work = yield* makeClaim()
    const { execution, held, runner } = work
    const answer = yield* request(work, pathOf(execution.id))
    const { block, fields } = yield* reading(answer)
    const json = yield* request(work, pathOf(execution.id), { accept: "application/json" })
    const { data = null } = yield* jsonOf(json)

    assert.strictEqual(yield* block, "retry: 2000")
    const first = [yield* fields, yield* fields]
    yield* runner.runner.start(held)
    const started = yield* fields
    yield* runner.runner.complete({
      params: held.params,
      payload: { ...held.payload, outcome: "completed", result: { pages: 1 } }
    })
    const completed = yield* fields

    assert.strictEqual(`[${first.map((each) => each["data"]).join()}]`, JSON.stringify(data))
    const told = [...first, started, completed].map((each) => [
      each["id"],
      each["event"],
      decodeEvent(each["data"]).sequence
    ])
    assert.deepStrictEqual(told, [
      ["1", "created", 1],
      ["2", "claimed", 2],
      ["3", "started", 3],
      ["4", "completed", 4]
    ])
    assert.strictEqual(yield* block, "over")
    const { headers } = answer
    assert.strictEqual(headers.get("content-type"), "text/event-stream")
    assert.strictEqual(headers.get("x-accel-buffering"), "no")
    assert.strictEqual(headers.get("cache-control"), "no-store")
  })

  test("go on behind Last-Event-ID, which wins, and tell who has seen all to stay away", function* () {
    const tenant = yield* makeTenant()
    const { execution_id } = yield* makeExecution(tenant)
    yield* tenant.integration.executions.cancel({ params: { id: execution_id }, payload: null })

    const resumed = yield* request(tenant, `${pathOf(execution_id)}?after=2`, { "last-event-id": "1" })
    const { block, fields } = yield* reading(resumed)
    const told = yield* request(tenant, pathOf(execution_id), { "last-event-id": "2" })
    const malformed = yield* request(tenant, pathOf(execution_id), { "last-event-id": "two" })

    assert.strictEqual(yield* block, "retry: 2000")
    assert.deepInclude(yield* fields, { id: "2", event: "aborted" })
    assert.strictEqual(yield* block, "over")
    assert.deepStrictEqual([told.status, yield* Effect.promise(() => told.text())], [204, ""])
    assert.strictEqual(malformed.status, 400)
    assert.include(JSON.stringify(yield* errorOf(malformed)), "last-event-id")
  })

  test("say every 15 seconds that the connection is alive, and end with the key", function* () {
    const tenant = yield* makeTenant()
    const { execution_id } = yield* makeExecution(tenant)
    const { block } = yield* reading(yield* request(tenant, `${pathOf(execution_id)}?after=1`))
    assert.strictEqual(yield* block, "retry: 2000")

    yield* TestClock.adjust("15 seconds")
    const first = yield* block
    yield* TestClock.adjust("15 seconds")
    const second = yield* block
    yield* tenant.admin.keys.revoke({ params: { ...tenant.params, key_id: tenant.key.id } })

    assert.deepStrictEqual([first, second], [":", ":"])
    assert.strictEqual(yield* block, "over")
  })

  test("are a 404 before any event where there is no such execution, and JSON to everyone else", function* () {
    const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
    const { execution_id } = yield* makeExecution(other)

    const unknown = yield* request(tenant, pathOf(id))
    const foreign = yield* request(tenant, pathOf(execution_id))
    const any = yield* request(other, pathOf(execution_id), { accept: "*/*" })

    assert.deepStrictEqual([unknown.status, foreign.status, any.status], [404, 404, 200])
    assert.include(JSON.stringify(yield* jsonOf(any)), '"type":"created"')
  })

  test("are shown to viewers of the account as well", function* () {
    const tenant = yield* makeTenant()
    const { execution_id } = yield* makeExecution(tenant)
    const browser = yield* makeBrowser(tenant.account.id, { role: "viewer" })

    const answer = yield* browser.send(
      `/api/v1/admin/accounts/${tenant.account.id}/executions/${execution_id}/events`,
      { headers: { accept: "text/event-stream" } }
    )

    const { block, fields } = yield* reading(answer)
    assert.strictEqual(yield* block, "retry: 2000")
    assert.deepInclude(yield* fields, { id: "1", event: "created" })
  })
})
