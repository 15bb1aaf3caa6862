import { assert, describe } from "@effect/vitest"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import { EventId } from "@runhook/core/shared/Ids"
import type { Capability } from "@runhook/core/keys/ApiKeyRecord"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { id } from "../Hosts.ts"
import { Host, integrationClient, refusalOf, test } from "../Service.ts"
import { makeExecution, makeTenant, type Tenant } from "../Tenant.ts"

const callback_url = "https://receiver.example.com/hooks"
const unknown = EventId.make(id)

/** Another key of the same account. */
const makeNeighbour = Effect.fnUntraced(function* (
  { admin, params }: Tenant,
  capabilities?: ReadonlyArray<Capability>
) {
  const payload = { name: "Front office", ...(capabilities && { capabilities }) }
  const { key } = yield* admin.keys.create({ params, payload })
  return { key, client: yield* integrationClient(key) }
})

const sendTest = ({ integration }: Tenant) =>
  integration.webhooks.test({ params: {}, payload: { callback_url } })

/** Has whatever is due attempted once, by the clock of the test. */
const attemptAll = Effect.fnUntraced(function* (
  verdict: Verdict,
  result: Partial<DeliveryAttempt> = {},
  move?: ReceiverMove
) {
  const [at, store] = [yield* DateTime.now, yield* DeliveryStore]
  const { deliveries } = yield* store.claimDue({ room: roomFor(100), lease: Duration.seconds(45), at })
  const settlements = deliveries.map(({ delivery }) => ({
    accountId: delivery.accountId,
    verdict,
    move,
    attempt: attemptOf(delivery, {
      startedAt: at,
      timings: { ...noTimings, headers: 10, body: 2 },
      durationMs: 12,
      requestHeaders: { "x-webhook-attempt": delivery.attempts.toString() },
      responseHeaders: { "retry-after": "1" },
      ...result
    })
  }))
  yield* store.settle(settlements, at)
})

const dead = { _tag: "Dead" } as const

