/** What every DeliveryStore tells of one delivery: the attempts that were made of it, and what it waits for. */
import { assert } from "@effect/vitest"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import { attemptsShownMax, type Delivery, type DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import type { Wait } from "@runhook/core/deliveries/claim/DeliveryWait"
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import { EventId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  attemptOf,
  claimAll,
  makeClaimedDelivery,
  makeDeadDelivery,
  makeDelivery,
  makeSender,
  type Sender,
  stored
} from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const waitOf = ({ accountId }: Sender, id: EventId, at: DateTime.Utc) =>
  DeliveryStore.use((store) => store.waits({ accountId, ids: [id], at })).pipe(
    Effect.map((waits): Wait | undefined => waits.get(id))
  )

/** Settles the attempt at second 2 as failed, to be repeated at second 30. */
const settleFailed = ({ accountId }: Sender, attempt: DeliveryAttempt, move?: ReceiverMove) =>
  DeliveryStore.use((store) =>
    store.settle(
      [{ accountId, attempt, verdict: { _tag: "Retry", nextAttemptAt: second(30) }, move }],
      second(2)
    )
  )

/** Another delivery to a receiver of which a failed attempt, settled at second 2, meant this. */
const makeDeliveryAfter = Effect.fnUntraced(function* (move: ReceiverMove, fields: Partial<Delivery> = {}) {
  const { sender, claimed } = yield* makeClaimedDelivery()
  yield* settleFailed(sender, attemptOf(claimed), move)
  return { sender, failed: claimed, waiting: yield* makeDelivery(sender, fields) }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore detail", { layer, name }, (it) => {
    it.test("shows the latest hundred attempts of a delivery that had more", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      let delivery = claimed
      while (delivery.attempts <= attemptsShownMax) {
        yield* settleFailed(sender, attemptOf(delivery))
        const [again] = yield* claimAll(sender, { at: second(30) })
        assert(again)
        delivery = again
      }

      const { attempts } = yield* stored(sender, claimed.id)

      const numbers = Array.from({ length: attemptsShownMax }, (_, place) => place + 1)
      assert.deepStrictEqual(
        attempts.map(({ number }) => number),
        numbers
      )
      yield* settleFailed(sender, attemptOf(delivery))
      assert.deepStrictEqual(
        (yield* stored(sender, claimed.id)).attempts.map(({ number }) => number),
        numbers.map((number) => number + 1)
      )
    })

    it.test("shows attempts as they were made, those that sent nothing too", function* () {
      const { sender, claimed } = yield* makeClaimedDelivery()
      const unsent = attemptOf(claimed, {
        phase: "dns",
        status: null,
        error: "The name has no address",
        remoteAddress: null,
        timings: { ...noTimings, dns: 2_000 },
        requestHeaders: {},
        responseHeaders: {},
        responseBody: null
      })
      yield* settleFailed(sender, unsent)
      const [again] = yield* claimAll(sender, { at: second(30) })
      assert(again)
      const answered = attemptOf(again, {
        timings: { dns: 1, connect: 2, tls: 3, headers: 0, body: 5 },
        requestHeaders: { "x-webhook-signature": "00ff", "x-odd": '"\\ é' },
        isTruncated: true
      })

      yield* settleFailed(sender, answered)

      const { attempts } = yield* stored(sender, claimed.id)
      assert.deepStrictEqual(attempts, [unsent, answered])
    })

    it.test("tells that a delivery is due, being sent, or waits for its next attempt", function* () {
      const sender = yield* makeSender()
      const { id } = yield* makeDelivery(sender)

      const due = yield* waitOf(sender, id, second(1))
      const [claimed] = yield* claimAll(sender, { at: second(1) })
      assert(claimed)
      const sending = yield* waitOf(sender, id, second(2))
      const lost = yield* waitOf(sender, id, second(46))
      yield* settleFailed(sender, attemptOf(claimed))
      const failed = yield* waitOf(sender, id, second(3))

      assert.deepStrictEqual(
        [due, sending, lost, failed],
        [
          { waitingFor: null, nextAttemptAt: second(0) },
          { waitingFor: "sending", nextAttemptAt: second(46) },
          { waitingFor: null, nextAttemptAt: second(46) },
          { waitingFor: "backoff", nextAttemptAt: second(30) }
        ]
      )
    })

    it.effect(
      "tells that a delivery waits for a receiver that is left alone, unless its own time is later",
      () =>
        Effect.gen(function* () {
          const opened = { _tag: "Open", openings: 1, until: second(10) } as const
          const { failed, sender, waiting } = yield* makeDeliveryAfter(opened)

          const waits = yield* Effect.all([
            waitOf(sender, waiting.id, second(3)),
            waitOf(sender, waiting.id, second(10)),
            waitOf(sender, failed.id, second(3))
          ])

          assert.deepStrictEqual(waits, [
            { waitingFor: "breaker_open", nextAttemptAt: second(10) },
            { waitingFor: null, nextAttemptAt: second(10) },
            { waitingFor: "backoff", nextAttemptAt: second(30) }
          ])
        })
    )

    it.test("tells that a delivery waits because its receiver asked for a pause", function* () {
      const { sender, waiting } = yield* makeDeliveryAfter({ _tag: "Pause", until: second(20) })

      const wait = yield* waitOf(sender, waiting.id, second(3))

      assert.deepStrictEqual(wait, { waitingFor: "paused", nextAttemptAt: second(20) })
    })

    it.test("does not hold one receiver's trouble against another", function* () {
      const paused = { _tag: "Pause", until: second(20) } as const
      const url = "https://other.example/hook"
      const { sender, waiting } = yield* makeDeliveryAfter(paused, { url })

      const wait = yield* waitOf(sender, waiting.id, second(3))

      assert.deepStrictEqual(wait, { waitingFor: null, nextAttemptAt: second(0) })
    })

    it.test("tells that a delivery waits for an earlier event of its execution", function* () {
      const tenant = yield* makeTenant()
      const { id: executionId } = yield* makeExecution(tenant)
      const event = { type: "execution.queued", executionId } as const
      yield* makeDelivery(tenant, { ...event, revision: 1 })
      const heldBack = { ...event, revision: 2, createdAt: second(1), nextAttemptAt: second(31) }
      const later = yield* makeDelivery(tenant, heldBack)
      const ofOther = yield* makeDelivery(tenant, {
        ...heldBack,
        executionId: (yield* makeExecution(tenant)).id
      })

      const waits = yield* Effect.all([
        waitOf(tenant, later.id, second(2)),
        waitOf(tenant, ofOther.id, second(2))
      ])

      assert.deepStrictEqual(waits, [
        { waitingFor: "earlier_event", nextAttemptAt: second(31) },
        { waitingFor: "backoff", nextAttemptAt: second(31) }
      ])
    })

    it.test("tells of pending deliveries only, and of no other account's", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const dead = yield* makeDeadDelivery(sender)
      const foreign = yield* makeDelivery(yield* makeSender())
      const pending = yield* makeDelivery(sender)
      const ids = [dead.id, foreign.id, yield* idAt(EventId, second(0)), pending.id]

      const waits = yield* store.waits({ accountId: sender.accountId, ids, at: second(1) })

      assert.deepStrictEqual([...waits.keys()], [pending.id])
    })
  })
