/** How every store tells endpoints of changes after these are stored, whatever happens in between. */
import { assert } from "@effect/vitest"
import { renderExecutionEvent } from "@runhook/core/deliveries/WebhookPayload"
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import type { Execution } from "@runhook/core/executions/Execution"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import {
  deliveriesOf,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import {
  lease,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  makeWaitingPoll,
  writeTo
} from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { fanOutAll, makeEndpoint, toldDeliveriesOf } from "./EndpointFixtures.ts"

/** To which of the endpoints an execution was told, and of what. */
const told = Effect.fnUntraced(function* (execution: Execution, endpoints: ReadonlyArray<WebhookEndpoint>) {
  const deliveries = yield* toldDeliveriesOf(execution)
  return deliveries
    .map(({ endpointId, type }) => `${type} ${endpoints.findIndex(({ id }) => id === endpointId)}`)
    .toSorted()
})

const ref = ({ accountId, id }: WebhookEndpoint) => ({ accountId, apiKeyId: null, id })

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Fan-out", { layer, name }, (it) => {
    it.test("says of a change whether endpoints are yet to be told of it", function* () {
      const store = yield* EndpointStore
      const executions = yield* ExecutionStore
      const [without, other] = [yield* makeTenant(), yield* makeTenant()]
      const endpoint = yield* makeEndpoint(other.accountId)
      const creating = Effect.fnUntraced(function* (...asked: Parameters<typeof newExecution>) {
        const execution = yield* newExecution(...asked)
        const { change } = yield* executions.create({ ...unlimited, execution })
        return change.hasListeners === true
      })

      const heard = [
        yield* creating(without),
        yield* creating(other),
        yield* creating(other, { status: "pending" })
      ]
      yield* store.update(ref(endpoint), { change: { isEnabled: false }, at: second(1) })
      heard.push(yield* creating(other))

      assert.deepStrictEqual(heard, [false, true, false, false])
      const { run } = yield* makeClaimedRun(without)
      const started = yield* RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))
      assert.isFalse(started.hasListeners === true)
    })

    it.test(
      "tells of each change once, in the order of the changes, however many do so at once",
      function* () {
        const tenant = yield* makeTenant()
        const endpoints = [yield* makeEndpoint(tenant.accountId), yield* makeEndpoint(tenant.accountId)]
        const runs = yield* Effect.replicateEffect(makeStartedRun(tenant), 5)

        const rounds = yield* Effect.forEach([1, 2, 3, 4], () => fanOutAll, { concurrency: "unbounded" })

        const events = rounds.flat().filter(({ accountId }) => accountId === tenant.accountId)
        assert.lengthOf(events, 20)
        for (const { run } of runs) {
          const all = [
            "execution.queued 0",
            "execution.queued 1",
            "execution.started 0",
            "execution.started 1"
          ]
          assert.deepStrictEqual(yield* told(run.execution, endpoints), all)
          const own = (yield* deliveriesOf(run.execution)).toSorted((one, next) =>
            one.id < next.id ? -1 : 1
          )
          const revisions = own.map(({ revision }) => revision ?? 0)
          assert.deepStrictEqual(revisions, revisions.toSorted())
        }
        assert.deepStrictEqual(yield* fanOutAll, [])
      }
    )

    it.test("tells of at most so many changes at once, and says whether there are more", function* () {
      const store = yield* EndpointStore
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId)
      yield* fanOutAll
      yield* makeStartedRun(tenant)

      const first = yield* store.fanOut({ limit: 1, at: second(1) })
      const rest = yield* fanOutAll

      assert.deepStrictEqual([first.events.length, first.hasMore], [1, true])
      assert.deepStrictEqual(
        [...first.events, ...rest].map(({ endpointId }) => endpointId),
        [endpoint.id, endpoint.id]
      )
      assert.isFalse((yield* store.fanOut({ limit: 1, at: second(1) })).hasMore)
    })

    it.test("tells of the changes of one account alone", function* () {
      const store = yield* EndpointStore
      const [one, other] = [yield* makeTenant(), yield* makeTenant()]
      for (const { accountId } of [one, other]) yield* makeEndpoint(accountId)
      yield* fanOutAll
      for (const tenant of [one, other, one]) yield* makeExecution(tenant)
      const { accountId } = one

      const rounds = [1, 2].map(() => store.fanOut({ accountId, limit: 1, at: second(1) }))
      const [first, last, none] = yield* Effect.all([
        ...rounds,
        store.fanOut({ accountId, limit: 1, at: second(1) })
      ])

      assert.deepStrictEqual(
        [first, last, none].map((round) => round?.events.map((event) => event.accountId)),
        [[accountId], [accountId], []]
      )
      assert.lengthOf(yield* fanOutAll, 1)
    })

    it.test("tells an endpoint nothing that was answered before it was made or enabled again", function* () {
      const store = yield* EndpointStore
      const tenant = yield* makeTenant()
      const first = yield* makeEndpoint(tenant.accountId)
      const paused = yield* makeEndpoint(tenant.accountId)
      yield* store.update(ref(paused), { change: { isEnabled: false }, at: second(1) })
      const before = yield* makeExecution(tenant)

      yield* store.update(ref(paused), { change: { isEnabled: true }, at: second(1) })
      const between = yield* makeExecution(tenant)
      const late = yield* makeEndpoint(tenant.accountId)
      const after = yield* makeExecution(tenant)

      const endpoints = [first, paused, late]
      const queued = (...places: ReadonlyArray<number>) => places.map((place) => `execution.queued ${place}`)
      assert.deepStrictEqual(yield* told(before, endpoints), queued(0))
      assert.deepStrictEqual(yield* told(between, endpoints), queued(0, 1))
      assert.deepStrictEqual(yield* told(after, endpoints), queued(0, 1, 2))
    })

    it.test("tells nothing to what is disabled, removed or silenced meanwhile", function* () {
      const store = yield* EndpointStore
      const keys = yield* ApiKeyStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const [revoked, narrowed] = [yield* makeApiKey(accountId), yield* makeApiKey(accountId)]
      const endpoints = [
        yield* makeEndpoint(accountId),
        yield* makeEndpoint(accountId),
        yield* makeEndpoint(accountId, { apiKeyId: revoked.id }),
        yield* makeEndpoint(accountId, { apiKeyId: narrowed.id }),
        yield* makeEndpoint(accountId),
        yield* makeEndpoint(accountId)
      ] as const
      const execution = yield* makeExecution(tenant)

      yield* store.update(ref(endpoints[0]), { change: { isEnabled: false }, at: second(1) })
      yield* store.remove(ref(endpoints[1]), { at: second(1) })
      yield* keys.revoke({ accountId, id: revoked.id, at: second(1) })
      yield* keys.update({ accountId, id: narrowed.id, change: { allowedTaskIds: [] }, at: second(1) })
      yield* store.update(ref(endpoints[4]), { change: { eventTypes: ["execution.failed"] }, at: second(1) })

      assert.deepStrictEqual(yield* told(execution, endpoints), ["execution.queued 5"])
    })

    it.test("tells of a start that goes with a create", function* () {
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId)
      const poll = yield* makeWaitingPoll(yield* makeSession(tenant), { isStarting: true })

      const execution = yield* makeExecution(tenant)

      assert.deepStrictEqual(poll.ends(), ["begun"])
      assert.deepStrictEqual(yield* told(execution, [endpoint]), [
        "execution.queued 0",
        "execution.started 0"
      ])
      const started = (yield* deliveriesOf(execution)).find(({ type }) => type === "execution.started")
      const [change] = poll.begun
      assert(started !== undefined && change !== undefined)
      const { execution: run } = change.run
      assert.deepInclude(started, { revision: change.run.revision, createdAt: run.updatedAt })
      assert.strictEqual(
        started.body,
        renderExecutionEvent({
          id: started.id,
          type: "execution.started",
          occurredAt: run.updatedAt,
          execution: run
        })
      )
    })

    it.test("keeps an execution until endpoints are told that it has ended", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const endpoint = yield* makeEndpoint(tenant.accountId, { eventTypes: ["execution.failed"] })
      const { accountId, id } = yield* makeExecution(tenant)
      yield* executions.stop({ accountId, id, to: "aborted", reason: null, at: second(1) })

      const refused = yield* Effect.flip(executions.remove({ accountId, id }))
      yield* fanOutAll
      yield* executions.remove({ accountId, id })

      assert.deepInclude(refused, { _tag: "NotRemovable", reason: "callbacks_pending" })
      assert.isTrue(endpoint.isEnabled)
    })
  })
