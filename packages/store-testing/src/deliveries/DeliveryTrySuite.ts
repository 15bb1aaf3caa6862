/** How every DeliveryStore has a delivery tried now. Claims are over the whole database, so no other suite may claim meanwhile. */
import { assert } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import type { Wait } from "@runhook/core/deliveries/claim/DeliveryWait"
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import { testDelivery } from "@runhook/core/deliveries/TestDelivery"
import { EventId } from "@runhook/core/shared/Ids"
import type { ClaimRoom } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  attemptOf,
  claimAll,
  claimOnce,
  lease,
  makeDeadDelivery,
  makeDelivery,
  makeSender,
  type Sender,
  stored
} from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const open: ReceiverMove = { _tag: "Open", openings: 1, until: second(100) }
const pause: ReceiverMove = { _tag: "Pause", until: second(100) }

const settle = (
  { accountId }: Sender,
  delivery: Delivery,
  options: { readonly at: DateTime.Utc; readonly verdict: Verdict; readonly move?: ReceiverMove }
) =>
  DeliveryStore.use((store) =>
    store.settle([{ ...options, accountId, attempt: attemptOf(delivery) }], options.at)
  )

/** A delivery that failed at second 1 and goes on at second 50, of a sender with others that are due. */
const makeFailedDelivery = Effect.fnUntraced(function* (
  options: { readonly others?: number; readonly move?: ReceiverMove } = {}
) {
  const { move, others = 0 } = options
  const sender = yield* makeSender()
  const { id } = yield* makeDelivery(sender)
  const [claimed] = yield* claimAll(sender, { at: second(1) })
  if (claimed?.id !== id) return yield* Effect.die(new Error("It was not claimed"))
  const verdict = { _tag: "Retry", nextAttemptAt: second(50) } as const
  yield* settle(sender, claimed, { at: second(1), verdict, ...(move && { move }) })
  yield* Effect.replicateEffect(makeDelivery(sender), others)
  return { sender, id }
})

const tryNow = ({ accountId }: Sender, id: EventId, at: DateTime.Utc = second(10)) =>
  DeliveryStore.use((store) => store.tryNow({ accountId, id, at }))

/** A test that is queued at second 10, and what it waits for. */
const queueTest = Effect.fnUntraced(function* (sender: Sender) {
  const id = yield* idAt(EventId, second(10))
  const url = "https://receiver.example/hook"
  const delivery = testDelivery({ ...sender, id, url, requestId: "req_test" })
  return { id, wait: yield* DeliveryStore.use((store) => store.enqueue(delivery)) }
})

const now: Wait = { waitingFor: null, nextAttemptAt: second(10) }
const behindBreaker: Wait = { waitingFor: "breaker_open", nextAttemptAt: second(100) }

const claim = (sender: Sender, at: DateTime.Utc, room: Partial<ClaimRoom> = {}) =>
  claimOnce(sender, { at, room })

const idsOf = ({ deliveries }: { readonly deliveries: ReadonlyArray<Delivery> }) =>
  deliveries.map(({ id }) => id)

