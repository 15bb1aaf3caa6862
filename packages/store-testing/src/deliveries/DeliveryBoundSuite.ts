/**
 * For how long every DeliveryStore holds an event back for an earlier one that
 * is not settled, in bounded order. Claims are over the whole database, so no
 * other suite may run in it at the same time.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { CallbackOrder } from "@runhook/core/deliveries/DeliveryStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import { claimAll, claimOnce, makeDelivery, makeSender, type Sender } from "./DeliveryFixtures.ts"
import { idsOf, settleAll, severalEvents } from "./DeliveryTurns.ts"

/** Claims what is due at `at` and has it fail a second later, due again ten seconds after the claim. */
const failAt = Effect.fnUntraced(function* (sender: Sender, at: number, status: number | null) {
  const claimed = yield* claimAll(sender, { at: second(at) })
  const verdict = { _tag: "Retry", nextAttemptAt: second(at + 10) } as const
  yield* settleAll(sender, claimed, { at: second(at + 1), verdict, status })
  return claimed
})

/** The events claimed in so many attempts of the first at seconds 10, 20, 30, each answered so. */
const claimedInAttempts = Effect.fnUntraced(function* (
  sender: Sender,
  statuses: ReadonlyArray<number | null>
) {
  const claimed: Array<Delivery> = []
  for (const [place, status] of statuses.entries())
    claimed.push(...(yield* failAt(sender, 10 * (place + 1), status)))
  return idsOf(claimed)
})

const refusedTwice = [500, 500]

/**
 * Has what was claimed fail at second 31, and the receiver be left alone for
 * that until second 41 and be back at second 42, as the probe of another event
 * tells. Answers what was given out in between.
 */
const comeBack = Effect.fnUntraced(function* (
  sender: Sender,
  claimed: ReadonlyArray<Delivery>,
  { dueAgainAt }: { readonly dueAgainAt: number }
) {
  const verdict = { _tag: "Retry", nextAttemptAt: second(dueAgainAt) } as const
  const open = { _tag: "Open", openings: 1, until: second(41) } as const
  yield* settleAll(sender, claimed, { at: second(31), verdict, status: 500, move: open })
  const other = yield* makeDelivery(sender, { createdAt: second(32) })
  const alone = yield* claimAll(sender, { at: second(40) })
  const probe = yield* claimAll(sender, { at: second(41) })
  assert.deepStrictEqual(idsOf(probe), [other.id])
  const close = { _tag: "Close", openings: 1 } as const
  yield* settleAll(sender, probe, { at: second(42), status: 200, move: close })
  return alone
})

/** More bites than any test needs. */
const bitesMax = 1_000

