/** What every DeliveryStore does with the outcomes of attempts. */
import { assert } from "@effect/vitest"
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import {
  attemptOf,
  claimAll,
  lease,
  makeClaimedDelivery,
  makeDelivery,
  makeSender,
  stored
} from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const settleAt = (at: DateTime.Utc, settlement: Settlement) =>
  DeliveryStore.use((store) => store.settle([settlement], at))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore settle", { layer, name }, (it) => {
    it.test("records a success and never sends the delivery again", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const attempt = attemptOf(claimed, { status: 204, error: null, responseBody: null })
      const at = second(2)

      yield* settleAt(at, { accountId: sender.accountId, attempt, verdict: { _tag: "Delivered" } })

      assert.deepStrictEqual(yield* stored(sender, claimed.id), {
        delivery: { ...claimed, state: "delivered", nextAttemptAt: null, lastStatus: 204, settledAt: at },
        attempts: [attempt]
      })
      const longAfter = DateTime.addDuration(second(3), deliveryLifetime)
      assert.deepStrictEqual(yield* claimAll(sender, { at: longAfter }), [])
    })

    it.test("records a failure and makes the delivery due when its retry is", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const attempt = attemptOf(claimed)
      const verdict = { _tag: "Retry", nextAttemptAt: second(30) } as const

      yield* settleAt(second(2), { accountId: sender.accountId, attempt, verdict })

      const { delivery } = yield* stored(sender, claimed.id)
      assert.deepStrictEqual(delivery, {
        ...claimed,
        nextAttemptAt: second(30),
        lastStatus: 503,
        lastError: attempt.error,
        lastCause: "server_error"
      })
      assert.deepStrictEqual(yield* claimAll(sender, { at: second(29.999) }), [])
      const [again] = yield* claimAll(sender, { at: second(30) })
      assert.strictEqual(again?.attempts, 2)
    })

    it.test("keeps the attempts of a delivery, oldest first", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const { accountId } = sender
      const first = attemptOf(claimed, { phase: "connect", status: null, error: "Connection refused" })
      yield* settleAt(second(2), {
        accountId,
        attempt: first,
        verdict: { _tag: "Retry", nextAttemptAt: second(3) }
      })
      const [again = claimed] = yield* claimAll(sender, { at: second(3) })
      const last = attemptOf(again, { startedAt: second(3), isTruncated: true })

      yield* settleAt(second(4), { accountId, attempt: last, verdict: { _tag: "Dead" } })

      assert.deepStrictEqual(yield* stored(sender, claimed.id), {
        delivery: {
          ...claimed,
          state: "dead",
          attempts: 2,
          attemptedAt: second(3),
          nextAttemptAt: null,
          lastStatus: 503,
          lastError: last.error,
          lastCause: "server_error",
          settledAt: second(4)
        },
        attempts: [first, last]
      })
    })

    it.test("settles many attempts at once, each by its own verdict", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const { accountId } = sender
      yield* Effect.all(Array.from({ length: 3 }, () => makeDelivery(sender)))
      const claimed = yield* claimAll(sender, { at: second(1) })
      const verdicts = [
        { _tag: "Delivered" },
        { _tag: "Dead" },
        { _tag: "Retry", nextAttemptAt: second(9) }
      ] as const

      yield* store.settle(
        verdicts.flatMap((verdict, index) =>
          claimed.slice(index, index + 1).map((each) => ({ accountId, attempt: attemptOf(each), verdict }))
        ),
        second(2)
      )

      const states = yield* Effect.forEach(claimed, ({ id }) => stored(sender, id))
      assert.deepStrictEqual(
        states.map(({ delivery }) => delivery.state),
        ["delivered", "dead", "pending"]
      )
    })

    it.test("accepts a late settlement while no one else has claimed the delivery", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const afterLease = DateTime.addDuration(second(2), lease)

      yield* settleAt(afterLease, {
        accountId: sender.accountId,
        attempt: attemptOf(claimed),
        verdict: { _tag: "Delivered" }
      })

      const { delivery } = yield* stored(sender, claimed.id)
      assert.strictEqual(delivery.state, "delivered")
    })

    it.test("changes nothing by the settlement of a worker whose lease another one has", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const [again = claimed] = yield* claimAll(sender, { at: DateTime.addDuration(second(1), lease) })

      for (const sent of [undefined, claimed])
        yield* settleAt(second(90), {
          accountId: sender.accountId,
          attempt: attemptOf(claimed),
          sent,
          verdict: { _tag: "Delivered" }
        })

      assert.deepStrictEqual(yield* stored(sender, claimed.id), { delivery: again, attempts: [] })
    })

    it.test("changes nothing by the settlement of a worker that slept through a replay", function* () {
      const store = yield* DeliveryStore
      const { sender, claimed: slept } = yield* makeClaimedDelivery()
      const { accountId } = sender
      const [retried = slept] = yield* claimAll(sender, { at: second(60) })
      const attempt = attemptOf(retried)
      yield* settleAt(second(61), { accountId, attempt, verdict: { _tag: "Dead" } })
      yield* store.replay({ accountId, id: slept.id, at: second(62) })
      const [replayed = slept] = yield* claimAll(sender, { at: second(62) })

      yield* settleAt(second(63), {
        accountId,
        attempt: attemptOf(slept),
        verdict: { _tag: "Delivered" }
      })

      assert.strictEqual(replayed.attempts, slept.attempts)
      assert.deepStrictEqual(yield* stored(sender, slept.id), { delivery: replayed, attempts: [attempt] })
    })

    it.test("changes nothing by a settlement in another account's name", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const { accountId } = yield* makeSender()

      yield* settleAt(second(2), {
        accountId,
        attempt: attemptOf(claimed),
        verdict: { _tag: "Delivered" }
      })

      assert.deepStrictEqual(yield* stored(sender, claimed.id), { delivery: claimed, attempts: [] })
    })

    it.test("records an attempt once, however often it is settled", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const attempt = attemptOf(claimed)
      const { accountId } = sender
      yield* settleAt(second(2), {
        accountId,
        attempt,
        verdict: { _tag: "Retry", nextAttemptAt: second(30) }
      })
      const before = yield* stored(sender, claimed.id)

      yield* settleAt(second(3), { accountId, attempt, verdict: { _tag: "Dead" } })

      assert.deepStrictEqual(yield* stored(sender, claimed.id), before)
    })
  })
