/** What every DeliveryStore does to give deliveries out to be sent. */
import { assert } from "@effect/vitest"
import { expiredMessage } from "@runhook/core/deliveries/steps/DeliveryMoves"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import { claimAll, lease, makeClaimedDelivery, makeDelivery, makeSender, stored } from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore claim", { layer, name }, (it) => {
    it.test("gives a delivery out as it was stored, with one attempt counted and a lease", function* () {
      const sender = yield* makeSender()
      const delivery = yield* makeDelivery(sender, { body: '{"text":"ü 🧾\\n"}', reference: "order-7" })

      const claimed = yield* claimAll(sender, { at: second(1) })

      assert.deepStrictEqual(claimed, [
        {
          ...delivery,
          attempts: 1,
          attemptedAt: second(1),
          nextAttemptAt: DateTime.addDuration(second(1), lease)
        }
      ])
      assert.deepStrictEqual(claimed, [(yield* stored(sender, delivery.id)).delivery])
    })

    it.test("claims due deliveries, oldest first, and keeps the rest until their time", function* () {
      const sender = yield* makeSender()
      const third = yield* makeDelivery(sender, { nextAttemptAt: second(3) })
      const first = yield* makeDelivery(sender, { nextAttemptAt: second(1) })
      const later = yield* makeDelivery(sender, { nextAttemptAt: second(4.001) })
      const middle = yield* makeDelivery(sender, { nextAttemptAt: second(2) })

      const claimed = yield* claimAll(sender, { at: second(4), limit: 2 })

      assert.deepStrictEqual(
        claimed.map(({ id }) => id),
        [first.id, middle.id, third.id]
      )
      const { delivery } = yield* stored(sender, later.id)
      assert.deepStrictEqual(delivery, later)
    })

    it.test("claims up to the limit and says that more is due", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      yield* Effect.all(Array.from({ length: 4 }, () => makeDelivery(sender)))
      const at = second(1)

      const { deliveries, nextDueAt } = yield* store.claimDue({ room: roomFor(3), lease, at })

      assert.lengthOf(deliveries, 3)
      assert.isTrue(nextDueAt !== null && DateTime.isLessThanOrEqualTo(nextDueAt, at))
    })

    it.test("says when the next one is due, at the latest when a lease just given ends", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      yield* makeDelivery(sender)
      yield* claimAll(sender, { at: second(1) })
      const soon = second(1 + Duration.toSeconds(lease) / 2)
      yield* makeDelivery(sender, { nextAttemptAt: soon })

      const { nextDueAt } = yield* store.claimDue({ room: roomFor(1), lease, at: second(1) })

      assert.isTrue(nextDueAt !== null && DateTime.isLessThanOrEqualTo(nextDueAt, soon))
      assert.isTrue(nextDueAt !== null && DateTime.isGreaterThan(nextDueAt, second(1)))
    })

    it.test("says since when the oldest has been due, given out or not", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      yield* claimAll(sender, { at: second(9) })
      yield* makeDelivery(sender, { nextAttemptAt: second(3) })
      yield* makeDelivery(sender, { nextAttemptAt: second(2) })
      const claims = { room: roomFor(1), lease, at: second(9) }

      const answers = yield* Effect.replicateEffect(store.claimDue(claims), 3)

      assert.deepStrictEqual(
        answers.map(({ oldestDueAt }) => oldestDueAt),
        [second(2), second(3), null]
      )
    })

    it.test("never gives one delivery to two concurrent claimers", function* () {
      const sender = yield* makeSender()
      const deliveries = yield* Effect.all(Array.from({ length: 40 }, () => makeDelivery(sender)))

      const claims = yield* Effect.all(
        Array.from({ length: 8 }, () => claimAll(sender, { at: second(1), limit: 3 })),
        { concurrency: "unbounded" }
      )

      assert.deepStrictEqual(
        claims.flatMap((claimed) => claimed.map(({ id }) => id)).toSorted(),
        deliveries.map(({ id }) => id).toSorted()
      )
    })

    it.test("gives a delivery out again when its lease has run out, and not before", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const end = DateTime.addDuration(second(1), lease)
      const early = yield* claimAll(sender, { at: DateTime.subtract(end, { milliseconds: 1 }) })

      const again = yield* claimAll(sender, { at: end })

      assert.deepStrictEqual(early, [])
      assert.deepStrictEqual(again, [
        { ...claimed, attempts: 2, attemptedAt: end, nextAttemptAt: DateTime.addDuration(end, lease) }
      ])
    })

    it.test("gives up a delivery that is due after its lifetime", function* () {
      const sender = yield* makeSender()
      const expiresAt = second(10)
      const delivery = yield* makeDelivery(sender, { expiresAt })

      const claimed = yield* claimAll(sender, { at: expiresAt })

      assert.deepStrictEqual(claimed, [])
      assert.deepStrictEqual(yield* stored(sender, delivery.id), {
        delivery: {
          ...delivery,
          state: "dead",
          nextAttemptAt: null,
          lastError: expiredMessage,
          lastCause: "expired",
          settledAt: expiresAt
        },
        attempts: []
      })
    })
  })