describe("the deliveries of a key, over the wire", () => {
  test("are listed for that key alone, by what was asked for", function* () {
    const tenant = yield* makeTenant()
    const { execution_id } = yield* makeExecution(tenant, { callback_url })
    const { delivery_id } = yield* sendTest(tenant)
    const neighbour = yield* makeNeighbour(tenant)
    const idsOf = (
      query: Parameters<typeof tenant.integration.webhooks.list>[0]["query"],
      client = tenant.integration
    ) => Effect.map(client.webhooks.list({ params: {}, query }), ({ data }) => data.map((each) => each.id))

    const [newest, queued] = yield* idsOf({})

    assert.strictEqual(newest, delivery_id)
    assert.deepStrictEqual(yield* idsOf({ execution_id }), [queued])
    assert.deepStrictEqual(yield* idsOf({ type: "webhook.test" }), [delivery_id])
    assert.deepStrictEqual(yield* idsOf({ q: "RECEIVER.example", limit: 1 }), [delivery_id])
    assert.deepStrictEqual(yield* idsOf({ status: ["dead", "delivered"] }), [])
    assert.deepStrictEqual(yield* idsOf({}, neighbour.client), [])
  })

  test("answer a test with what it waits for, be it to a URL or to an endpoint", function* () {
    const tenant = yield* makeTenant()
    const { endpoints } = tenant.integration
    const payload = { kind: "push", url: callback_url } as const
    const endpoint = yield* endpoints.create({ params: {}, payload })
    const at = yield* DateTime.now
    const until = DateTime.add(at, { minutes: 1 })
    yield* sendTest(tenant)
    yield* attemptAll({ _tag: "Retry", nextAttemptAt: until }, {}, { _tag: "Open", openings: 1, until })

    const first = yield* sendTest(tenant)
    const others = [yield* sendTest(tenant), yield* endpoints.test({ params: { id: endpoint.id } })]

    assert.deepInclude(first, { callback_url, waiting_for: null, next_attempt_at: at })
    for (const other of others)
      assert.deepInclude(other, { waiting_for: "breaker_open", next_attempt_at: until })
  })

  test("show each attempt with its request and its answer, and what they wait for", function* () {
    const tenant = yield* makeTenant()
    const { delivery_id } = yield* sendTest(tenant)
    const at = yield* DateTime.now
    const nextAttemptAt = DateTime.add(at, { seconds: 5 })
    yield* attemptAll({ _tag: "Retry", nextAttemptAt })

    const shown = yield* tenant.integration.webhooks.get({ params: { id: delivery_id } })

    assert.deepInclude(shown, {
      state: "pending",
      attempts: 1,
      waiting_for: "backoff",
      next_attempt_at: nextAttemptAt
    })
    assert.deepStrictEqual(shown.attempts_log, [
      {
        round: 1,
        number: 1,
        started_at: at,
        duration_ms: 12,
        timings_ms: { dns: null, connect: null, tls: null, headers: 10, body: 2 },
        phase: "done",
        error: "The receiver answered 503",
        cause: "server_error",
        remote_address: "203.0.113.7",
        request: { headers: { "x-webhook-attempt": "1" }, body: shown.payload },
        response: { status: 503, headers: { "retry-after": "1" }, body: "busy", truncated: false }
      }
    ])
  })

  test("show neither a request nor an answer where nothing was sent", function* () {
    const tenant = yield* makeTenant()
    const { delivery_id } = yield* sendTest(tenant)
    const unsent = { phase: "dns", status: null, requestHeaders: {}, responseHeaders: {} } as const
    yield* attemptAll(dead, {
      ...unsent,
      responseBody: null,
      error: "The name has no address",
      cause: "dns"
    })

    const shown = yield* tenant.integration.webhooks.get({ params: { id: delivery_id } })

    assert.deepInclude(shown, { state: "dead", waiting_for: null, next_attempt_at: null })
    assert.deepInclude(shown.attempts_log[0], { phase: "dns", request: null, response: null })
  })

  test("are sent again once they are settled", function* () {
    const tenant = yield* makeTenant()
    const { delivery_id } = yield* sendTest(tenant)
    const replay = tenant.integration.webhooks.replay({ params: { id: delivery_id } })

    const early = yield* refusalOf(replay)
    yield* attemptAll(dead)
    const replayed = yield* replay

    assert.deepStrictEqual(early.details, { reason: "not_settled", state: "pending" })
    assert.deepInclude(replayed, { id: delivery_id, state: "pending", round: 2 })
  })

  test("of other keys and accounts are as unknown as those that do not exist, to the byte", function* () {
    const tenant = yield* makeTenant()
    const { delivery_id } = yield* sendTest(tenant)
    yield* attemptAll(dead)
    const { key } = yield* makeNeighbour(tenant)
    const stranger = (yield* makeTenant()).key.key
    const host = yield* Host
    const answer = Effect.fnUntraced(function* (bearer: string, method: string, path: string) {
      const response = yield* host(`/api/v1/integrations/webhooks/deliveries/${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}` }
      })
      const text = yield* Effect.promise(() => response.text())
      return `${response.status} ${text.replaceAll(/req_\w+/g, "")}`
    })

    const answers = yield* Effect.all([
      answer(key, "GET", delivery_id),
      answer(key, "POST", `${delivery_id}/replay`),
      answer(stranger, "GET", delivery_id),
      answer(stranger, "POST", `${delivery_id}/replay`),
      answer(stranger, "GET", unknown),
      answer(stranger, "POST", `${unknown}/replay`)
    ])

    assert.strictEqual(new Set(answers).size, 1)
    assert.match(answers[0], /^404 /)
    const { state } = yield* tenant.integration.webhooks.get({ params: { id: delivery_id } })
    assert.strictEqual(state, "dead")
  })

  test("are not for keys without the capability", function* () {
    const tenant = yield* makeTenant()
    const { client } = yield* makeNeighbour(tenant, ["webhooks:test"])
    const params = { id: unknown }

    const refusals = yield* Effect.all([
      refusalOf(client.webhooks.list({ params: {}, query: {} })),
      refusalOf(client.webhooks.get({ params })),
      refusalOf(client.webhooks.replay({ params }))
    ])

    assert.deepStrictEqual(new Set(refusals.map(({ code }) => code)), new Set(["forbidden"]))
  })
})
