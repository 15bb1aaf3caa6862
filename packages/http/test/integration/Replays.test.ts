import { assert, describe } from "@effect/vitest"
import { AccountId, ReplayId } from "@runhook/core/shared/Ids"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { errorOf, id, jsonOf } from "../Hosts.ts"
import { Host, integrationClient, refusalOf, test } from "../Service.ts"
import { claimed, settle } from "../Settled.ts"
import { makeTenant, type Tenant } from "../Tenant.ts"

const unknown = ReplayId.make(id)

/** Takes the first job of the service a bite further. */
const bite = Effect.gen(function* () {
  const store = yield* ReplayStore
  const at = yield* DateTime.now
  for (const job of yield* store.due({ limit: 1, at })) yield* store.advance(job, { limit: 500, at })
})

/** Delivers whatever is due. */
const settleAll = Effect.flatMap(claimed, (deliveries) => settle(deliveries, { _tag: "Delivered" }))

/** Another key of the same account. */
const makeNeighbour = Effect.fnUntraced(function* ({ admin, params }: Tenant) {
  return yield* admin.keys.create({ params, payload: { name: "Front office" } })
})

const nothing = {
  status: ["dead"],
  type: null,
  execution_id: null,
  endpoint_id: null,
  key_id: null,
  answer: null,
  cause: null,
  url_origin: null,
  q: null,
  from: null,
  to: null,
  ids: null,
  last_only: false
}

const isJob = <A extends object>(answer: A): answer is Extract<A, { readonly id: unknown }> => "id" in answer

/** The job that a call begins. */
const job = <A extends object, E, R>(begin: Effect.Effect<A, E, R>) =>
  Effect.flatMap(begin, (answer) =>
    isJob(answer) ? Effect.succeed(answer) : Effect.die(new Error("No job has begun"))
  )

