/** Why deliveries have not arrived, over the wire. */
import { assert, describe } from "@effect/vitest"
import type { AttemptCause } from "@runhook/core/deliveries/steps/AttemptCause"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import { errorOf } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { claimed, settle } from "../Settled.ts"
import { makeTenant, type Tenant } from "../Tenant.ts"

/** A test webhook to a URL that was tried once in vain, and is given up. */
const makeDeadDelivery = Effect.fnUntraced(function* (
  { admin, key, params }: Tenant,
  callback_url: string,
  { cause, status }: { readonly cause: AttemptCause; readonly status: number | null }
) {
  const { delivery_id } = yield* admin.deliveries.test({ params, payload: { callback_url, key_id: key.id } })
  yield* settle(yield* claimed, { _tag: "Dead" }, { status, error: "It failed", cause })
  return delivery_id
})

/** One was refused, the other has no name. */
const failures = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  const refused = yield* makeDeadDelivery(tenant, "https://one.example.com/hook", {
    cause: "unauthorized",
    status: 401
  })
  const lost = yield* makeDeadDelivery(tenant, "https://two.example.com/hook", { cause: "dns", status: null })
  return { ...tenant, refused, lost }
})

describe("the causes of deliveries, over the wire", () => {
  test("are shown with the delivery and its attempts", function* () {
    const { admin, lost, params } = yield* failures

    const { attempts_log, last_cause } = yield* admin.deliveries.get({ params: { ...params, id: lost } })

    assert.deepStrictEqual([last_cause, attempts_log.map(({ cause }) => cause)], ["dns", ["dns"]])
  })

  test("narrow lists down, with answers, receivers and keys", function* () {
    const { admin, integration, key, lost, params, refused: one } = yield* failures
    const other = yield* admin.keys.create({ params, payload: { name: "Other" } })
    const idsOf = (query: Parameters<typeof admin.deliveries.list>[0]["query"]) =>
      Effect.map(admin.deliveries.list({ params, query }), ({ data }) => data.map(({ id }) => id))

    assert.deepStrictEqual(yield* idsOf({ cause: "unauthorized" }), [one])
    assert.deepStrictEqual(yield* idsOf({ answer: "none" }), [lost])
    assert.deepStrictEqual(yield* idsOf({ url_origin: "https://two.example.com" }), [lost])
    assert.deepStrictEqual(yield* idsOf({ key_id: key.id }), [lost, one])
    assert.deepStrictEqual(yield* idsOf({ key_id: other.id }), [])
    const own = yield* integration.webhooks.list({
      params: {},
      query: { answer: "4xx", cause: "unauthorized" }
    })
    assert.deepStrictEqual(
      own.data.map(({ id }) => id),
      [one]
    )
  })

  test("group the dead letters of the account, and of no other", function* () {
    const { admin, params } = yield* failures
    const stranger = yield* admin.accounts.create({ payload: { name: "Stranger" } })

    const groups = yield* admin.deliveries.deadLetters({ params })
    const none = yield* admin.deliveries.deadLetters({ params: { account_id: stranger.id } })

    assert.isFalse(groups.is_more)
    assert.deepStrictEqual(
      groups.data.map(({ cause, dead, is_more, origin, types }) => ({
        cause,
        dead,
        is_more,
        origin,
        types
      })),
      [
        {
          cause: "unauthorized",
          dead: 1,
          is_more: false,
          origin: "https://one.example.com",
          types: { "webhook.test": 1 }
        },
        {
          cause: "dns",
          dead: 1,
          is_more: false,
          origin: "https://two.example.com",
          types: { "webhook.test": 1 }
        }
      ]
    )
    assert.deepStrictEqual(none.data, [])
  })

  test("choose what is replayed", function* () {
    const { admin, key, params } = yield* failures
    const filter = { cause: "dns", url_origin: "https://two.example.com", answer: "none" } as const

    const job = yield* admin.replays.begin({ params, payload: { ...filter, key_id: key.id } })

    const chosen = "filter" in job ? job.filter : null
    assert.deepInclude(chosen, { ...filter, key_id: key.id })
  })

  test("are refused with the name of the field where there is no such thing", function* () {
    const { params } = yield* makeTenant()
    const host = yield* Host
    const refusalOf = Effect.fnUntraced(function* (query: string) {
      const path = `/api/v1/admin/accounts/${params.account_id}/deliveries?${query}`
      const answer = yield* host(path, { headers: { authorization: `Bearer ${adminKey}` } })
      return { status: answer.status, message: (yield* errorOf(answer)).message }
    })

    for (const [field, value] of [
      ["answer", "6xx"],
      ["cause", "gremlins"],
      ["key_id", "me"],
      ["url_origin", "https://two.example.com/hook"]
    ] as const) {
      const { message, status } = yield* refusalOf(`${field}=${value}`)
      assert.strictEqual(status, 400)
      assert.include(message, field)
    }
    const { message } = yield* refusalOf("url_origin=two.example.com")
    assert.include(message, "the origin of a URL, such as https://hooks.example.com")
  })
})
