/** What every DeliveryStore does with deliveries whose dispatcher never heard of them, or has ended. */
import { assert } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { DispatcherId, newId } from "@runhook/core/shared/Ids"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import {
  attemptOf,
  claimAll,
  claimOnce,
  lease,
  makeDelivery,
  makeSender,
  type Sender,
  stored
} from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const makeDispatcher = () => newId(DispatcherId)

/** Of a sender of its own: deliveries that a dispatcher claimed at second 1. */
const makeClaim = Effect.fnUntraced(function* (count: number) {
  const sender = yield* makeSender()
  // Left due by other tests.
  yield* claimAll(sender, { at: second(1) })
  yield* Effect.replicateEffect(makeDelivery(sender), count)
  const dispatcher = yield* makeDispatcher()
  const { deliveries } = yield* claimOnce(sender, { dispatcher, at: second(1) })
  assert.lengthOf(deliveries, count)
  return { sender, dispatcher, claimed: deliveries }
})

/** The breaker of its receiver has opened, and a dispatcher has claimed the probe at second 10. */
const makeProbe = Effect.fnUntraced(function* () {
  const { sender, claimed } = yield* makeClaim(2)
  yield* failed(claimed, { _tag: "Open", openings: 1, until: second(10) })
  const dispatcher = yield* makeDispatcher()
  const { probeOf } = yield* claimOnce(sender, { dispatcher, at: second(10) })
  assert.deepStrictEqual(probeOf, [1])
  return { sender, dispatcher }
})

/** They failed at second 2, and are due again at second 5. */
const failed = Effect.fnUntraced(function* (
  deliveries: ReadonlyArray<Delivery>,
  move?: { readonly _tag: "Open"; readonly openings: number; readonly until: DateTime.Utc }
) {
  const store = yield* DeliveryStore
  const settlements = deliveries.map((delivery) => ({
    accountId: delivery.accountId,
    attempt: attemptOf(delivery),
    verdict: { _tag: "Retry", nextAttemptAt: second(5) } as const,
    move
  }))
  yield* store.settle(settlements, second(2))
})

const attemptsOf = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ attempts }) => attempts)

