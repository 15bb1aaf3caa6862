/** Standing endpoints over the wire: those of a key, and all of an account. */
import { assert, describe, it } from "@effect/vitest"
import { EndpointId, EventId } from "@runhook/core/shared/Ids"
import { parse } from "@runhook/core/signing/SigningSecret"
import { sign } from "@runhook/core/signing/WebhookSignature"
import * as EndpointEvents from "@runhook/core/endpoints/EndpointEvents"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeBrowser } from "./Browser.ts"
import { errorOf, id } from "./Hosts.ts"
import { Host, integrationClient, refusalOf, service, test } from "./Service.ts"
import { makeTenant } from "./Tenant.ts"

/** A service that tells endpoints of what it stores. */
const telling = Layer.provideMerge(EndpointEvents.layerLoop, service)

const url = "https://hooks.example.com/runhook?token=secret"
const unknown = EndpointId.make(id)

const withAdminKey = { headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" } }

describe("standing endpoints", () => {
  test("are made with a secret that is shown once, changed, and removed", function* () {
    const { integration, key, task } = yield* makeTenant()
    const payload = { kind: "push", url, description: "The shop", task_ids: [task.id] } as const

    const made = yield* integration.endpoints.create({ params: {}, payload })
    const ref = { params: { id: made.id } }
    const paused = yield* integration.endpoints.update({
      ...ref,
      payload: { enabled: false, event_types: ["execution.failed"], url: "https://hooks.example.com/b" }
    })
    const rotated = yield* integration.endpoints.rotate({ ...ref, payload: { overlap_seconds: 60 } })
    const { data } = yield* integration.endpoints.list({ params: {} })
    yield* integration.endpoints.remove(ref)

    const { request_id: _, signing_secret, ...endpoint } = made
    assert.match(signing_secret, /^whsec_/)
    assert.deepInclude(endpoint, {
      url,
      enabled: true,
      event_types: null,
      key_id: key.id,
      description: "The shop"
    })
    assert.deepInclude(paused, { enabled: false, event_types: ["execution.failed"] })
    assert.notStrictEqual(rotated.signing_secret, signing_secret)
    assert.deepInclude(data[0], {
      id: made.id,
      url: "https://hooks.example.com/b",
      previous_expires_at: rotated.previous_expires_at
    })
    assert.strictEqual((yield* refusalOf(integration.endpoints.get(ref))).code, "not_found")
  })

  test("of a key are unknown to others, and known to the account", function* () {
    const ours = yield* makeTenant()
    const { admin, integration, params } = ours
    const other = yield* admin.keys.create({ params, payload: { name: "Other" } })
    const others = yield* integrationClient(other.key)
    const mute = yield* admin.keys.create({
      params,
      payload: { name: "Mute", capabilities: ["executions:read"] }
    })
    const { id: endpointId } = yield* integration.endpoints.create({
      params: {},
      payload: { kind: "poll" }
    })
    const shared = yield* admin.endpoints.create({ params, payload: { kind: "push", url } })
    const ref = { params: { id: endpointId } }

    const calls = [
      others.endpoints.get(ref),
      others.endpoints.remove(ref),
      others.endpoints.test(ref),
      integration.endpoints.get({ params: { id: shared.id } }),
      admin.endpoints.get({ params: { ...params, id: unknown } })
    ]
    for (const call of calls) assert.strictEqual((yield* refusalOf(call)).code, "not_found")
    const fetching = others.endpoints.messages({ ...ref, query: {} })
    assert.strictEqual((yield* refusalOf(fetching)).code, "not_found")
    const ack = others.endpoints.ack({ ...ref, payload: { message_ids: [EventId.make(id)] } })
    assert.strictEqual((yield* refusalOf(ack)).code, "not_found")
    const refused = yield* refusalOf((yield* integrationClient(mute.key)).endpoints.list({ params: {} }))

    assert.strictEqual(refused.code, "forbidden")
    const { data } = yield* admin.endpoints.list({ params })
    assert.deepStrictEqual(
      data.map(({ id: each, key_id }) => [each, key_id]),
      [
        [endpointId, ours.key.id],
        [shared.id, null]
      ]
    )
    const viewer = yield* makeBrowser(ours.account.id, { role: "viewer" })
    const seen = yield* viewer.send(`/api/v1/admin/accounts/${ours.account.id}/webhooks/endpoints`)
    assert.strictEqual(seen.status, 403)
  })

  it.effect("are for keys that may see executions: others neither make one nor fetch what it was told", () =>
    Effect.gen(function* () {
      const { admin, agent, integration, key, params, task } = yield* makeTenant()
      const payload = { kind: "poll" } as const
      const { id: endpointId } = yield* integration.endpoints.create({ params: {}, payload })
      const created = { agent_id: agent.id, task_id: task.id }
      yield* integration.executions.create({ params: {}, headers: {}, query: {}, payload: created })
      const ofKey = { params: { ...params, key_id: key.id } }
      const messages = integration.endpoints.messages({ params: { id: endpointId }, query: {} })

      yield* admin.keys.update({ ...ofKey, payload: { capabilities: ["endpoints:manage"] } })
      const refusals = [
        yield* refusalOf(integration.endpoints.create({ params: {}, payload })),
        yield* refusalOf(messages)
      ]
      yield* admin.keys.update({
        ...ofKey,
        payload: { capabilities: ["endpoints:manage", "executions:read"] }
      })
      const { data } = yield* messages

      for (const { code, details } of refusals) {
        assert.strictEqual(code, "forbidden")
        assert.deepStrictEqual(details, { reason: "missing_capability", capability: "executions:read" })
      }
      assert.lengthOf(data, 1)
    }).pipe(Effect.provide(telling))
  )

  test("are refused with the field and the rule, and above their number", function* () {
    const { account, integration } = yield* makeTenant()
    const send = yield* Host
    const path = `/api/v1/admin/accounts/${account.id}/webhooks/endpoints`
    const said = Effect.fnUntraced(function* (body: object) {
      const answer = yield* send(path, { ...withAdminKey, method: "POST", body: JSON.stringify(body) })
      const { message } = yield* errorOf(answer)
      return `${answer.status} ${message}`
    })

    assert.match(yield* said({ kind: "pigeon", url }), /^400 .*kind/)
    assert.match(yield* said({ kind: "push" }), /^422 .*url.*must say where/)
    assert.match(yield* said({ kind: "poll", url }), /^422 .*url.*push alone/)
    assert.match(yield* said({ kind: "push", url: "http://10.0.0.1/" }), /^422 .*url/)
    assert.match(yield* said({ kind: "push", url: "ftp://example.com/" }), /^422 .*url/)
    assert.match(yield* said({ kind: "push", url, event_types: [] }), /^400 .*event_types/)
    assert.match(yield* said({ kind: "push", url, event_types: ["webhook.test"] }), /^400 .*event_types/)
    assert.match(yield* said({ kind: "push", url, remove_after_seconds: 90 }), /^422 .*remove_after_seconds/)
    assert.match(yield* said({ kind: "poll", remove_after_seconds: 5 }), /^400 .*remove_after_seconds/)
    const add = integration.endpoints.create({ params: {}, payload: { kind: "poll" } })
    const { id: polled } = yield* add
    const moved = yield* refusalOf(integration.endpoints.update({ params: { id: polled }, payload: { url } }))
    assert.match(moved.message, /url.*push alone/)
    yield* Effect.repeat(add, { times: 18 })
    const full = yield* refusalOf(add)
    assert.deepStrictEqual(full.details, { reason: "endpoint_limit_reached", limit: 20 })
  })
})

describe("the messages of an endpoint that is polled", () => {
  it.effect("come to who waits, signed as they would be sent, until they are acknowledged", () =>
    Effect.gen(function* () {
      const { agent, integration, task } = yield* makeTenant()
      const { id: endpointId, signing_secret } = yield* integration.endpoints.create({
        params: {},
        payload: { kind: "poll" }
      })
      const ref = { params: { id: endpointId } }
      const waiting = yield* Effect.forkChild(
        integration.endpoints.messages({ ...ref, query: { wait: 30, limit: 5 } }),
        { startImmediately: true }
      )

      const created = yield* integration.executions.create({
        params: {},
        headers: {},
        query: {},
        payload: { agent_id: agent.id, task_id: task.id }
      })
      const { data } = yield* Fiber.join(waiting)

      const [message] = data
      assert(message !== undefined && "execution_id" in created)
      const { attempt, body, headers, message_id } = message
      assert.strictEqual(attempt, 1)
      assert.deepInclude(JSON.parse(body), { event_id: message_id, type: "execution.queued" })
      const keys = Result.getOrThrow(parse(signing_secret))
      const timestamp = headers["X-Webhook-Timestamp"] ?? ""
      assert.deepInclude(headers, {
        "X-Webhook-Event-Id": message_id,
        "X-Webhook-Signature": sign(keys, { body, timestamp })
      })
      const again = yield* integration.endpoints.messages({ ...ref, query: {} })
      const acknowledging = integration.endpoints.ack({ ...ref, payload: { message_ids: [message_id] } })
      const acknowledged = [yield* acknowledging, yield* acknowledging].map((answer) => answer.acknowledged)
      const listed = yield* integration.webhooks.list({ params: {}, query: { endpoint_id: endpointId } })
      assert.deepStrictEqual(again.data, [])
      assert.deepStrictEqual(acknowledged, [1, 0])
      assert.deepStrictEqual(
        listed.data.map(({ endpoint_id, execution_id, state }) => [endpoint_id, execution_id, state]),
        [[endpointId, created.execution_id, "delivered"]]
      )
    }).pipe(Effect.provide(telling))
  )

  test("are those of no endpoint that is sent to, and end with it", function* () {
    const { integration } = yield* makeTenant()
    const add = (payload: { readonly kind: "poll" } | { readonly kind: "push"; readonly url: string }) =>
      integration.endpoints.create({ params: {}, payload })
    const [sent, polled] = [yield* add({ kind: "push", url }), yield* add({ kind: "poll" })]
    const fetching = (endpoint: { readonly id: EndpointId }, wait: number) =>
      refusalOf(integration.endpoints.messages({ params: { id: endpoint.id }, query: { wait } }))
    const waiting = yield* Effect.forkChild(fetching(polled, 30), { startImmediately: true })
    yield* integration.endpoints.test({ params: { id: sent.id } })

    const refused = yield* fetching(sent, 0)
    yield* integration.endpoints.remove({ params: { id: polled.id } })

    assert.deepStrictEqual(refused.details, { reason: "not_polled" })
    assert.strictEqual((yield* Fiber.join(waiting)).code, "not_found")
  })
})
