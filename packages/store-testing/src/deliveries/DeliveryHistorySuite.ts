/** What every DeliveryStore does for those who read the history of deliveries and replay them. */
import { assert } from "@effect/vitest"
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { EventId, ExecutionId } from "@runhook/core/shared/Ids"
import { type DeliveryFilter, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  anyDelivery,
  claimAll,
  makeDeadDelivery,
  makeDelivery,
  makeSender,
  type Sender
} from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const listedIds = ({ accountId }: Sender, filter: Partial<DeliveryFilter>) =>
  DeliveryStore.use((store) =>
    store.list(accountId, { ...anyDelivery, ...filter }, { after: null, limit: 100 })
  ).pipe(Effect.map(({ items }) => items.map(({ id }) => id)))

const deliveriesAt = (sender: Sender, seconds: ReadonlyArray<number>) =>
  Effect.forEach(seconds, (each) => makeDelivery(sender, { createdAt: second(each) }))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore history", { layer, name }, (it) => {
    it.test("answers for another account's delivery as for one that does not exist", function* () {
      const store = yield* DeliveryStore
      const { accountId } = yield* makeSender()
      const foreign = yield* makeDeadDelivery(yield* makeSender())

      for (const id of [foreign.id, yield* idAt(EventId, second(0))]) {
        const errors = yield* Effect.all([
          store.get(accountId, id).pipe(Effect.flip),
          store.replay({ accountId, id, at: second(1) }).pipe(Effect.flip)
        ])

        assert.deepStrictEqual(
          errors.map((error) => [error._tag, error.id]),
          [
            ["DeliveryNotFound", id],
            ["DeliveryNotFound", id]
          ]
        )
      }
      assert.deepStrictEqual((yield* store.get(foreign.accountId, foreign.id)).delivery, foreign)
    })

    it.test("lists deliveries without what they tell, which may be large", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const { body, traceparent, ...told } = yield* makeDelivery(sender, { body: "told" })

      const { items } = yield* store.list(sender.accountId, anyDelivery, { after: null, limit: 1 })

      assert.deepStrictEqual([body, traceparent], ["told", null])
      assert.deepStrictEqual(items, [told])
    })

    it.test("filters by state", function* () {
      const sender = yield* makeSender()
      const dead = yield* makeDeadDelivery(sender)
      const pending = yield* makeDelivery(sender, { createdAt: second(1) })

      assert.deepStrictEqual(yield* listedIds(sender, { states: ["dead"] }), [dead.id])
      assert.deepStrictEqual(yield* listedIds(sender, { states: ["dead", "pending"] }), [pending.id, dead.id])
      assert.deepStrictEqual(yield* listedIds(sender, { states: ["delivered", "cancelled"] }), [])
      assert.deepStrictEqual(yield* listedIds(sender, { states: [] }), [])
    })

    it.test("filters by type, key and execution", function* () {
      const tenant = yield* makeTenant()
      const { id: executionId } = yield* makeExecution(tenant)
      const { id: otherKeyId } = yield* makeApiKey(tenant.accountId)
      const queued = yield* makeDelivery(tenant, { type: "execution.queued", executionId })
      const test = yield* makeDelivery({ ...tenant, apiKeyId: otherKeyId }, { createdAt: second(1) })

      assert.deepStrictEqual(yield* listedIds(tenant, { type: "execution.queued" }), [queued.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { type: "execution.failed" }), [])
      assert.deepStrictEqual(yield* listedIds(tenant, { apiKeyId: otherKeyId }), [test.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { executionId }), [queued.id])
      const apiKeyId = otherKeyId
      assert.deepStrictEqual(yield* listedIds(tenant, { executionId, apiKeyId }), [])
    })

    it.test("filters by when they were made, both ends included", function* () {
      const sender = yield* makeSender()
      const [one, two, three] = (yield* deliveriesAt(sender, [1, 2, 3])).map(({ id }) => id)
      const [before, after] = [
        DateTime.subtract(second(2), { milliseconds: 1 }),
        DateTime.add(second(2), { milliseconds: 1 })
      ]

      assert.deepStrictEqual(yield* listedIds(sender, { from: second(2) }), [three, two])
      assert.deepStrictEqual(yield* listedIds(sender, { from: after }), [three])
      assert.deepStrictEqual(yield* listedIds(sender, { to: second(2) }), [two, one])
      assert.deepStrictEqual(yield* listedIds(sender, { to: before }), [one])
      assert.deepStrictEqual(yield* listedIds(sender, { from: second(2), to: second(2) }), [two])
    })

    it.test("searches in type and URL, in any case and without wildcards, and by whole ids", function* () {
      const tenant = yield* makeTenant()
      const { id: executionId } = yield* makeExecution(tenant)
      const url = "https://Receiver.example/In_box?share=100%25"
      const queued = yield* makeDelivery(tenant, { type: "execution.queued", executionId, url })
      const test = yield* makeDelivery(tenant, { createdAt: second(1), type: "webhook.test" })

      assert.deepStrictEqual(yield* listedIds(tenant, { text: "receiver.EXAMPLE" }), [test.id, queued.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "in_box" }), [queued.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "hoo_" }), [])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "%" }), [queued.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "Webhook." }), [test.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: test.id.toUpperCase() }), [test.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: executionId }), [queued.id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: executionId.slice(0, -1) }), [])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: yield* idAt(ExecutionId, second(0)) }), [])
    })

    it.test(
      "finds deliveries by the beginning of their id, or of that or the reference of their execution",
      function* () {
        const tenant = yield* makeTenant()
        const { id: executionId } = yield* makeExecution(tenant, { reference: "INV-7", createdAt: second(1) })
        const queued = yield* makeDelivery(tenant, {
          type: "execution.queued",
          executionId,
          reference: "INV-7"
        })
        const test = yield* makeDelivery(tenant, { createdAt: second(70_000) })

        for (const find of ["INV", executionId, executionId.slice(0, 13), queued.id.slice(0, 8)]) {
          assert.deepStrictEqual(yield* listedIds(tenant, { find }), [queued.id])
          assert.deepStrictEqual(yield* listedIds(yield* makeTenant(), { find }), [])
        }
        assert.deepStrictEqual(yield* listedIds(tenant, { find: test.id.slice(0, 13).toUpperCase() }), [
          test.id
        ])
        assert.deepStrictEqual(yield* listedIds(tenant, { find: "INV", states: ["delivered"] }), [])
        assert.deepStrictEqual(yield* listedIds(tenant, { find: "NV-7" }), [])
        assert.deepStrictEqual(yield* listedIds(tenant, { find: test.id.slice(0, 7) }), [])
      }
    )

    it.test("searches no query of a URL where that is hidden", function* () {
      const tenant = yield* makeTenant()
      const hidesQueries = true
      const { id } = yield* makeDelivery(tenant, { url: "https://receiver.example/in?token=abc?in" })

      assert.deepStrictEqual(yield* listedIds(tenant, { text: "token=a" }), [id])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "token=a", hidesQueries }), [])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "?", hidesQueries }), [])
      assert.deepStrictEqual(yield* listedIds(tenant, { text: "example/IN", hidesQueries }), [id])
    })

    it.test("filters by when the delivery was made, both ends included", function* () {
      const sender = yield* makeSender()
      const [first, middle, last] = (yield* deliveriesAt(sender, [1, 2, 3])).map(({ id }) => id)

      assert.deepStrictEqual(yield* listedIds(sender, { from: second(2) }), [last, middle])
      assert.deepStrictEqual(yield* listedIds(sender, { to: second(2) }), [middle, first])
      assert.deepStrictEqual(yield* listedIds(sender, { from: second(2), to: second(2) }), [middle])
      assert.deepStrictEqual(yield* listedIds(sender, { from: second(2.001), to: second(2.999) }), [])
    })

    it.test("replays a settled delivery in a new round: same id, same body, a new lifetime", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const dead = yield* makeDeadDelivery(sender)
      const at = DateTime.addDuration(second(60), deliveryLifetime)

      const replayed = yield* store.replay({ accountId: sender.accountId, id: dead.id, at })

      assert.deepStrictEqual(replayed, {
        ...dead,
        state: "pending",
        round: 2,
        attempts: 0,
        nextAttemptAt: at,
        expiresAt: DateTime.addDuration(at, deliveryLifetime),
        settledAt: null
      })
      const [claimed] = yield* claimAll(sender, { at })
      assert.strictEqual(claimed?.id, dead.id)
      assert.strictEqual(claimed?.attempts, 1)
    })

    it.test("refuses to replay what is still being delivered", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const pending = yield* makeDelivery(sender)
      const { accountId } = sender

      const error = yield* store.replay({ accountId, id: pending.id, at: second(1) }).pipe(Effect.flip)

      assert.strictEqual(error._tag, "DeliveryNotSettled")
      assert.deepStrictEqual((yield* store.get(accountId, pending.id)).delivery, pending)
    })

    it.test("starts one round by many concurrent replays", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const { id, accountId } = yield* makeDeadDelivery(sender)

      const outcomes = yield* Effect.all(
        Array.from({ length: 8 }, () => store.replay({ accountId, id, at: second(1) }).pipe(Effect.result)),
        { concurrency: "unbounded" }
      )

      assert.lengthOf(
        outcomes.filter(({ _tag }) => _tag === "Success"),
        1
      )
      assert.strictEqual((yield* store.get(accountId, id)).delivery.round, 2)
    })
  })