const waitOf = Effect.fnUntraced(function* ({ accountId }: Sender, id: EventId, at: DateTime.Utc) {
  const waits = yield* DeliveryStore.use((store) => store.waits({ accountId, ids: [id], at }))
  return waits.get(id)
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore tryNow", { layer, name }, (it) => {
    it.effect("makes a delivery due before its time, and counts its next attempt when that is claimed", () =>
      Effect.gen(function* () {
        const { id, sender } = yield* makeFailedDelivery()
        const before = (yield* stored(sender, id)).delivery
        yield* claimAll(sender, { at: second(10) })

        const tried = yield* tryNow(sender, id)

        assert.deepStrictEqual(tried, { ...before, nextAttemptAt: second(10) })
        assert.deepStrictEqual((yield* stored(sender, id)).delivery, tried)
        const [claimed] = (yield* claim(sender, second(10))).deliveries
        assert.deepInclude(claimed, { id, attempts: 2, round: 1 })
      })
    )

    it.test("passes an open breaker with it alone, as a probe of the receiver", function* () {
      const { id, sender } = yield* makeFailedDelivery({ others: 3, move: open })
      const before = yield* claim(sender, second(10))

      yield* tryNow(sender, id)
      const wait = yield* waitOf(sender, id, second(10))
      const claimed = yield* claim(sender, second(10))

      assert.deepStrictEqual(idsOf(before), [])
      assert.deepStrictEqual(wait, { waitingFor: null, nextAttemptAt: second(10) })
      assert.deepStrictEqual(idsOf(claimed), [id])
      assert.deepStrictEqual(claimed.probeOf, [1])
      assert.deepStrictEqual(idsOf(yield* claim(sender, second(11))), [])
    })

    it.test("tries a test past an open breaker, as a probe of the receiver, and answers so", function* () {
      const { sender } = yield* makeFailedDelivery({ others: 3, move: open })

      const { id, wait } = yield* queueTest(sender)

      assert.deepStrictEqual(wait, now)
      assert.deepStrictEqual(yield* waitOf(sender, id, second(10)), wait)
      const claimed = yield* claim(sender, second(10))
      assert.deepStrictEqual(idsOf(claimed), [id])
      assert.deepStrictEqual(claimed.probeOf, [1])
    })

    it.test("tries one test of a receiver at a time, however many are queued at once", function* () {
      const { sender } = yield* makeFailedDelivery({ move: open })
      const tests = yield* Effect.replicateEffect(queueTest(sender), 6, { concurrency: "unbounded" })

      const claimed = yield* claim(sender, second(10))
      const whileSent = yield* queueTest(sender)
      const [sent] = claimed.deliveries
      if (sent === undefined) return yield* Effect.die(new Error("No test was claimed"))
      const verdict = { _tag: "Retry", nextAttemptAt: second(60) } as const
      yield* settle(sender, sent, { at: second(11), verdict })
      const next = yield* queueTest(sender)

      const [first, ...others] = tests.toSorted(({ wait }) => (wait.waitingFor === null ? -1 : 1))
      assert.deepStrictEqual(first, { id: sent.id, wait: now })
      assert.strictEqual(claimed.deliveries.length, 1)
      for (const { wait } of [...others, whileSent]) assert.deepStrictEqual(wait, behindBreaker)
      assert.deepStrictEqual(next.wait, now)
      assert.deepStrictEqual(idsOf(yield* claim(sender, second(11))), [next.id])
    })

    it.test(
      "holds a test behind a delivery that a person wants tried, unless that has another receiver",
      function* () {
        const [one, other] = [
          yield* makeFailedDelivery({ move: open }),
          yield* makeFailedDelivery({ move: open })
        ]
        const elsewhere = yield* makeDelivery(one.sender, { url: "https://another.example/hook" })
        yield* tryNow(one.sender, elsewhere.id)
        yield* tryNow(other.sender, other.id)

        const waits = [(yield* queueTest(one.sender)).wait, (yield* queueTest(other.sender)).wait]

        assert.deepStrictEqual(waits, [now, behindBreaker])
      }
    )

    it.test("holds a test while the receiver is paused at its own wish, and answers so", function* () {
      const { sender } = yield* makeFailedDelivery({ move: pause })

      const { id, wait } = yield* queueTest(sender)

      assert.deepStrictEqual(wait, { waitingFor: "paused", nextAttemptAt: second(100) })
      assert.deepStrictEqual(yield* waitOf(sender, id, second(10)), wait)
      assert.deepStrictEqual(idsOf(yield* claim(sender, second(10))), [])
    })

    it.test("leaves the probe of its receiver to what waits for it", function* () {
      const { id, sender } = yield* makeFailedDelivery({ others: 3, move: open })
      yield* tryNow(sender, id, second(101))
      const tried = yield* claim(sender, second(101), { receiver: 1 })

      const probing = yield* claim(sender, second(102))

      assert.deepStrictEqual(idsOf(tried), [id])
      assert.strictEqual(probing.deliveries.length, 1)
    })

    it.test("passes a pause that the receiver asked for with it alone", function* () {
      const { id, sender } = yield* makeFailedDelivery({ others: 3, move: pause })

      yield* tryNow(sender, id)
      const claimed = yield* claim(sender, second(10))

      assert.deepStrictEqual(idsOf(claimed), [id])
      assert.deepStrictEqual(claimed.probeOf, [null])
      assert.deepStrictEqual(idsOf(yield* claim(sender, second(11))), [])
    })

    it.test("holds until an attempt is settled, and no longer", function* () {
      const { id, sender } = yield* makeFailedDelivery({ move: open })
      yield* tryNow(sender, id)
      const lost = yield* claim(sender, second(10))
      // Nobody settled it, so it is tried once more when its lease has run out.
      const again = yield* claim(sender, DateTime.addDuration(second(10), lease))
      const [delivery] = again.deliveries
      if (delivery === undefined) return yield* Effect.die(new Error("It was not claimed again"))

      const verdict = { _tag: "Retry", nextAttemptAt: second(60) } as const
      yield* settle(sender, delivery, { at: second(56), verdict })

      assert.deepStrictEqual([idsOf(lost), idsOf(again)], [[id], [id]])
      assert.deepStrictEqual(yield* waitOf(sender, id, second(61)), {
        waitingFor: "breaker_open",
        nextAttemptAt: second(100)
      })
      assert.deepStrictEqual(idsOf(yield* claim(sender, second(61))), [])
    })

    it.test("goes before what else its receiver is owed, and takes its room", function* () {
      const { id, sender } = yield* makeFailedDelivery({ others: 3 })
      yield* tryNow(sender, id)

      const full = yield* claim(sender, second(10), { receiver: 0 })
      const noRetries = yield* claim(sender, second(10), { retries: 0, receiver: 1 })
      const one = yield* claim(sender, second(10), { receiver: 1 })

      assert.deepStrictEqual(idsOf(full), [])
      assert.notInclude(idsOf(noRetries), id)
      assert.deepStrictEqual(idsOf(one), [id])
      yield* claimAll(sender, { at: second(10) })
    })

    it.test("makes one attempt, however many ask at once and even if another claims meanwhile", function* () {
      const { id, sender } = yield* makeFailedDelivery({ move: open })

      const claims = yield* Effect.all(
        [
          ...Array.from({ length: 6 }, () => Effect.as(Effect.exit(tryNow(sender, id)), [])),
          ...Array.from({ length: 6 }, () => Effect.map(claim(sender, second(10)), idsOf))
        ],
        { concurrency: "unbounded" }
      )
      const rest = yield* claim(sender, second(10))

      assert.deepStrictEqual([...claims.flat(), ...idsOf(rest)], [id])
      assert.strictEqual((yield* stored(sender, id)).delivery.attempts, 2)
    })

    it.test("refuses what is being sent, and what is settled", function* () {
      const sender = yield* makeSender()
      const dead = yield* makeDeadDelivery(sender)
      const { id } = yield* makeDelivery(sender)
      yield* claimAll(sender, { at: second(9) })

      const sending = yield* Effect.flip(tryNow(sender, id))
      const settled = yield* Effect.flip(tryNow(sender, dead.id))

      assert.deepInclude(sending, { _tag: "DeliveryNotWaiting", reason: "sending", state: "pending" })
      assert.deepInclude(settled, { _tag: "DeliveryNotWaiting", reason: "settled", state: "dead" })
    })

    it.test("refuses an event while it is the turn of an earlier one, which may be tried", function* () {
      const tenant = yield* makeTenant()
      const { id: executionId } = yield* makeExecution(tenant)
      const event = (revision: number) =>
        makeDelivery(tenant, { executionId, revision, type: "execution.started" })
      const first = yield* event(1)
      const [claimed = first] = yield* claimAll(tenant, { at: second(1) })
      const verdict = { _tag: "Retry", nextAttemptAt: second(50) } as const
      yield* settle(tenant, claimed, { at: second(1), verdict, move: open })
      const later = yield* event(2)
      yield* claimAll(tenant, { at: second(2) })

      const refused = yield* Effect.flip(tryNow(tenant, later.id))
      yield* tryNow(tenant, first.id)

      assert.deepInclude(refused, { _tag: "DeliveryNotWaiting", reason: "earlier_event" })
      assert.deepStrictEqual(idsOf(yield* claim(tenant, second(10))), [first.id])
    })

    it.test("answers for a delivery of another account as for one that does not exist", function* () {
      const { id, sender } = yield* makeFailedDelivery()

      const error = yield* Effect.flip(tryNow(yield* makeSender(), id))

      assert.strictEqual(error._tag, "DeliveryNotFound")
      assert.deepStrictEqual((yield* stored(sender, id)).delivery.nextAttemptAt, second(50))
    })
  })
