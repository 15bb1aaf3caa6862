import { assert, describe } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import { errorOf, id, sending } from "../Hosts.ts"
import { adminClient, Host, refusalOf, test } from "../Service.ts"
import { makeExecution, makeTenant, someWork } from "../Tenant.ts"

const callback_url = "https://receiver.example.com/hooks"

describe("the executions of an account, over the wire", () => {
  test("are ended by an operator as cancelled, once", function* () {
    const { admin, execution, params } = yield* someWork
    const named = { params: { ...params, ...execution }, query: {} }

    const first = yield* admin.executions.cancel({ ...named, payload: { reason: "Maintenance" } })
    const again = yield* admin.executions.cancel({ ...named, payload: null })

    const seen = yield* admin.executions.get(named)
    assert.deepInclude(seen, { status: "cancelled", status_reason: "Maintenance" })
    assert.deepStrictEqual([first.status, first.already_finished], ["cancelled", undefined])
    assert.deepStrictEqual([again.status, again.already_finished], ["cancelled", true])
  })

  test("are cancelled without a body as well", function* () {
    const { execution, params } = yield* someWork
    const host = yield* Host

    const answer = yield* host(
      `/api/v1/admin/accounts/${params.account_id}/executions/${execution.id}/cancel`,
      { method: "POST", headers: { authorization: `Bearer ${adminKey}` } }
    )

    assert.strictEqual(answer.status, 200)
  })

  test("are listed by status", function* () {
    const work = yield* someWork
    const { execution_id } = yield* makeExecution(work)

    const { data } = yield* work.admin.executions.list({
      params: work.params,
      query: { status: ["queued"] }
    })

    assert.deepStrictEqual(
      data.map((each) => each.id),
      [execution_id]
    )
  })
})

describe("the deliveries of an account, over the wire", () => {
  test("are listed by type, by execution and by what is searched for, and shown with their payload", function* () {
    const tenant = yield* makeTenant()
    const { admin, key, params } = tenant
    const { execution_id } = yield* makeExecution(tenant, { callback_url })
    const tested = yield* admin.deliveries.test({ params, payload: { callback_url, key_id: key.id } })
    const idsOf = (query: Parameters<typeof admin.deliveries.list>[0]["query"]) =>
      Effect.map(admin.deliveries.list({ params, query }), ({ data }) => data.map((each) => each.id))

    const all = yield* idsOf({})
    const [queued] = yield* idsOf({ execution_id })

    assert.deepStrictEqual(all, [tested.delivery_id, queued])
    assert.deepStrictEqual(yield* idsOf({ type: "webhook.test" }), [tested.delivery_id])
    assert.deepStrictEqual(yield* idsOf({ q: "queued" }), [queued])
    assert.deepStrictEqual(yield* idsOf({ status: ["dead"] }), [])
    const shown = yield* admin.deliveries.get({ params: { ...params, id: tested.delivery_id } })
    assert.deepInclude(JSON.parse(shown.payload), { type: "webhook.test", event_id: tested.event_id })
    assert.deepStrictEqual(shown.attempts_log, [])
  })

  test("are not sent again before they are settled", function* () {
    const { admin, key, params } = yield* makeTenant()
    const { delivery_id } = yield* admin.deliveries.test({
      params,
      payload: { callback_url, key_id: key.id }
    })

    const refusal = yield* refusalOf(admin.deliveries.replay({ params: { ...params, id: delivery_id } }))

    assert.deepStrictEqual(refusal.details, { reason: "not_settled", state: "pending" })
  })

  test("refuse a target that callbacks may not reach, naming the field", function* () {
    const { admin, key, params } = yield* makeTenant()

    const refusal = yield* refusalOf(
      admin.deliveries.test({ params, payload: { callback_url: "http://127.0.0.1/", key_id: key.id } })
    )

    assert.include(refusal.message, "callback_url")
  })
})

describe("the admin API", () => {
  test("knows nothing of an account that does not exist", function* () {
    const admin = yield* adminClient
    const params = { account_id: AccountId.make(id) }
    const page = { params, query: {} }

    const refusals = yield* Effect.all([
      refusalOf(admin.keys.create({ params, payload: { name: "A" } })),
      refusalOf(admin.keys.list(page)),
      refusalOf(admin.runnerKeys.create({ params, payload: { name: "A" } })),
      refusalOf(admin.runnerKeys.list(page)),
      refusalOf(admin.agents.create({ params, payload: { name: "A" } })),
      refusalOf(admin.agents.list(page)),
      refusalOf(admin.tasks.create({ params, payload: { slug: "a", name: "A" } })),
      refusalOf(admin.tasks.list(page)),
      refusalOf(admin.executions.list(page)),
      refusalOf(admin.deliveries.list(page)),
      refusalOf(admin.deliveries.deadLetters({ params })),
      refusalOf(admin.replays.begin({ params, payload: null }))
    ])

    assert.deepStrictEqual(new Set(refusals.map(({ code }) => code)), new Set(["not_found"]))
  })

  test("lists accounts, newest first, page by page", function* () {
    const admin = yield* adminClient
    const first = yield* admin.accounts.create({ payload: { name: "First" } })
    const second = yield* admin.accounts.create({ payload: { name: "Second" } })

    const page = yield* admin.accounts.list({ query: { limit: 1 } })

    assert.deepStrictEqual(
      page.data.map(({ name }) => name),
      [second.name]
    )
    assert.isNotNull(page.next_cursor)
    assert.notStrictEqual(first.id, second.id)
  })

  test("names unknown fields", function* () {
    const host = yield* Host

    const answer = yield* host("/api/v1/admin/accounts", {
      ...sending("POST", JSON.stringify({ name: "Acme", mood: 1 })),
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" }
    })

    assert.strictEqual(answer.status, 400)
    assert.include((yield* errorOf(answer)).message, "mood")
  })
})
