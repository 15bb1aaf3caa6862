/**
 * Which deliveries every ReplayStore chooses, and what it says of them before.
 * Jobs are moved on whosever they are, so no other suite may run in the same
 * database at the same time.
 */
import { assert } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { allDead, type ReplayFilter } from "@runhook/core/replays/ReplayJob"
import { previewBounds, type PreviewBounds } from "@runhook/core/replays/ReplayPreview"
import { EventId } from "@runhook/core/shared/Ids"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import {
  makeDeadDelivery,
  makeDelivery,
  makeSender,
  type Sender,
  stored
} from "../deliveries/DeliveryFixtures.ts"
import { idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  current,
  deadDeliveries,
  finish,
  makeDeliveredDelivery,
  makeJob,
  refOf,
  roundsOf
} from "./ReplayFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const preview = (
  { accountId }: Sender,
  filter: Partial<ReplayFilter> = {},
  bounds: Partial<PreviewBounds> = {}
) =>
  ReplayStore.use((store) =>
    store.preview({ accountId, filter: { ...allDead, ...filter }, bounds: { ...previewBounds, ...bounds } })
  )

/** Two dead events of an execution, the first and the second of its changes, made in the other order. */
const deadEvents = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  const { id: executionId } = yield* makeExecution(tenant)
  const last = yield* makeDeadDelivery(tenant, {
    executionId,
    revision: 2,
    type: "execution.started",
    createdAt: second(1)
  })
  const first = yield* makeDeadDelivery(tenant, {
    executionId,
    revision: 1,
    type: "execution.queued",
    createdAt: second(2)
  })
  return { tenant, executionId, first, last }
})

