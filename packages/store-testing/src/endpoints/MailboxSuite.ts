/** How every store gives out the messages of poll endpoints. */
import { assert } from "@effect/vitest"
import { deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import { acknowledgedAttempt } from "@runhook/core/endpoints/Messages"
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import { DispatcherId, newId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { anyDelivery, attemptOf, claimAll, claimOnce, makeDelivery } from "../deliveries/DeliveryFixtures.ts"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { lease, makeStartedRun } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { fanOutAll, makeEndpoint, toldDeliveriesOf } from "./EndpointFixtures.ts"

const fetchAt = (endpoint: WebhookEndpoint, at: DateTime.Utc, limit = 100) =>
  Effect.andThen(
    fanOutAll,
    EndpointStore.use((store) => store.fetch(endpoint, { at, limit, bytesMax: 1_000_000 }))
  )

/** Acknowledges messages as the use case does. */
const acknowledge = Effect.fnUntraced(function* (
  endpoint: WebhookEndpoint,
  ids: Parameters<EndpointStore["Service"]["given"]>[1],
  at: DateTime.Utc
) {
  const given = yield* EndpointStore.use((store) => store.given(endpoint, ids))
  const settlements = given.map((delivery) => ({
    accountId: endpoint.accountId,
    attempt: acknowledgedAttempt(delivery, at),
    verdict: { _tag: "Delivered" as const }
  }))
  yield* DeliveryStore.use((store) => store.settle(settlements, at))
  return given.length
})

const typesOf = (fetched: { readonly messages: ReadonlyArray<{ readonly type: string }> }) =>
  fetched.messages.map(({ type }) => type.replace("execution.", ""))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Mailboxes", { layer, name }, (it) => {
    it.test(
      "gives out messages in order, once for the length of their lease, until acknowledged",
      function* () {
        const tenant = yield* makeTenant()
        const endpoint = yield* makeEndpoint(tenant.accountId, { kind: "poll" })
        const { run } = yield* makeStartedRun(tenant)

        const first = yield* fetchAt(endpoint, second(10))
        const meanwhile = yield* fetchAt(endpoint, second(69))
        const again = yield* fetchAt(endpoint, second(70))
        const [queued, started] = again.messages
        const done = yield* acknowledge(
          endpoint,
          again.messages.map(({ id }) => id),
          second(75)
        )
        const repeated = yield* acknowledge(
          endpoint,
          again.messages.map(({ id }) => id),
          second(76)
        )
        const after = yield* fetchAt(endpoint, second(1_000))

        assert.deepStrictEqual(typesOf(first), ["queued", "started"])
        assert.deepStrictEqual(first.nextDueAt, second(70))
        assert.deepStrictEqual(meanwhile.messages, [])
        assert.deepStrictEqual(typesOf(again), ["queued", "started"])
        assert.deepStrictEqual([queued?.attempts, started?.attempts], [2, 2])
        assert.deepStrictEqual([done, repeated], [2, 0])
        assert.deepStrictEqual(after, { messages: [], nextDueAt: null })
        const settled = yield* toldDeliveriesOf(run.execution)
        assert.deepStrictEqual(new Set(settled.map(({ state }) => state)), new Set(["delivered"]))
        const [delivered] = settled
        assert(delivered !== undefined)
        const detail = yield* DeliveryStore.use((store) => store.get(tenant.accountId, delivered.id))
        assert.deepInclude(detail.attempts[0], {
          number: 2,
          startedAt: second(70),
          durationMs: 5_000,
          error: null
        })
      }
    )

    it.test("gives out no event while one before it was given out earlier", function* () {
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId, { kind: "poll" })
      yield* makeStartedRun(tenant)
      const first = yield* fetchAt(endpoint, second(10), 1)

      const behind = yield* fetchAt(endpoint, second(11))
      yield* acknowledge(
        endpoint,
        first.messages.map(({ id }) => id),
        second(12)
      )
      const next = yield* fetchAt(endpoint, second(13))

      assert.deepStrictEqual(typesOf(first), ["queued"])
      assert.deepStrictEqual(behind.messages, [])
      assert.deepStrictEqual(typesOf(next), ["started"])
    })

    it.test("gives nothing of a mailbox to a dispatcher, nor of another mailbox", function* () {
      const deliveries = yield* DeliveryStore
      const store = yield* EndpointStore
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId, { kind: "poll" })
      const other = yield* makeEndpoint(tenant.accountId, { kind: "poll", eventTypes: ["execution.failed"] })
      const execution = yield* makeExecution(tenant)

      const { deliveries: claimed } = yield* deliveries.claimDue({
        room: roomFor(1_000),
        lease,
        at: second(9)
      })

      assert.isFalse(claimed.some(({ delivery }) => delivery.executionId === execution.id))
      assert.deepStrictEqual((yield* fetchAt(other, second(10))).messages, [])
      assert.deepStrictEqual(yield* store.changed([endpoint, other], second(10)), [endpoint.id])
      const all = yield* Effect.forEach([1, 2, 3], () => fetchAt(endpoint, second(10)), {
        concurrency: "unbounded"
      })
      assert.lengthOf(
        all.flatMap(({ messages }) => messages),
        1
      )
      assert.deepStrictEqual(yield* store.changed([endpoint, other], second(10)), [])
    })

    it.test("buries what was given out too often, and goes on with the next", function* () {
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId, { kind: "poll" })
      const { run } = yield* makeStartedRun(tenant)
      for (let time = 0; time < deliveryAttemptsMax; time++)
        yield* fetchAt(endpoint, second(10 + time * 60), 1)

      const next = yield* fetchAt(endpoint, second(10 + deliveryAttemptsMax * 60), 1)

      assert.deepStrictEqual(typesOf(next), ["started"])
      const [queued] = yield* toldDeliveriesOf(run.execution)
      assert.deepInclude(queued, { state: "dead", lastCause: "no_answer", attempts: deliveryAttemptsMax })
    })

    it.test(
      "ends what waits for endpoints that are removed, forsaken, or that nobody fetches from",
      function* () {
        const deliveries = yield* DeliveryStore
        const store = yield* EndpointStore
        const tenant = yield* makeTenant()
        const { accountId, apiKeyId } = tenant
        const removed = yield* makeEndpoint(accountId, { kind: "poll" })
        const forsaken = yield* makeEndpoint(accountId, { kind: "poll", removeAfterSeconds: 100 })
        const fetched = yield* makeEndpoint(accountId, { kind: "poll", removeAfterSeconds: 100 })
        const quiet = yield* makeEndpoint(accountId, { kind: "poll" })
        yield* makeExecution(tenant)
        yield* fetchAt(fetched, second(30))
        yield* store.remove({ accountId, apiKeyId: null, id: removed.id }, { at: second(31) })
        const old = yield* makeDelivery(
          { accountId, apiKeyId },
          { endpointId: quiet.id, url: quiet.url, expiresAt: second(50), nextAttemptAt: second(-400_000) }
        )

        let isMore = true
        for (let bite = 0; isMore && bite < 100; bite++)
          isMore = yield* store.prune({ at: second(101), limit: 1_000 })

        const { items } = yield* deliveries.list(accountId, anyDelivery, { after: null, limit: 100 })
        const stateOf = ({ id }: WebhookEndpoint) =>
          items.filter(({ endpointId }) => endpointId === id).map(({ state }) => state)
        assert.deepStrictEqual(
          (yield* store.list({ accountId, apiKeyId: null })).map(({ id }) => id),
          [fetched.id, quiet.id]
        )
        assert.sameMembers(
          [...(yield* store.changed([removed, forsaken, fetched, quiet], second(-500_000)))],
          [removed.id, forsaken.id]
        )
        assert.deepStrictEqual(stateOf(removed), ["cancelled"])
        assert.deepStrictEqual(stateOf(forsaken), ["cancelled"])
        assert.deepStrictEqual(stateOf(fetched), ["pending"])
        assert.deepInclude(
          yield* deliveries.get(accountId, old.id).pipe(Effect.map(({ delivery }) => delivery)),
          {
            state: "dead",
            lastCause: "expired"
          }
        )
      }
    )

    it.test("cancels what waits for a removed endpoint or account, and counts what was sent", function* () {
      const deliveries = yield* DeliveryStore
      const store = yield* EndpointStore
      const [one, other] = [yield* makeTenant(), yield* makeTenant()]
      const endpoint = yield* makeEndpoint(one.accountId, {})
      const told = { endpointId: endpoint.id, url: endpoint.url }
      const verdict = { _tag: "Retry", nextAttemptAt: second(10_000) } as const
      const waiting = [yield* makeDelivery(one, told)]
      const settled = [yield* claimAll(one, { at: second(1) })]
      waiting.push(yield* makeDelivery(other))
      settled.push(yield* claimAll(other, { at: second(1) }))
      yield* deliveries.settle(
        settled.flat().map((each) => ({ accountId: each.accountId, attempt: attemptOf(each), verdict })),
        second(2)
      )
      const sent = yield* makeDelivery(one, told)
      const dispatcher = yield* newId(DispatcherId)
      const { deliveries: claimed } = yield* claimOnce(one, { at: second(3), dispatcher })
      yield* store.remove({ accountId: one.accountId, apiKeyId: null, id: endpoint.id }, { at: second(4) })
      yield* AccountStore.use((accounts) => accounts.remove({ id: other.accountId, at: second(4) }))

      for (let isMore = true; isMore;) isMore = yield* store.prune({ at: second(5), limit: 1_000 })

      const now = yield* Effect.forEach([...waiting, sent], ({ accountId, id }) =>
        Effect.map(deliveries.get(accountId, id), ({ attempts, delivery }) => ({
          counted: [delivery.state, delivery.attempts, delivery.lastStatus, delivery.lastCause],
          recorded: attempts.length
        }))
      )
      const cancelled = { counted: ["cancelled", 1, 503, "server_error"], recorded: 1 }
      const inFlight = { counted: ["pending", 1, null, null], recorded: 0 }
      assert.deepStrictEqual(now, [cancelled, cancelled, inFlight])
      // Its dispatcher finds that the endpoint is gone, and sends nothing.
      yield* deliveries.settle(
        claimed.map((each) => ({
          accountId: each.accountId,
          attempt: attemptOf(each, { phase: "policy", status: null, error: null }),
          isUnmade: true,
          verdict: { _tag: "Cancelled" }
        })),
        second(6)
      )
      const { attempts, delivery } = yield* deliveries.get(one.accountId, sent.id)
      assert.deepInclude(delivery, { state: "cancelled", attempts: 0, lastStatus: null, lastCause: null })
      assert.deepStrictEqual(attempts, [])
    })

    it.test("cancels what waits for an endpoint whose key has ended or lost what it needs", function* () {
      const keys = yield* ApiKeyStore
      const deliveries = yield* DeliveryStore
      const store = yield* EndpointStore
      const { accountId } = yield* makeTenant()
      const told = Effect.fnUntraced(function* (fields: Partial<ApiKeyRecord>) {
        const { id: apiKeyId } = yield* makeApiKey(accountId, fields)
        const { id: endpointId, url } = yield* makeEndpoint(accountId, { apiKeyId })
        const event = yield* makeDelivery({ accountId, apiKeyId }, { endpointId, url })
        const callback = yield* makeDelivery({ accountId, apiKeyId })
        return { apiKeyId, events: [event, callback] }
      })
      const revoked = yield* told({})
      yield* keys.revoke({ accountId, id: revoked.apiKeyId, at: second(1) })
      const all = [
        revoked,
        yield* told({ expiresAt: second(2) }),
        yield* told({ capabilities: ["endpoints:manage"] }),
        yield* told({ capabilities: ["executions:read"] }),
        yield* told({ capabilities: ["executions:read", "endpoints:manage"] }),
        yield* told({ expiresAt: second(60) })
      ]

      for (let isMore = true; isMore;) isMore = yield* store.prune({ at: second(3), limit: 1_000 })

      const states = yield* Effect.forEach(all, ({ events }) =>
        Effect.forEach(events, ({ id }) =>
          Effect.map(deliveries.get(accountId, id), ({ delivery }) => delivery.state)
        )
      )
      const gone = ["cancelled", "pending"]
      const kept = ["pending", "pending"]
      assert.deepStrictEqual(states, [gone, gone, gone, gone, kept, kept])
    })
  })
