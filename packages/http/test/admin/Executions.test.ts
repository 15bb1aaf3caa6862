import { assert, describe } from "@effect/vitest"
import { ApiKeyId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { makeBrowser } from "../Browser.ts"
import { errorOf, id } from "../Hosts.ts"
import { refusalOf, test } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"
import { callback_url, createIn, idOf, requestOf } from "./KeyedExecutions.ts"

describe("executions in the name of a key", () => {
  test("are the key's own: it finds them, and signs their callbacks", function* () {
    const tenant = yield* makeTenant()

    const execution = idOf(yield* createIn(tenant, { callback_url, reference: "order-7" }))

    const seen = yield* tenant.admin.executions.get({
      params: { ...tenant.params, id: execution },
      query: {}
    })
    const own = yield* tenant.integration.executions.get({ params: { id: execution }, query: {} })
    const { data } = yield* tenant.integration.webhooks.list({
      params: {},
      query: { execution_id: execution }
    })
    assert.deepInclude(seen, {
      key_id: tenant.key.id,
      callback_url,
      agent_name: "Press",
      task_name: "Print",
      task_slug: "print",
      task_version_number: 1,
      progress: null
    })
    assert.deepStrictEqual(
      seen.callbacks.map(({ state, type }) => [type, state]),
      [["execution.queued", "pending"]]
    )
    assert.strictEqual(own.reference, "order-7")
    assert.deepStrictEqual(
      data.map(({ key_id }) => key_id),
      [tenant.key.id]
    )
  })

  test("are made once under one idempotency key, and not at all when only checked", function* () {
    const tenant = yield* makeTenant()
    const keyed = { headers: { "idempotency-key": "again" } }

    const checked = yield* createIn(tenant, {}, { query: { validate_only: "true" } })
    const first = yield* createIn(tenant, {}, keyed)
    const again = yield* createIn(tenant, {}, keyed)

    const { data } = yield* tenant.admin.executions.list({ params: tenant.params, query: {} })
    assert.deepInclude(checked, { would_create: true })
    assert.deepInclude(again, { execution_id: idOf(first), idempotent_replay: true })
    assert.deepStrictEqual(
      data.map((each) => each.id),
      [idOf(first)]
    )
  })

  test("are checked by viewers as well, and queued by admins alone", function* () {
    const tenant = yield* makeTenant()
    const viewer = yield* makeBrowser(tenant.account.id, { role: "viewer" })
    const path = `/api/v1/admin/accounts/${tenant.account.id}/executions`
    const body = JSON.stringify(requestOf(tenant))

    const checked = yield* viewer.send(`${path}?validate_only=true`, { method: "POST", body })
    const refused = yield* viewer.send(path, { method: "POST", body })

    const { data } = yield* tenant.admin.executions.list({ params: tenant.params, query: {} })
    assert.strictEqual(checked.status, 200)
    assert.deepStrictEqual((yield* errorOf(refused)).details, { reason: "role", required: "admin" })
    assert.deepStrictEqual(data, [])
  })

  test("keep to what the key may use, and need a key that opens something", function* () {
    const tenant = yield* makeTenant()
    const { admin, params } = tenant
    const narrow = yield* admin.keys.create({ params, payload: { name: "Narrow", allowed_task_ids: [] } })
    const gone = yield* admin.keys.create({ params, payload: { name: "Gone" } })
    yield* admin.keys.revoke({ params: { ...params, key_id: gone.id } })

    const outside = yield* refusalOf(createIn(tenant, { key_id: narrow.id }))
    const revoked = yield* refusalOf(createIn(tenant, { key_id: gone.id }))
    const unknown = yield* refusalOf(createIn(tenant, { key_id: ApiKeyId.make(id) }))

    assert.deepStrictEqual(outside.details, { reason: "scope_violation", field: "task_id" })
    assert.match(revoked.message, /key_id: names a key that was revoked/)
    assert.deepStrictEqual(unknown.details, { reason: "key_not_found", field: "key_id" })
  })

  test("are run again in the name of the key they had, or of another", function* () {
    const tenant = yield* makeTenant()
    const { admin, key, params } = tenant
    const other = yield* admin.keys.create({ params, payload: { name: "Other" } })
    const first = idOf(yield* createIn(tenant, { reference: "order-7" }))
    const named = { params: { ...params, id: first } }

    const same = yield* admin.executions.rerun({ ...named, headers: {}, payload: null })
    const others = yield* admin.executions.rerun({
      ...named,
      headers: {},
      payload: { version: "current", key_id: other.id, params: { copies: 4 } }
    })

    const { data } = yield* admin.executions.list({ params, query: { find: "order" } })
    const deliveries = yield* admin.deliveries.list({ params, query: { find: "order" } })
    assert.deepStrictEqual(deliveries.data, [])
    assert.deepStrictEqual(
      data.map((each) => [each.id, each.key_id, each.rerun_of, each.params]),
      [
        [idOf(others), other.id, first, StoredJson.of({ copies: 4 })],
        [idOf(same), key.id, first, StoredJson.of({})],
        [first, key.id, null, StoredJson.of({})]
      ]
    )
  })

  test("are listed with how each of their callbacks fares", function* () {
    const tenant = yield* makeTenant()
    yield* createIn(tenant, { callback_url })
    yield* createIn(tenant)

    const { data } = yield* tenant.admin.executions.list({ params: tenant.params, query: {} })

    assert.deepStrictEqual(
      data.map((each) =>
        each.callbacks.map(({ attempts, last_status, state }) => [state, attempts, last_status])
      ),
      [[], [["pending", 0, null]]]
    )
  })
})
