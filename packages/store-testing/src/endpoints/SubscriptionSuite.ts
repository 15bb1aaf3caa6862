/** What every store tells standing endpoints of changes: an event of each that they want. */
import { assert } from "@effect/vitest"
import { renderExecutionEvent } from "@runhook/core/deliveries/WebhookPayload"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { anyDelivery } from "../deliveries/DeliveryFixtures.ts"
import { makeInlet } from "../deliveries/queue/InletFixtures.ts"
import {
  callbackUrl,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import { lease, makeClaimedRun, makeStartedRun, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { fanOutAll, makeEndpoint, toldDeliveriesOf } from "./EndpointFixtures.ts"

const outcome = { _tag: "Completed", result: StoredJson.of({ sum: 3 }) } as const

/** The types of the events of an execution for an endpoint, in their order. */
const toldTo = Effect.fnUntraced(function* (
  endpoint: { readonly id: string },
  execution: Parameters<typeof toldDeliveriesOf>[0]
) {
  const deliveries = yield* toldDeliveriesOf(execution)
  return deliveries
    .filter(({ endpointId }) => endpointId === endpoint.id)
    .toSorted((one, other) => (one.revision ?? 0) - (other.revision ?? 0))
    .map(({ type }) => type)
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Subscriptions", { layer, name }, (it) => {
    it.test("stores an event of its own for each endpoint, beside the callback", function* () {
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const sent = yield* makeEndpoint(tenant.accountId)
      const polled = yield* makeEndpoint(tenant.accountId, { kind: "poll" })
      const { run } = yield* makeStartedRun(tenant, { callbackUrl, callbackEvents: ["execution.queued"] })

      const change = yield* runs.finish({ ...writeTo(run, second(9)), outcome, fingerprint: "one" })
      const events = yield* fanOutAll

      const { execution } = change.run
      const deliveries = yield* toldDeliveriesOf(execution)
      const all = ["execution.queued", "execution.started", "execution.completed"]
      assert.deepStrictEqual(yield* toldTo(sent, execution), all)
      assert.deepStrictEqual(yield* toldTo(polled, execution), all)
      assert.lengthOf(
        deliveries.filter(({ endpointId }) => endpointId === null),
        1
      )
      assert.strictEqual(new Set(deliveries.map(({ id }) => id)).size, 7)
      assert.deepStrictEqual(
        new Set(
          events.filter(({ accountId }) => accountId === tenant.accountId).map(({ endpointId }) => endpointId)
        ),
        new Set([sent.id, polled.id])
      )
      assert.isTrue(change.hasListeners)
      const last = deliveries.find(
        ({ endpointId, type }) => endpointId === sent.id && type === "execution.completed"
      )
      assert(last !== undefined)
      assert.deepInclude(last, {
        url: sent.url,
        apiKeyId: null,
        revision: change.run.revision,
        state: "pending"
      })
      assert.strictEqual(
        last.body,
        renderExecutionEvent({
          id: last.id,
          type: "execution.completed",
          occurredAt: execution.updatedAt,
          execution
        })
      )
    })

    it.test("tells of every way in which an execution moves", function* () {
      const executions = yield* ExecutionStore
      const runs = yield* RunStore
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId)
      const stopped = yield* makeExecution(tenant)
      const held = yield* makeExecution(tenant, { status: "pending" })
      const late = yield* makeExecution(tenant, { expiresAt: second(5), scheduledAt: second(90) })
      const ref = ({ accountId, id }: typeof held) => ({ accountId, id, at: second(3) })

      yield* executions.stop({ ...ref(stopped), to: "aborted", reason: null })
      yield* executions.release(ref(held))
      const swept = yield* sweeps.expireExecutions({ at: second(6), limit: 1_000 })

      assert.deepStrictEqual(yield* toldTo(endpoint, stopped), ["execution.queued", "execution.aborted"])
      assert.deepStrictEqual(yield* toldTo(endpoint, held), ["execution.queued"])
      assert.deepStrictEqual(yield* toldTo(endpoint, late), ["execution.queued", "execution.aborted"])
      assert.isTrue(swept.find(({ run }) => run.execution.id === late.id)?.hasListeners)
      const { run } = yield* makeClaimedRun(yield* makeTenant())
      yield* runs.start({ ...writeTo(run, second(2)), lease })
      assert.deepStrictEqual(yield* toldDeliveriesOf(run.execution), [])
    })

    it.test("tells an endpoint only what it wants while it is enabled", function* () {
      const store = yield* EndpointStore
      const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
      const { accountId, agentId, taskId } = tenant
      const ends = yield* makeEndpoint(accountId, { eventTypes: ["execution.completed"], taskIds: [taskId] })
      const others = yield* makeEndpoint(accountId, { agentIds: [stranger.agentId] })
      const own = yield* makeEndpoint(accountId, { agentIds: [agentId], isEnabled: false })
      const before = yield* makeExecution(tenant)

      const ref = { accountId, apiKeyId: null, id: own.id }
      yield* store.update(ref, { change: { isEnabled: true }, at: second(1) })
      const during = yield* makeExecution(tenant)
      yield* fanOutAll
      yield* store.remove(ref, { at: second(2) })
      const after = yield* makeExecution(tenant)

      assert.deepStrictEqual(yield* toldDeliveriesOf(before), [])
      assert.deepStrictEqual(yield* toldTo(own, during), ["execution.queued"])
      assert.deepStrictEqual(yield* toldDeliveriesOf(after), [])
      for (const each of [ends, others]) assert.deepStrictEqual(yield* toldTo(each, during), [])
    })

    it.test("tells the endpoint of a key nothing that the key may not see", function* () {
      const keys = yield* ApiKeyStore
      const tenant = yield* makeTenant()
      const { accountId, agentId, taskId } = tenant
      const key = yield* makeApiKey(accountId, { allowedTaskIds: [taskId] })
      const endpoint = yield* makeEndpoint(accountId, { apiKeyId: key.id })
      const revoked = yield* makeApiKey(accountId)
      const mute = yield* makeEndpoint(accountId, { apiKeyId: revoked.id })
      const ref = { accountId, id: key.id, at: second(1) }

      const seen = yield* makeExecution(tenant)
      yield* fanOutAll
      yield* keys.revoke({ accountId, id: revoked.id, at: second(1) })
      yield* keys.update({ ...ref, change: { allowedTaskIds: null, allowedAgentIds: [] } })
      const unseen = yield* makeExecution(tenant)
      yield* fanOutAll
      yield* keys.update({ ...ref, change: { allowedAgentIds: [agentId], expiresAt: second(60) } })
      const again = yield* makeExecution(tenant)
      const expired = yield* makeExecution(tenant, { createdAt: second(60) })

      const first = (yield* toldDeliveriesOf(seen)).find(({ endpointId }) => endpointId === endpoint.id)
      assert.strictEqual(first?.apiKeyId, key.id)
      assert.deepStrictEqual(yield* toldTo(mute, seen), ["execution.queued"])
      assert.deepStrictEqual(yield* toldDeliveriesOf(unseen), [])
      assert.deepStrictEqual(yield* toldTo(endpoint, again), ["execution.queued"])
      assert.deepStrictEqual(yield* toldDeliveriesOf(expired), [])
    })

    it.test(
      "tells the endpoint of a key only while the key may keep endpoints and see executions",
      function* () {
        const keys = yield* ApiKeyStore
        const tenant = yield* makeTenant()
        const { accountId } = tenant
        const key = yield* makeApiKey(accountId)
        const endpoint = yield* makeEndpoint(accountId, { apiKeyId: key.id })
        const withOnly = Effect.fnUntraced(function* (capabilities: ApiKeyRecord["capabilities"]) {
          yield* keys.update({ accountId, id: key.id, at: second(1), change: { capabilities } })
          return yield* toldTo(endpoint, yield* makeExecution(tenant))
        })

        const told = [
          yield* withOnly(["catalog:read"]),
          yield* withOnly(["endpoints:manage", "executions:read"]),
          yield* withOnly(["endpoints:manage", "executions:write", "webhooks:read"]),
          yield* withOnly(["executions:read"]),
          yield* withOnly([]),
          yield* withOnly(null)
        ]

        const queued = ["execution.queued"]
        assert.deepStrictEqual(told, [[], queued, [], [], [], queued])
      }
    )

    it.test("tells of a repeated create nothing more", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId)
      const idempotency = { key: "order-7", fingerprint: "of the body", expiresAt: second(1_000) }
      const execution = yield* newExecution(tenant)
      yield* executions.create({ ...unlimited, idempotency, execution })

      const repeat = yield* newExecution(tenant)
      yield* executions.create({ ...unlimited, idempotency, execution: repeat })

      assert.deepStrictEqual(yield* toldTo(endpoint, execution), ["execution.queued"])
      assert.deepStrictEqual(yield* toldDeliveriesOf(repeat), [])
    })

    it.test("keeps the order of events apart for each endpoint and the callback", function* () {
      const deliveries = yield* DeliveryStore
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId)
      const inlet = yield* makeInlet(tenant, { places: 0 })
      const { run } = yield* makeStartedRun(tenant, { callbackUrl })
      const claim = { lease, room: { ...roomFor(1_000), accounts: new Map() }, dispatcher: inlet.dispatcher }
      const isOwn = ({ delivery }: { readonly delivery: { readonly accountId: string } }) =>
        delivery.accountId === tenant.accountId

      yield* fanOutAll

      const { deliveries: claimed } = yield* deliveries.claimDue({ ...claim, at: second(3) })

      const own = claimed.filter(isOwn)
      const first = (endpointId: string | null) =>
        own.find(({ delivery }) => delivery.endpointId === endpointId && delivery.type === "execution.queued")
      const second_ = (endpointId: string | null) =>
        own.find(
          ({ delivery }) => delivery.endpointId === endpointId && delivery.type === "execution.started"
        )
      assert.lengthOf(own, 4)
      for (const listener of [null, endpoint.id]) {
        assert.isNull(first(listener)?.behind)
        assert.strictEqual(second_(listener)?.behind, first(listener)?.delivery.id)
      }
      const { items } = yield* deliveries.list(
        tenant.accountId,
        { ...anyDelivery, endpointId: endpoint.id },
        { after: null, limit: 10 }
      )
      assert.deepStrictEqual(
        items.map(({ executionId, endpointId }) => [executionId, endpointId]),
        [
          [run.execution.id, endpoint.id],
          [run.execution.id, endpoint.id]
        ]
      )
    })
  })