const now = Effect.fnUntraced(function* (sender: Sender, deliveries: ReadonlyArray<Delivery>) {
  return yield* Effect.forEach(deliveries, ({ id }) =>
    Effect.map(stored(sender, id), ({ delivery }) => delivery)
  )
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore returns", { layer, name }, (it) => {
    it.test("gives back what a dispatcher has not begun as it was before, and leaves the rest", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(3)
      const [begun, ...unknown] = claimed
      if (begun === undefined) return yield* Effect.die("Nothing was claimed")

      const count = yield* store.giveBack({
        dispatcher,
        which: { _tag: "AllBut", ids: [begun.id] },
        at: second(2)
      })

      assert.strictEqual(count, 2)
      assert.deepStrictEqual(yield* now(sender, claimed), [
        begun,
        ...unknown.map((each) => ({ ...each, attempts: 0, attemptedAt: null, nextAttemptAt: second(2) }))
      ])
      // No retries, or there would be no room for them.
      const room = { ...roomFor(100), retries: 0 }
      const { deliveries } = yield* store.claimDue({ dispatcher, room, lease, at: second(2) })
      assert.deepStrictEqual(
        deliveries.map(({ delivery }) => [delivery.id, delivery.attempts]).toSorted(),
        unknown.map(({ id }) => [id, 1]).toSorted()
      )
    })

    it.test("gives back those of its claims that a dispatcher names", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(3)
      const another = yield* makeClaim(1)
      const [unsent, ...rest] = claimed
      const ids = [unsent, ...another.claimed].flatMap((each) => each?.id ?? [])
      const giveBack = store.giveBack({ dispatcher, which: { _tag: "These", ids }, at: second(2) })

      const counts = [yield* giveBack, yield* giveBack]

      assert.deepStrictEqual(counts, [1, 0])
      assert.deepStrictEqual(yield* now(another.sender, another.claimed), another.claimed)
      assert.deepStrictEqual(yield* now(sender, claimed), [
        { ...unsent, attempts: 0, attemptedAt: null, nextAttemptAt: second(2) },
        ...rest
      ])
    })

    it.test("counts no attempt on a retry that was given back", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(1)
      yield* failed(claimed)
      yield* claimOnce(sender, { dispatcher, at: second(5) })

      yield* store.giveBack({ dispatcher, which: { _tag: "AllBut", ids: [] }, at: second(6) })

      const given = attemptsOf(yield* now(sender, claimed))
      const again = yield* claimAll(sender, { at: second(6) })
      assert.deepStrictEqual([given, attemptsOf(again)], [[1], [2]])
    })

    it.test("gives back nothing of others, and nothing that waits", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(2)
      yield* failed(claimed)
      const before = yield* now(sender, claimed)
      const another = yield* makeClaim(2)
      const nameless = yield* makeDelivery(sender)
      yield* claimAll(sender, { at: second(1) })

      const count = yield* store.giveBack({
        dispatcher,
        which: { _tag: "AllBut", ids: [] },
        at: second(2)
      })

      assert.strictEqual(count, 0)
      assert.deepStrictEqual(yield* now(sender, claimed), before)
      assert.deepStrictEqual(yield* now(another.sender, another.claimed), another.claimed)
      const [leased] = yield* now(sender, [nameless])
      assert.deepStrictEqual(leased?.nextAttemptAt, DateTime.addDuration(second(1), lease))
    })

    it.test("keeps the attempt counted when a delivery is due because its lease has run out", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(1)
      const end = DateTime.addDuration(second(1), lease)

      const count = yield* store.giveBack({ dispatcher, which: { _tag: "AllBut", ids: [] }, at: end })

      assert.strictEqual(count, 0)
      assert.deepStrictEqual(yield* now(sender, claimed), claimed)
    })

    it.test("takes back what a dispatcher that has ended had claimed, with its attempt", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(2)
      const another = yield* makeClaim(1)

      const count = yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: second(3) })

      assert.strictEqual(count, 2)
      assert.deepStrictEqual(
        yield* now(sender, claimed),
        claimed.map((each) => ({ ...each, nextAttemptAt: second(3) }))
      )
      assert.deepStrictEqual(attemptsOf(yield* claimAll(sender, { at: second(3) })), [2, 2])
      assert.deepStrictEqual(yield* now(another.sender, another.claimed), another.claimed)
    })

    it.test("takes back what all others had claimed for the one that is alone", function* () {
      const store = yield* DeliveryStore
      const { claimed, sender } = yield* makeClaim(2)
      const retried = yield* makeClaim(1)
      yield* failed(retried.claimed)
      const own = yield* makeClaim(2)

      yield* store.takeBack({ from: { _tag: "AllBut", dispatcher: own.dispatcher }, at: second(3) })

      const times = (deliveries: ReadonlyArray<Delivery>) =>
        deliveries.map(({ nextAttemptAt }) => nextAttemptAt)
      assert.deepStrictEqual(times(yield* now(sender, claimed)), [second(3), second(3)])
      assert.deepStrictEqual(times(yield* now(retried.sender, retried.claimed)), [second(5)])
      assert.deepStrictEqual(yield* now(own.sender, own.claimed), own.claimed)
    })

    it.test("settles a delivery that was taken back as long as no one has claimed it again", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(1)
      yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: second(3) })

      yield* store.settle(
        claimed.map((delivery) => ({
          accountId: sender.accountId,
          attempt: attemptOf(delivery, { status: 200, error: null }),
          verdict: { _tag: "Delivered" }
        })),
        second(4)
      )

      const [delivery] = yield* now(sender, claimed)
      assert.strictEqual(delivery?.state, "delivered")
      assert.deepStrictEqual(yield* claimAll(sender, { at: second(100) }), [])
    })

    it.test("takes nothing back that another has claimed since the lease ran out", function* () {
      const store = yield* DeliveryStore
      const { claimed, dispatcher, sender } = yield* makeClaim(1)
      const end = DateTime.addDuration(second(1), lease)
      const another = yield* claimOnce(sender, { dispatcher: yield* makeDispatcher(), at: end })

      const count = yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: end })

      assert.strictEqual(count, 0)
      assert.deepStrictEqual(yield* now(sender, claimed), another.deliveries)
    })

    it.test("lets another probe go out at once when a probe was given back", function* () {
      const store = yield* DeliveryStore
      const { dispatcher, sender } = yield* makeProbe()

      yield* store.giveBack({ dispatcher, which: { _tag: "AllBut", ids: [] }, at: second(11) })

      const { probeOf } = yield* claimOnce(sender, { dispatcher, at: second(11) })
      assert.deepStrictEqual(probeOf, [1])
    })

    it.test("lets another probe go out at once when a probe was taken back", function* () {
      const store = yield* DeliveryStore
      const { dispatcher, sender } = yield* makeProbe()

      yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: second(11) })

      const { probeOf } = yield* claimOnce(sender, {
        dispatcher: yield* makeDispatcher(),
        at: second(11)
      })
      assert.deepStrictEqual(probeOf, [1])
    })

    it.test("tells a dispatcher how often each other one has given a sign of life", function* () {
      const store = yield* DeliveryStore
      const [one, two, three] = [yield* makeDispatcher(), yield* makeDispatcher(), yield* makeDispatcher()]
      yield* store.beat(one)
      yield* store.beat(two)
      yield* store.beat(two)

      const heard = yield* store.beat(three)

      assert.deepStrictEqual([heard.get(one), heard.get(two), heard.get(three)], [1, 2, undefined])
    })

    it.test("forgets the dispatchers from which it takes back", function* () {
      const store = yield* DeliveryStore
      const [one, two, three] = [yield* makeDispatcher(), yield* makeDispatcher(), yield* makeDispatcher()]
      yield* Effect.forEach([one, two, three], store.beat)

      yield* store.takeBack({ from: { _tag: "One", dispatcher: one }, at: second(1) })
      const afterOne = yield* store.beat(three)
      yield* store.takeBack({ from: { _tag: "AllBut", dispatcher: three }, at: second(1) })
      const afterAll = yield* store.beat(three)

      assert.deepStrictEqual([afterOne.has(one), afterOne.has(two), afterAll.size], [false, true, 0])
      assert.strictEqual((yield* store.beat(two)).get(three), 3)
    })
  })
