/** What every DeliveryStore does for those who ask why deliveries have not arrived. */
import { assert } from "@effect/vitest"
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { type DeliveryFilter, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { second, type Stores } from "../Fixtures.ts"
import { fewRuns, paging, walk } from "../Paging.ts"
import { attemptAll, type End, later, tried } from "./DeliveryCauseFixtures.ts"
import { anyDelivery, claimAll, makeDelivery, makeSender, type Sender, stored } from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const listedIds = ({ accountId }: Sender, filter: Partial<DeliveryFilter>) =>
  DeliveryStore.use((store) =>
    store.list(accountId, { ...anyDelivery, ...filter }, { after: null, limit: 100 })
  ).pipe(Effect.map(({ items }) => items.map(({ id }) => id)))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore causes", { layer, name }, (it) => {
    it.test(
      "keeps why an attempt failed, with the attempt and its delivery, until one succeeds",
      function* () {
        const sender = yield* makeSender()
        const [id] = yield* tried(sender, [{ end: "connect_refused" }])
        if (id === undefined) return assert.fail("nothing was made")
        const failed = yield* stored(sender, id)
        yield* attemptAll(sender, new Map([[id, { end: 401, isLast: false }]]), later)
        const refused = yield* stored(sender, id)
        yield* attemptAll(sender, new Map([[id, { end: 200, isLast: true }]]), later)
        const delivered = yield* stored(sender, id)

        const causes = [failed, refused, delivered].map(({ attempts, delivery }) => [
          delivery.lastCause,
          attempts.map(({ cause }) => cause)
        ])
        assert.deepStrictEqual(causes, [
          ["connect_refused", ["connect_refused"]],
          ["unauthorized", ["connect_refused", "unauthorized"]],
          [null, ["connect_refused", "unauthorized", null]]
        ])
        assert.deepStrictEqual(yield* listedIds(sender, { cause: "unauthorized" }), [])
        assert.deepStrictEqual(yield* listedIds(sender, { cause: "connect_refused" }), [])
        assert.deepStrictEqual(yield* listedIds(sender, { answer: "2xx" }), [id])
      }
    )

    it.test("filters by what was answered last, which what was never tried has nothing of", function* () {
      const sender = yield* makeSender()
      const [ok, redirected, refused, failing, unreachable, dead] = yield* tried(sender, [
        { end: 204 },
        { end: 301 },
        { end: 401 },
        { end: 503 },
        { end: "tls_expired" },
        { end: 422, isLast: true }
      ])
      yield* makeDelivery(sender, { createdAt: second(2_000) })

      assert.deepStrictEqual(yield* listedIds(sender, { answer: "2xx" }), [ok])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "3xx" }), [redirected])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "4xx" }), [dead, refused])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "5xx" }), [failing])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "none" }), [unreachable])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "4xx", states: ["dead"] }), [dead])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "4xx", states: ["pending"] }), [refused])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "4xx", states: ["delivered"] }), [])
      assert.deepStrictEqual(yield* listedIds(sender, { answer: "4xx", cause: "server_error" }), [])
    })

    it.test("filters by cause what waits and what is dead, with other parts of the filter", function* () {
      const sender = yield* makeSender()
      const { id: otherKeyId } = yield* makeApiKey(sender.accountId)
      const two = "https://two.example/hook"
      const [refused, , dead, elsewhere] = yield* tried(sender, [
        { end: 401 },
        { end: 500 },
        { end: 403, isLast: true },
        { end: 401, isLast: true, url: two }
      ])
      const cause = "unauthorized"

      assert.deepStrictEqual(yield* listedIds(sender, { cause }), [elsewhere, dead, refused])
      assert.deepStrictEqual(yield* listedIds(sender, { cause, states: ["dead"] }), [elsewhere, dead])
      assert.deepStrictEqual(
        yield* listedIds(sender, { cause, states: ["dead"], origin: "https://two.example" }),
        [elsewhere]
      )
      assert.deepStrictEqual(yield* listedIds(sender, { cause, from: second(2), to: second(2) }), [dead])
      assert.deepStrictEqual(yield* listedIds(sender, { cause, apiKeyId: otherKeyId }), [])
      assert.deepStrictEqual(yield* listedIds(yield* makeSender(), { cause }), [])
    })

    it.test("filters by the origin of the URL, port and scheme included", function* () {
      const sender = yield* makeSender()
      const [one, port, plain] = yield* tried(sender, [
        { end: 200, url: "https://one.example/hook?to=https://two.example" },
        { end: 401, isLast: true, url: "https://one.example:8443/" },
        { end: 401, isLast: true, url: "http://one.example/hook" }
      ])

      assert.deepStrictEqual(yield* listedIds(sender, { origin: "https://one.example" }), [one])
      assert.deepStrictEqual(yield* listedIds(sender, { origin: "https://one.example:8443" }), [port])
      assert.deepStrictEqual(yield* listedIds(sender, { origin: "http://one.example" }), [plain])
      assert.deepStrictEqual(yield* listedIds(sender, { origin: "http://one.example", states: ["dead"] }), [
        plain
      ])
      assert.deepStrictEqual(yield* listedIds(sender, { origin: "https://two.example" }), [])
    })

    it.effect(
      "names it expired when a delivery is given up without an attempt, and keeps what one came to",
      () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const { id: untried } = yield* makeDelivery(sender)
          const { id: refused } = yield* makeDelivery(sender)
          yield* attemptAll(sender, new Map([[refused, { end: 401, isLast: false }]]), second(1))

          yield* claimAll(sender, { at: DateTime.addDuration(second(1), deliveryLifetime) })

          const [expired, refusedOne] = yield* Effect.forEach([untried, refused], (id) => stored(sender, id))
          assert.deepInclude(expired?.delivery, { state: "dead", lastCause: "expired", lastStatus: null })
          assert.deepInclude(refusedOne?.delivery, {
            state: "dead",
            lastCause: "unauthorized",
            lastStatus: 401
          })
          assert.deepStrictEqual(yield* listedIds(sender, { cause: "expired" }), [untried])
          assert.deepStrictEqual(yield* listedIds(sender, { answer: "none", states: ["dead"] }), [untried])
          assert.deepStrictEqual(yield* listedIds(sender, { cause: "unauthorized" }), [refused])
        })
    )

    it.test("keeps the cause of what is replayed until its next attempt", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const [id] = yield* tried(sender, [{ end: 401, isLast: true }])
      if (id === undefined) return assert.fail("nothing was made")

      yield* store.replay({ accountId: sender.accountId, id, at: second(2) })

      assert.deepStrictEqual(yield* listedIds(sender, { cause: "unauthorized" }), [id])
      assert.deepStrictEqual(yield* listedIds(sender, { cause: "unauthorized", states: ["dead"] }), [])
      assert.deepStrictEqual((yield* store.deadLetters(sender.accountId)).groups, [])
      yield* attemptAll(sender, new Map([[id, { end: 200, isLast: true }]]), second(3))
      assert.deepStrictEqual(yield* listedIds(sender, { cause: "unauthorized" }), [])
    })

    it.effect.prop(
      "lists what failed newest first over causes and states, whatever the page size",
      paging,
      ({ count, limit }) =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const sender = yield* makeSender()
          const ends: ReadonlyArray<End> = [400, 401, 404, 429]
          const ids = yield* tried(
            sender,
            Array.from({ length: count }, (_, index) => ({
              end: ends[index % ends.length] ?? 400,
              ...(index % 3 === 0 && { isLast: true as const })
            }))
          )

          const listed = yield* walk({
            list: (page) => store.list(sender.accountId, { ...anyDelivery, answer: "4xx" }, page),
            idOf: ({ id }) => id,
            limit
          })

          assert.deepStrictEqual(
            listed.map(({ id }) => id),
            ids.toReversed()
          )
        }),
      fewRuns
    )
  })