describe("replays of many deliveries, over the wire", () => {
  test("are accepted as jobs, and shown until they are completed", function* () {
    const { integration, key } = yield* makeTenant()

    const begun = yield* job(
      integration.replays.begin({ params: {}, payload: { q: "receiver", status: ["dead", "delivered"] } })
    )
    const running = yield* integration.replays.get({ params: { id: begun.id } })
    yield* bite
    const ended = yield* integration.replays.get({ params: { id: begun.id } })

    assert.deepInclude(begun, { status: "running", replayed: 0, finished_at: null })
    assert.deepStrictEqual(begun.filter, {
      ...nothing,
      key_id: key.id,
      status: ["dead", "delivered"],
      q: "receiver"
    })
    assert.deepStrictEqual({ ...running, request_id: begun.request_id }, begun)
    assert.deepInclude(ended, { status: "completed", replayed: 0, finished_at: ended.updated_at })
  })

  test("need no body, answer 202, and are of the dead then", function* () {
    const { key, params } = yield* makeTenant()
    const host = yield* Host
    const begin = (path: string, bearer: string) =>
      host(path, { method: "POST", headers: { authorization: `Bearer ${bearer}` } })

    const answers = yield* Effect.all([
      begin("/api/v1/integrations/webhooks/replays", key.key),
      begin(`/api/v1/admin/accounts/${params.account_id}/deliveries/replays`, adminKey)
    ])

    const filters = yield* Effect.forEach(answers, (answer) =>
      Effect.map(jsonOf(answer), ({ filter }) => [answer.status, filter])
    )
    assert.deepStrictEqual(filters, [
      [202, { ...nothing, key_id: key.id }],
      [202, nothing]
    ])
  })

  test("stop when they are cancelled, however often", function* () {
    const { admin, integration, params } = yield* makeTenant()
    const [one, other] = [
      yield* job(integration.replays.begin({ params: {}, payload: null })),
      yield* job(admin.replays.begin({ params, payload: null }))
    ]

    const cancelled = yield* integration.replays.cancel({ params: { id: one.id } })
    const again = yield* integration.replays.cancel({ params: { id: one.id } })
    const byOperator = yield* admin.replays.cancel({ params: { ...params, id: other.id } })

    assert.strictEqual(cancelled.status, "cancelled")
    assert.deepStrictEqual({ ...again, request_id: cancelled.request_id }, cancelled)
    assert.strictEqual(byOperator.status, "cancelled")
  })

  test("of a key are seen and stopped by operators too", function* () {
    const { admin, integration, params } = yield* makeTenant()
    const { id: own } = yield* job(integration.replays.begin({ params: {}, payload: null }))

    const seen = yield* admin.replays.get({ params: { ...params, id: own } })

    assert.deepInclude(seen, { id: own, status: "running" })
  })

  test("are told of beforehand, and none begins", function* () {
    const { admin, integration, key, params } = yield* makeTenant()
    const payload = { status: ["dead", "delivered", "cancelled"], dry_run: true } as const
    const { delivery_id } = yield* admin.deliveries.test({
      params,
      payload: { callback_url: "https://receiver.example/hook", key_id: key.id }
    })
    yield* settleAll

    const byKey = yield* integration.replays.begin({ params: {}, payload })
    const byOperator = yield* admin.replays.begin({ params, payload: { ...payload, ids: [delivery_id] } })
    const { data } = yield* admin.replays.list({ params, query: {} })

    const { created_at } = yield* admin.deliveries.get({ params: { ...params, id: delivery_id } })
    const seen = {
      would_replay: 1,
      is_more: false,
      origins: [{ origin: "https://receiver.example", count: 1 }],
      types: { "webhook.test": 1 },
      oldest_at: created_at,
      newest_at: created_at
    }
    assert.deepStrictEqual(byKey, { ...seen, request_id: byKey.request_id })
    assert.deepStrictEqual(byOperator, { ...seen, request_id: byOperator.request_id })
    assert.deepStrictEqual(data, [])
  })

  test("keep what they were asked for, what they expected, and what became of it", function* () {
    const { admin, integration, key, params } = yield* makeTenant()
    const { delivery_id } = yield* admin.deliveries.test({
      params,
      payload: { callback_url: "https://receiver.example/hook", key_id: key.id }
    })
    yield* settleAll
    const payload = { status: ["delivered"], ids: [delivery_id], last_only: true } as const

    const begun = yield* job(integration.replays.begin({ params: {}, payload }))
    yield* bite
    const sent = yield* integration.replays.get({ params: { id: begun.id } })
    yield* settleAll
    const ended = yield* integration.replays.get({ params: { id: begun.id } })

    assert.deepStrictEqual(begun.filter, { ...nothing, ...payload, key_id: key.id })
    assert.deepInclude(begun, { expected: 1, replayed: 0, delivered: 0, failed: 0, waiting: 0 })
    assert.deepInclude(sent, { expected: 1, replayed: 1, delivered: 0, failed: 0, waiting: 1 })
    assert.deepInclude(ended, { status: "completed", delivered: 1, failed: 0, waiting: 0 })
  })

  test("are listed, newest first, to operators all and to a key its own", function* () {
    const { admin, integration, params } = yield* makeTenant()
    const own = yield* job(integration.replays.begin({ params: {}, payload: null }))
    const whole = yield* job(admin.replays.begin({ params, payload: null }))

    const ofKey = yield* integration.replays.list({ params: {}, query: {} })
    const first = yield* admin.replays.list({ params, query: { limit: 1 } })

    assert.deepStrictEqual(
      ofKey.data.map((each) => each.id),
      [own.id]
    )
    assert.deepStrictEqual(
      first.data.map((each) => each.id),
      [whole.id]
    )
    assert.isNotNull(first.next_cursor)
  })

  test("take no more than 200 ids, and no empty list of them, naming the field", function* () {
    const { key } = yield* makeTenant()
    const host = yield* Host

    const answers = yield* Effect.forEach([[], Array.from({ length: 201 }, () => id)], (ids) =>
      host("/api/v1/integrations/webhooks/replays", {
        method: "POST",
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify({ ids })
      })
    )

    for (const answer of answers) {
      assert.strictEqual(answer.status, 400)
      assert.include((yield* errorOf(answer)).message, "ids")
    }
  })

  test("of other keys and accounts are as unknown as those that do not exist, to the byte", function* () {
    const tenant = yield* makeTenant()
    const { id: own } = yield* job(tenant.integration.replays.begin({ params: {}, payload: null }))
    const { id: whole } = yield* job(tenant.admin.replays.begin({ params: tenant.params, payload: null }))
    const { key } = yield* makeNeighbour(tenant)
    const stranger = yield* makeTenant()
    const host = yield* Host
    const answer = Effect.fnUntraced(function* (bearer: string, method: string, path: string) {
      const response = yield* host(`/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}` }
      })
      const text = yield* Effect.promise(() => response.text())
      return `${response.status} ${text.replaceAll(/req_\w+/g, "")}`
    })
    const bothOf = (bearer: string, path: string) =>
      Effect.all([answer(bearer, "GET", path), answer(bearer, "POST", `${path}/cancel`)])
    const integrations = "integrations/webhooks/replays"

    const answers = yield* Effect.all([
      bothOf(key, `${integrations}/${own}`),
      bothOf(tenant.key.key, `${integrations}/${whole}`),
      bothOf(stranger.key.key, `${integrations}/${own}`),
      bothOf(stranger.key.key, `${integrations}/${unknown}`),
      bothOf(adminKey, `admin/accounts/${stranger.params.account_id}/webhooks/replays/${own}`),
      bothOf(adminKey, `admin/accounts/${AccountId.make(id)}/webhooks/replays/${own}`)
    ])

    assert.strictEqual(new Set(answers.flat()).size, 1)
    assert.match(answers[0][0], /^404 /)
    const { status } = yield* tenant.integration.replays.get({ params: { id: own } })
    assert.strictEqual(status, "running")
  })

  test("are not for keys without the capability", function* () {
    const { admin, params } = yield* makeTenant()
    const { key } = yield* admin.keys.create({
      params,
      payload: { name: "Reader", capabilities: ["webhooks:read"] }
    })
    const client = yield* integrationClient(key)
    const named = { params: { id: unknown } }

    const refusals = yield* Effect.all([
      refusalOf(client.replays.begin({ params: {}, payload: null })),
      refusalOf(client.replays.get(named)),
      refusalOf(client.replays.cancel(named)),
      refusalOf(client.replays.list({ params: {}, query: {} }))
    ])

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["forbidden", "forbidden", "forbidden", "forbidden"]
    )
  })

  test("of what is pending are refused, naming the field", function* () {
    const { key } = yield* makeTenant()
    const host = yield* Host

    const answer = yield* host("/api/v1/integrations/webhooks/replays", {
      method: "POST",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify({ status: ["pending"] })
    })

    assert.include([400, 422], answer.status)
    assert.include((yield* errorOf(answer)).message, "status")
  })
})