/** Forgets what may be forgotten of deliveries and their receivers. */
const pruneAll = Effect.fnUntraced(function* (at: DateTime.Utc) {
  const sweeps = yield* SweepStore
  for (let bite = 0; bite < bitesMax; bite++) {
    const { hasMore } = yield* sweeps.prune("deliveries", { at, limit: 1_000 })
    if (!hasMore) break
  }
  yield* sweeps.prune("receivers", { at, limit: 1_000 })
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) => {
  const bounded = Layer.provide(layer, Layer.succeed(CallbackOrder, "bounded"))

  describe(`DeliveryStore bound on order: ${name}`, () => {
    it.layer(bounded)((it) => {
      it.effect("gives out what waits as soon as the event before it was refused three times", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first, next] = yield* severalEvents(sender, 3)

          const before = yield* claimedInAttempts(sender, [500, 500, 500])
          const after = yield* claimAll(sender, { at: second(31) })

          assert.deepStrictEqual(before, [first?.id, first?.id, first?.id])
          assert.deepStrictEqual(idsOf(after), [next?.id])
        })
      )

      it.effect.each([
        { title: "answered by something before the receiver", status: 502 },
        { title: "not answered", status: null }
      ])("waits for five attempts that were $title", ({ status }) =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first, next] = yield* severalEvents(sender, 2)
          const before = yield* claimedInAttempts(sender, [status, status, status, status])
          const stillBefore = yield* failAt(sender, 50, status)

          const after = yield* claimAll(sender, { at: second(51) })

          assert.deepStrictEqual(
            [...before, ...idsOf(stillBefore)],
            Array.from({ length: 5 }, () => first?.id)
          )
          assert.deepStrictEqual(idsOf(after), [next?.id])
        })
      )

      it.effect("gives out nothing past an event that is being sent, or was by a process that died", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first] = yield* severalEvents(sender, 1)
          yield* claimedInAttempts(sender, [400, 400, 400])
          const lost = yield* claimAll(sender, { at: second(40) })
          assert(first)
          const { executionId } = first
          const next = yield* makeDelivery(sender, { executionId, revision: 2, createdAt: second(41) })

          const meanwhile = yield* claimAll(sender, { at: second(84.999) })
          const again = yield* failAt(sender, 85, 400)
          const after = yield* claimAll(sender, { at: second(86) })

          assert.deepStrictEqual([lost, meanwhile, again, after].map(idsOf), [
            [first.id],
            [],
            [first.id],
            [next.id]
          ])
        })
      )

      it.effect("gives out an event that was made when the one before it had been refused three times", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first] = yield* severalEvents(sender, 1)
          yield* claimedInAttempts(sender, [400, 400, 400])
          assert(first)
          const { executionId } = first
          const next = yield* makeDelivery(sender, { executionId, revision: 2, createdAt: second(32) })

          const claimed = yield* claimAll(sender, { at: second(32) })

          assert.deepStrictEqual(idsOf(claimed), [next.id])
        })
      )

      it.effect("waits for the event after the refused one as for any", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [, next, last] = yield* severalEvents(sender, 3)
          yield* claimedInAttempts(sender, [400, 400, 400])
          const claimed = yield* claimAll(sender, { at: second(31) })
          const others = yield* claimAll(sender, { at: second(32) })

          yield* settleAll(sender, claimed, { at: second(33) })

          const after = yield* claimAll(sender, { at: second(33) })
          assert.deepStrictEqual([claimed, others, after].map(idsOf), [[next?.id], [], [last?.id]])
        })
      )

      it.effect("skips no event of a receiver that is left alone, nor before it was tried again", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first, next] = yield* severalEvents(sender, 2)
          yield* claimedInAttempts(sender, refusedTwice)
          const third = yield* claimAll(sender, { at: second(30) })
          const alone = yield* comeBack(sender, third, { dueAgainAt: 150 })

          // Long recovered, and the first one's next attempt is still to come.
          const recovered = yield* claimAll(sender, { at: second(149) })
          const tried = yield* failAt(sender, 150, 500)
          const after = yield* claimAll(sender, { at: second(151) })

          assert.deepStrictEqual([alone, recovered, tried, after].map(idsOf), [
            [],
            [],
            [first?.id],
            [next?.id]
          ])
        })
      )

      it.effect("remembers for as long that a receiver came back, even if others are pruned meanwhile", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first] = yield* severalEvents(sender, 2)
          yield* claimedInAttempts(sender, refusedTwice)
          const third = yield* claimAll(sender, { at: second(30) })
          yield* comeBack(sender, third, { dueAgainAt: 7_200 })

          yield* pruneAll(second(3_600))

          const early = yield* claimAll(sender, { at: second(7_199) })
          const due = yield* claimAll(sender, { at: second(7_200) })
          assert.deepStrictEqual([early, due].map(idsOf), [[], [first?.id]])
        })
      )

      it.effect("passes a refused event once its receiver has recovered, and not before", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first, next] = yield* severalEvents(sender, 2)
          yield* claimedInAttempts(sender, refusedTwice)
          const third = yield* claimAll(sender, { at: second(30) })
          const alone = yield* comeBack(sender, third, { dueAgainAt: 45 })
          const again = yield* claimAll(sender, { at: second(45) })
          const verdict = { _tag: "Retry", nextAttemptAt: second(900) } as const
          yield* settleAll(sender, again, { at: second(46), verdict, status: 500 })

          const early = yield* claimAll(sender, { at: second(71.999) })
          const late = yield* claimAll(sender, { at: second(72) })

          assert.deepStrictEqual([alone, again, early, late].map(idsOf), [[], [first?.id], [], [next?.id]])
        })
      )

      it.effect("keeps the order while what waited comes forward in slices", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const events = yield* Effect.forEach(Array.from({ length: 30 }), () => severalEvents(sender, 3))
          const probing = yield* claimOnce(sender, { at: second(1), room: roomFor(1) })
          const open = { _tag: "Open", openings: 1, until: second(10) } as const
          const verdict = { _tag: "Retry", nextAttemptAt: second(6) } as const
          yield* settleAll(sender, probing.deliveries, { at: second(1), verdict, status: 503, move: open })
          const [probe] = yield* claimAll(sender, { at: second(10) })
          const close = { _tag: "Close", openings: 1 } as const
          assert(probe)
          yield* settleAll(sender, [probe], { at: second(11), status: 200, move: close })

          const order = [probe.id]
          for (let at = 11; at <= 41; at++) {
            // Twice, for those that the first settling releases; a third time for the last ones.
            for (let turn = 0; turn < 3; turn++) {
              const claimed = yield* claimAll(sender, { at: second(at) })
              order.push(...idsOf(claimed))
              yield* settleAll(sender, claimed, { at: second(at), status: 200 })
            }
          }

          assert.deepStrictEqual(
            events.map((ofExecution) => order.filter((id) => idsOf(ofExecution).includes(id))),
            events.map(idsOf)
          )
        })
      )
    })
  })
}
