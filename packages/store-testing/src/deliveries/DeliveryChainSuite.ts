/** What every DeliveryStore gives out of an execution to a dispatcher that holds, or claims along, what goes first. */
import { assert, describe, it } from "@effect/vitest"
import type { DeliveryOrder } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { DispatcherId, newId } from "@runhook/core/shared/Ids"
import { CallbackOrder, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import { claimAll, claimOnce, lease, makeSender, stored } from "./DeliveryFixtures.ts"
import { idsOf, settleAll, severalEvents } from "./DeliveryTurns.ts"

/** Two events of an execution, and two dispatchers. What other tests have left due is nobody's any more. */
const twoEvents = Effect.gen(function* () {
  const sender = yield* makeSender()
  yield* claimAll(sender, { at: second(1) })
  const [first, next] = yield* severalEvents(sender, 2)
  assert(first && next)
  const [dispatcher, another] = [yield* newId(DispatcherId), yield* newId(DispatcherId)]
  return { another, dispatcher, first, next, sender }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) => {
  const ordered = (order: DeliveryOrder) => Layer.provide(layer, Layer.succeed(CallbackOrder, order))

  describe(`DeliveryStore chains: ${name}`, () => {
    it.layer(ordered("bounded"))((it) => {
      it.effect(
        "gives out the events of an execution together, by their revisions, each behind the one before",
        () =>
          Effect.gen(function* () {
            const sender = yield* makeSender()
            yield* claimAll(sender, { at: second(1) })
            // The clock of each process was behind that of the one before, so the last is due first.
            const events = idsOf(yield* severalEvents(sender, 3, { apart: -0.4 }))
            const dispatcher = yield* newId(DispatcherId)

            const claimed = yield* claimOnce(sender, { dispatcher, at: second(1) })

            assert.deepStrictEqual(
              [idsOf(claimed.deliveries), claimed.behind],
              [events, [null, ...events.slice(0, -1)]]
            )
            assert.deepStrictEqual(
              claimed.deliveries.map(({ attempts }) => attempts),
              [1, 1, 1]
            )
            const { accountId } = sender
            const waits = yield* (yield* DeliveryStore).waits({ accountId, ids: events, at: second(2) })
            assert.deepStrictEqual(
              events.map((id) => waits.get(id)?.waitingFor),
              ["sending", "earlier_event", "earlier_event"]
            )
          })
      )

      it.effect("gives out an event behind one that its dispatcher holds, and to no other", () =>
        Effect.gen(function* () {
          const { another, dispatcher, first, next, sender } = yield* twoEvents
          yield* claimOnce(sender, { dispatcher, at: second(1), room: { receiver: 1 } })

          const elsewhere = yield* claimOnce(sender, { dispatcher: another, at: second(2) })
          const puttingOff = yield* stored(sender, next.id)
          const later = DateTime.add(second(46), { seconds: 1 })
          const late = yield* claimOnce(sender, { dispatcher, at: later })

          assert.deepStrictEqual([elsewhere.deliveries, puttingOff.delivery.attempts], [[], 0])
          // The lease of the first is over by then, and both are claimed anew.
          assert.deepStrictEqual(
            [idsOf(late.deliveries), late.behind],
            [
              [first.id, next.id],
              [null, first.id]
            ]
          )
        })
      )

      it.effect("gives out more of an execution while its dispatcher holds the first", () =>
        Effect.gen(function* () {
          const { dispatcher, first, next, sender } = yield* twoEvents
          yield* claimOnce(sender, { dispatcher, at: second(1), room: { receiver: 1 } })

          const more = yield* claimOnce(sender, { dispatcher, at: second(2) })

          assert.deepStrictEqual([idsOf(more.deliveries), more.behind], [[next.id], [first.id]])
        })
      )

      it.effect("puts an event off that comes back when the one before it is to be tried again", () =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const { dispatcher, first, next, sender } = yield* twoEvents
          const { deliveries } = yield* claimOnce(sender, { dispatcher, at: second(1) })
          const retry = { _tag: "Retry", nextAttemptAt: second(30) } as const
          yield* settleAll(sender, deliveries.slice(0, 1), { at: second(2), verdict: retry })
          yield* store.giveBack({ dispatcher, which: { _tag: "These", ids: [next.id] }, at: second(2) })

          const early = yield* claimOnce(sender, { dispatcher, at: second(3) })
          const again = yield* claimOnce(sender, { dispatcher, at: second(30) })
          yield* settleAll(sender, again.deliveries, { at: second(31) })
          const last = yield* claimOnce(sender, { dispatcher, at: second(31) })

          assert.deepStrictEqual(
            [early, again, last].map(({ behind, deliveries: given }) => [idsOf(given), behind]),
            [
              [[], []],
              [[first.id], [null]],
              [[next.id], [null]]
            ]
          )
        })
      )

      it.effect("sees in its order what a killed process had claimed and never sent", () =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const { another, dispatcher, first, next, sender } = yield* twoEvents
          yield* claimOnce(sender, { dispatcher, at: second(1) })
          yield* store.takeBack({ from: { _tag: "One", dispatcher }, at: second(2) })
          const one = yield* claimOnce(sender, { dispatcher: another, at: second(2), room: { receiver: 1 } })

          const other = yield* claimAll(sender, { at: second(2) })
          yield* settleAll(sender, one.deliveries, { at: second(3) })
          // No settlement releases it, since its claim might be alive: it is looked at again.
          const [early, late] = [
            yield* claimAll(sender, { at: second(3) }),
            yield* claimAll(sender, { at: second(7) })
          ]

          assert.deepStrictEqual([idsOf(one.deliveries), other, early], [[first.id], [], []])
          assert.deepStrictEqual(
            late.map(({ attempts, id }) => [id, attempts]),
            [[next.id, 2]]
          )
        })
      )

      it.effect("gives out an event behind nothing once the turn of the one before it is used up", () =>
        Effect.gen(function* () {
          const { dispatcher, first, next, sender } = yield* twoEvents
          for (let attempt = 1; attempt <= 3; attempt++) {
            const { deliveries } = yield* claimOnce(sender, { at: second(attempt) })
            const retry = { _tag: "Retry", nextAttemptAt: second(attempt + 1) } as const
            yield* settleAll(sender, deliveries, { at: second(attempt), verdict: retry, status: 400 })
          }

          const claimed = yield* claimOnce(sender, { dispatcher, at: second(4) })

          assert.deepStrictEqual(
            claimed.deliveries.map(({ id }, place) => [id, claimed.behind[place]]).toSorted(),
            [
              [first.id, null],
              [next.id, null]
            ].toSorted()
          )
        })
      )

      it.effect("gives out an event behind nothing when the one before it expires meanwhile", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          yield* claimAll(sender, { at: second(1) })
          const [first, next] = yield* severalEvents(sender, 2, { apart: 60 })
          assert(first)
          const dispatcher = yield* newId(DispatcherId)

          const claimed = yield* claimOnce(sender, { dispatcher, at: first.expiresAt })

          assert.deepStrictEqual([idsOf(claimed.deliveries), claimed.behind], [[next?.id], [null]])
        })
      )
    })

    it.layer(ordered("none"))((it) => {
      it.effect("gives out nothing behind another without order", () =>
        Effect.gen(function* () {
          const { dispatcher, sender } = yield* twoEvents

          const { behind } = yield* claimOnce(sender, { dispatcher, at: second(1) })

          assert.deepStrictEqual(behind, [null, null])
          yield* claimAll(sender, { at: DateTime.addDuration(second(1), lease) })
        })
      )
    })
  })
}