const idsOf = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ id }) => id)

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ReplayStore chooses", { layer, name }, (it) => {
    it.test("keeps the ids, the wish for the last events and the expectation of a job", function* () {
      const sender = yield* makeSender()
      const ids = [yield* idAt(EventId, second(2)), yield* idAt(EventId, second(1))]

      const job = yield* makeJob(sender, { ids, lastOnly: true }, 7)

      assert.deepInclude(job.filter, { ids, lastOnly: true })
      assert.deepInclude(job, { expected: 7, delivered: 0, failed: 0 })
      assert.deepStrictEqual(yield* current(job), job)
      yield* finish(job)
    })

    it.test("replays of the deliveries that it is given those that match, and no others", function* () {
      const [sender, stranger] = [yield* makeSender(), yield* makeSender()]
      const dead = yield* deadDeliveries(sender, [1, 2, 3])
      const delivered = yield* makeDeliveredDelivery(sender)
      const foreign = yield* makeDeadDelivery(stranger)
      const all = [...dead, delivered]

      const job = yield* makeJob(sender, { ids: idsOf([...dead.slice(1), delivered, foreign]) })

      assert.deepInclude(yield* finish(job), { status: "completed", replayed: 2 })
      assert.deepStrictEqual(yield* roundsOf(sender, all), [1, 2, 2, 1])
      assert.strictEqual((yield* stored(stranger, foreign.id)).delivery.round, 1)
    })

    it.test("replays and counts only deliveries of executions in its scope, and tests", function* () {
      const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
      const { id: executionId } = yield* makeExecution(tenant)
      const ofWork = yield* makeDeadDelivery(tenant, { executionId, revision: 1 })
      const test = yield* makeDeadDelivery(tenant)
      const scopes = [
        { taskIds: [other.taskId] },
        { agentIds: [] },
        { taskIds: [tenant.taskId], agentIds: [other.agentId] },
        { taskIds: [other.taskId, tenant.taskId], agentIds: [tenant.agentId] }
      ]

      const would = yield* Effect.forEach(scopes, (scope) => preview(tenant, scope))
      const job = yield* makeJob(tenant, { taskIds: [other.taskId], agentIds: [tenant.agentId] })
      const done = yield* finish(job)

      assert.deepStrictEqual(
        would.map(({ wouldReplay }) => wouldReplay),
        [1, 1, 1, 2]
      )
      assert.deepInclude(job.filter, { taskIds: [other.taskId], agentIds: [tenant.agentId] })
      assert.strictEqual(done.replayed, 1)
      assert.deepStrictEqual(yield* roundsOf(tenant, [ofWork, test]), [1, 2])
    })

    it.test("names the job in the round that it has started, and no job in another round", function* () {
      const sender = yield* makeSender()
      const dead = yield* makeDeadDelivery(sender)

      const job = yield* finish(yield* makeJob(sender))

      assert.isNull(dead.replayId)
      assert.strictEqual((yield* stored(sender, dead.id)).delivery.replayId, job.id)
    })

    it.test("replays of each execution only the event of its last change when asked to", function* () {
      const { first, last, tenant } = yield* deadEvents
      const test = yield* makeDeadDelivery(tenant, { createdAt: second(3) })

      const seen = yield* preview(tenant, { lastOnly: true })
      const { replayed } = yield* finish(yield* makeJob(tenant, { lastOnly: true }))

      assert.deepStrictEqual([seen.wouldReplay, replayed], [2, 2])
      assert.deepStrictEqual(yield* roundsOf(tenant, [first, last, test]), [1, 2, 2])
    })

    it.test(
      "replays no event that a later one of its execution follows, however that one fares",
      function* () {
        const { executionId, first, last, tenant } = yield* deadEvents
        yield* makeDelivery(tenant, {
          executionId,
          revision: 3,
          type: "execution.completed",
          createdAt: second(0)
        })

        const { replayed } = yield* finish(yield* makeJob(tenant, { lastOnly: true }))

        assert.strictEqual(replayed, 0)
        assert.deepStrictEqual(yield* roundsOf(tenant, [first, last]), [1, 1])
      }
    )

    it.effect(
      "tells how many it would replay, to whom, of which types and from when, and replays nothing",
      () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const url = "https://other.example:8443/in?key=1"
          const dead = [
            yield* makeDeadDelivery(sender, { createdAt: second(3) }),
            yield* makeDeadDelivery(sender, { url, createdAt: second(1) }),
            yield* makeDeadDelivery(sender, { url, type: "execution.queued", createdAt: second(2) })
          ]
          yield* makeDeliveredDelivery(sender)
          yield* makeDelivery(sender)
          yield* makeDeadDelivery(yield* makeSender())

          const seen = yield* preview(sender)

          assert.deepStrictEqual(seen, {
            wouldReplay: 3,
            isMore: false,
            origins: [
              { origin: "https://other.example:8443", count: 2 },
              { origin: "https://receiver.example", count: 1 }
            ],
            types: new Map([
              ["execution.completed", 2],
              ["execution.queued", 1]
            ]),
            oldestAt: second(1),
            newestAt: second(3)
          })
          assert.deepStrictEqual(yield* roundsOf(sender, dead), [1, 1, 1])
        })
    )

    it.test("tells of nothing when nothing matches", function* () {
      const sender = yield* makeSender()
      yield* makeDeadDelivery(sender)

      const seen = yield* preview(sender, { type: "execution.failed" })

      assert.deepStrictEqual(seen, {
        wouldReplay: 0,
        isMore: false,
        origins: [],
        types: new Map(),
        oldestAt: null,
        newestAt: null
      })
    })

    it.test("counts up to its limit, and says that there is more", function* () {
      const sender = yield* makeSender()
      yield* deadDeliveries(sender, [1, 2, 3])

      const counted = yield* preview(sender, {}, { counted: 2 })
      const looked = yield* preview(sender, { from: second(3) }, { seen: 2 })
      const exact = yield* preview(sender, {}, { counted: 3, seen: 3 })

      assert.deepInclude(counted, { wouldReplay: 2, isMore: true, newestAt: second(2) })
      assert.deepInclude(looked, { wouldReplay: 0, isMore: true })
      assert.deepInclude(exact, { wouldReplay: 3, isMore: false })
    })

    it.test("lists the jobs of an account, or of one key, newest first and page by page", function* () {
      const store = yield* ReplayStore
      const sender = yield* makeSender()
      const { accountId, apiKeyId } = sender
      const { id: otherKeyId } = yield* makeApiKey(accountId)
      const endedJob = (filter: Partial<ReplayFilter> = {}) =>
        Effect.flatMap(makeJob(sender, filter), (job) => store.cancel(refOf(job), second(101)))
      const whole = yield* endedJob()
      const own = yield* endedJob({ apiKeyId })
      const other = yield* endedJob({ apiKeyId: otherKeyId })
      yield* finish(yield* makeJob(yield* makeSender()))
      const ofAccount = { accountId, apiKeyId: null }

      const first = yield* store.list(ofAccount, { after: null, limit: 2 })
      const next = yield* store.list(ofAccount, { after: own.id, limit: 2 })
      const ofKey = yield* store.list({ accountId, apiKeyId }, { after: null, limit: 2 })

      assert.deepStrictEqual(first, { items: [other, own], hasMore: true })
      assert.deepStrictEqual(next, { items: [whole], hasMore: false })
      assert.deepStrictEqual(ofKey, { items: [own], hasMore: false })
    })
  })
