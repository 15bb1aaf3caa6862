/** What every DeliveryStore does so that one receiver or account does not hold up the others. */
import { assert } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { type ReceiverMove, recoverySeconds, sliceOf } from "@runhook/core/deliveries/claim/Receiver"
import { type ClaimRoom, roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
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

const origin = "https://receiver.example"
const otherUrl = "https://other.example/hook"

const severalDeliveries = (sender: Sender, count: number, fields: Partial<Delivery> = {}) =>
  Effect.replicateEffect(makeDelivery(sender, fields), count)

/** The database holds nothing else that is due. */
const claim = (sender: Sender, at: DateTime.Utc, room: Partial<ClaimRoom> = {}) =>
  claimOnce(sender, { at, room })

const numberOf = ({ deliveries }: { readonly deliveries: ReadonlyArray<Delivery> }): number =>
  deliveries.length

/** Settles an attempt as failed, due again at once, with what it means for the receiver. */
const settleFailed = (delivery: Delivery, at: DateTime.Utc, move: ReceiverMove) =>
  DeliveryStore.use((store) =>
    store.settle(
      [
        {
          accountId: delivery.accountId,
          attempt: attemptOf(delivery),
          verdict: { _tag: "Retry", nextAttemptAt: at },
          move
        }
      ],
      at
    )
  )

/** A sender whose receiver was left alone at second 1 until second 10, with this many deliveries waiting for it. */
const makeTroubledSender = Effect.fnUntraced(function* (count: number) {
  const sender = yield* makeSender()
  const first = yield* makeDelivery(sender)
  const [claimed] = yield* claimAll(sender, { at: second(1) })
  if (claimed?.id !== first.id) return yield* Effect.die(new Error("It was not claimed"))
  yield* settleFailed(claimed, second(1), { _tag: "Open", openings: 1, until: second(10) })
  yield* severalDeliveries(sender, count - 1)
  return sender
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore isolation", { layer, name }, (it) => {
    it.test("claims of a receiver as many as there is room for, and all of the others", function* () {
      const sender = yield* makeSender()
      yield* severalDeliveries(sender, 5)
      yield* severalDeliveries(sender, 3, { url: otherUrl })

      const { deliveries } = yield* claim(sender, second(1), {
        receiver: 4,
        receivers: [{ accountId: sender.accountId, origin, room: 2 }]
      })

      assert.deepStrictEqual(
        [origin, otherUrl].map((url) => deliveries.filter((each) => each.url.startsWith(url)).length),
        [2, 3]
      )
      yield* claimAll(sender, { at: second(1) })
    })

    it.test("claims of an account as many as there is room for", function* () {
      const [sender, other] = [yield* makeSender(), yield* makeSender()]
      yield* severalDeliveries(sender, 5)
      yield* severalDeliveries(other, 5)
      const store = yield* DeliveryStore

      const { deliveries } = yield* store.claimDue({
        room: { ...roomFor(100), account: 3, accounts: new Map([[sender.accountId, 1]]) },
        lease,
        at: second(1)
      })

      assert.deepStrictEqual(
        [sender, other].map(
          ({ accountId }) => deliveries.filter(({ delivery }) => delivery.accountId === accountId).length
        ),
        [1, 3]
      )
      yield* claimAll(sender, { at: second(1) })
    })

    it.test("claims as many retries as there is room for, and first attempts instead", function* () {
      const sender = yield* makeSender()
      yield* severalDeliveries(sender, 3, { attempts: 1 })
      yield* severalDeliveries(sender, 3, { url: otherUrl })

      const { deliveries } = yield* claim(sender, second(1), { retries: 1 })

      assert.deepStrictEqual(deliveries.map(({ attempts }) => attempts).toSorted(), [1, 1, 1, 2])
      yield* claimAll(sender, { at: second(1) })
    })

    it.test("does not ask to look again at once for what there is no room for", function* () {
      const sender = yield* makeSender()
      yield* severalDeliveries(sender, 3)

      const { nextDueAt } = yield* claim(sender, second(1), { receiver: 1 })

      assert.isTrue(nextDueAt === null || DateTime.isGreaterThan(nextDueAt, second(1)))
      yield* claimAll(sender, { at: second(1) })
    })

    it.test("gives out nothing for a receiver that is left alone, and says when to look again", function* () {
      const sender = yield* makeTroubledSender(3)
      yield* makeDelivery(sender, { url: otherUrl })

      const { deliveries, nextDueAt } = yield* claim(sender, second(9.999))

      assert.deepStrictEqual(
        deliveries.map(({ url }) => url),
        [otherUrl]
      )
      assert.deepStrictEqual(nextDueAt, second(10))
      yield* claim(sender, second(10))
    })

    it.test("then gives out one delivery, and no other while that one is being sent", function* () {
      const sender = yield* makeTroubledSender(3)

      const first = yield* claim(sender, second(10))

      assert.deepStrictEqual(first.probeOf, [1])
      const meanwhile = yield* claim(sender, second(54))
      const whenItsLeaseHasEnded = yield* claim(sender, second(55))
      assert.deepStrictEqual([numberOf(meanwhile), numberOf(whenItsLeaseHasEnded)], [0, 1])
    })

    it.test("gives the probe to one of several claimers", function* () {
      const sender = yield* makeTroubledSender(20)

      const claims = yield* Effect.all(
        Array.from({ length: 8 }, () => claim(sender, second(10))),
        { concurrency: "unbounded" }
      )

      assert.deepStrictEqual(claims.map(numberOf).toSorted(), [0, 0, 0, 0, 0, 0, 0, 1])
    })

    it.test("leaves the receiver alone for longer when the probe fails", function* () {
      const sender = yield* makeTroubledSender(3)
      const { deliveries } = yield* claim(sender, second(10))

      yield* Effect.forEach(deliveries, (probe) =>
        settleFailed(probe, second(11), { _tag: "Open", openings: 2, until: second(31) })
      )

      const before = yield* claim(sender, second(30.999))
      const after = yield* claim(sender, second(31))
      assert.deepStrictEqual([numberOf(before), numberOf(after)], [0, 1])
      assert.deepStrictEqual(after.probeOf, [2])
    })

    it.test("gives out another at once when the probe ends without a request", function* () {
      const sender = yield* makeTroubledSender(3)
      const [probe] = (yield* claim(sender, second(10))).deliveries
      if (probe === undefined) return yield* Effect.die("Nothing was claimed")
      const before = yield* claim(sender, second(11))

      yield* settleFailed(probe, second(12), { _tag: "Free", leaseEnd: probe.nextAttemptAt })

      const after = yield* claim(sender, second(12))
      assert.deepStrictEqual([before.probeOf, after.probeOf], [[], [1]])
    })

    it.test("opens the breaker once when several find that a receiver fails", function* () {
      const sender = yield* makeSender()
      yield* severalDeliveries(sender, 3)
      const [first, second_] = yield* claimAll(sender, { at: second(1) })
      if (first === undefined || second_ === undefined) return yield* Effect.die("Nothing was claimed")
      yield* settleFailed(first, second(2), { _tag: "Open", openings: 1, until: second(10) })

      yield* settleFailed(second_, second(3), { _tag: "Open", openings: 1, until: second(20) })

      assert.strictEqual(numberOf(yield* claim(sender, second(10))), 1)
    })

    it.test("brings what waited forward in slices once the probe came through", function* () {
      const sender = yield* makeTroubledSender(40)
      const store = yield* DeliveryStore
      const [probe] = (yield* claim(sender, second(10))).deliveries
      if (probe === undefined) return yield* Effect.die("Nothing was claimed")

      yield* store.settle(
        [
          {
            accountId: sender.accountId,
            attempt: attemptOf(probe, { status: 200, error: null }),
            verdict: { _tag: "Delivered" },
            move: { _tag: "Close", openings: 1 }
          }
        ],
        second(11)
      )

      const news = yield* makeDelivery(sender, { nextAttemptAt: second(12) })
      const early = yield* claim(sender, second(11 + 12))
      const late = yield* claim(sender, second(11 + recoverySeconds))
      const [isEarly, isLate] = [early, late].map(
        ({ deliveries }) =>
          (some: (slice: number) => boolean) =>
            deliveries.every(({ id }) => id === news.id || some(sliceOf(id)))
      )
      assert.strictEqual(numberOf(early) + numberOf(late), 40)
      assert.isTrue(early.deliveries.some(({ id }) => id === news.id))
      assert.isTrue(isEarly?.((slice) => slice <= 12))
      assert.isTrue(isLate?.((slice) => slice > 12))
    })

    it.test("pauses a receiver that asks for it, and sends on without a probe", function* () {
      const sender = yield* makeSender()
      yield* severalDeliveries(sender, 4)
      const [claimed] = (yield* claim(sender, second(1), { receiver: 1 })).deliveries
      if (claimed === undefined) return yield* Effect.die("Nothing was claimed")

      yield* settleFailed(claimed, second(2), { _tag: "Pause", until: second(60) })

      const before = yield* claim(sender, second(59))
      const after = yield* claim(sender, second(60))
      assert.deepStrictEqual([before.probeOf, after.probeOf], [[], [null, null, null, null]])
    })

    it.test("learns nothing about the receiver from an attempt whose lease had run out", function* () {
      const sender = yield* makeSender()
      yield* makeDelivery(sender)
      const [stale] = yield* claimAll(sender, { at: second(1) })
      const end = second(1 + Duration.toSeconds(lease))
      const [claimed] = yield* claimAll(sender, { at: end })
      if (stale === undefined || claimed === undefined) return yield* Effect.die("Nothing was claimed")

      yield* settleFailed(stale, end, { _tag: "Open", openings: 1, until: second(1_000) })

      yield* makeDelivery(sender)
      assert.strictEqual(numberOf(yield* claim(sender, end)), 1)
      assert.deepStrictEqual((yield* stored(sender, claimed.id)).delivery, claimed)
    })
  })
