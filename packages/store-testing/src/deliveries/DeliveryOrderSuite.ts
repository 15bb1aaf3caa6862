/**
 * In which order every DeliveryStore gives out the events of one execution.
 * Claims are over the whole database, so no other suite may run in it at the
 * same time.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { DeliveryOrder } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { CallbackOrder, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import { claimAll, claimOnce, lease, makeDelivery, makeSender, stored } from "./DeliveryFixtures.ts"
import { idsOf, settleAll, severalEvents } from "./DeliveryTurns.ts"

/** The suite over stores that keep no order of their own: each part gives them one. */
export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) => {
  const ordered = (order: DeliveryOrder) => Layer.provide(layer, Layer.succeed(CallbackOrder, order))

  describe(`DeliveryStore bounded order: ${name}`, () => {
    it.layer(ordered("bounded"))((it) => {
      it.effect(
        "gives out an event when the one before it is delivered, and counts no attempt until then",
        () =>
          Effect.gen(function* () {
            const sender = yield* makeSender()
            const [first, next] = yield* severalEvents(sender, 2)
            const claimed = yield* claimAll(sender, { at: second(1) })
            const waiting = yield* Effect.forEach(next === undefined ? [] : [next], ({ id }) =>
              stored(sender, id)
            )

            yield* settleAll(sender, claimed, { at: second(2) })

            assert.deepStrictEqual(idsOf(claimed), [first?.id])
            assert.deepStrictEqual(
              waiting.map(({ delivery }) => [delivery.attempts, delivery.state]),
              [[0, "pending"]]
            )
            const [released] = yield* claimAll(sender, { at: second(2) })
            assert.deepStrictEqual([released?.id, released?.attempts], [next?.id, 1])
          })
      )

      it.effect(
        "goes by the changes that events tell of, however far the clocks of their processes are apart",
        () =>
          Effect.gen(function* () {
            const store = yield* DeliveryStore
            const sender = yield* makeSender()
            const { accountId } = sender
            // Each was made by a process whose clock is behind that of the one before.
            const [first, next, last] = yield* severalEvents(sender, 3, { apart: -0.4 })
            const turns: Array<unknown> = []

            for (let turn = 0; turn < 3; turn++) {
              const claimed = yield* claimAll(sender, { at: second(1) })
              const ids = [first, next, last].flatMap((each) => each?.id ?? [])
              const waits = yield* store.waits({ accountId, ids, at: second(1) })
              turns.push([idsOf(claimed), ids.map((id) => waits.get(id)?.waitingFor)])
              yield* settleAll(sender, claimed, { at: second(1) })
            }

            assert.isTrue(
              [first, next, last].every((each, place, all) => each && each.id > (all[place + 1]?.id ?? ""))
            )
            assert.deepStrictEqual(turns, [
              [[first?.id], ["sending", "earlier_event", "earlier_event"]],
              [[next?.id], [undefined, "sending", "earlier_event"]],
              [[last?.id], [undefined, undefined, "sending"]]
            ])
          })
      )

      it.effect("gives out an event when the one before it is dead", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [, next] = yield* severalEvents(sender, 2)
          const claimed = yield* claimAll(sender, { at: second(1) })

          yield* settleAll(sender, claimed, { at: second(2), verdict: { _tag: "Dead" } })

          assert.deepStrictEqual(idsOf(yield* claimAll(sender, { at: second(2) })), [next?.id])
        })
      )

      it.effect("gives out an event when the one before it was not sent before it expired", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first, next] = yield* severalEvents(sender, 2, { apart: 60 })
          assert(first)
          const lastMoment = DateTime.subtract(first.expiresAt, { seconds: 10 })
          const lost = yield* claimAll(sender, { at: lastMoment })

          const claimed = yield* claimAll(sender, { at: DateTime.addDuration(lastMoment, lease) })

          assert.deepStrictEqual([idsOf(lost), idsOf(claimed)], [[first.id], [next?.id]])
          assert.strictEqual((yield* stored(sender, first.id)).delivery.state, "dead")
        })
      )

      it.effect("gives out the events of an execution one after the other", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const events = yield* severalEvents(sender, 4)

          const turns = yield* Effect.forEach(events, () =>
            Effect.gen(function* () {
              const claimed = yield* claimAll(sender, { at: second(1) })
              yield* settleAll(sender, claimed, { at: second(1) })
              return idsOf(claimed)
            })
          )

          assert.deepStrictEqual(
            turns,
            events.map(({ id }) => [id])
          )
        })
      )

      it.effect("says with a settlement how many it has made due that were put off", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          yield* severalEvents(sender, 3)
          const released: Array<number> = []
          for (let turn = 0; turn < 3; turn++) {
            const claimed = yield* claimAll(sender, { at: second(1) })
            released.push(yield* settleAll(sender, claimed, { at: second(1) }))
          }
          const [first, next] = yield* severalEvents(sender, 1)
          const claimed = yield* claimAll(sender, { at: second(1) })
          const executionId = first?.executionId ?? null
          yield* makeDelivery(sender, { executionId, revision: 2 })

          const neverLookedAt = yield* settleAll(sender, claimed, { at: second(1) })

          assert.isUndefined(next)
          assert.deepStrictEqual([released, neverLookedAt], [[1, 1, 0], 0])
        })
      )

      it.effect("lets an execution whose events wait hold up no other", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          yield* severalEvents(sender, 20)
          const slow = yield* claimAll(sender, { at: second(3) })
          const others = yield* Effect.forEach(Array.from({ length: 3 }), () => severalEvents(sender, 1))

          const { deliveries } = yield* claimOnce(sender, { at: second(3), room: { receiver: 3 } })

          assert.lengthOf(slow, 1)
          assert.deepStrictEqual(idsOf(deliveries).toSorted(), idsOf(others.flat()).toSorted())
        })
      )

      it.effect("says that more is due while what is put off took the place of others", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first] = yield* severalEvents(sender, 12)
          const other = yield* makeDelivery(sender, { createdAt: second(2) })

          const claimed = yield* claimAll(sender, { at: second(3), limit: 2 })

          assert.deepStrictEqual(idsOf(claimed), [first?.id, other.id])
        })
      )

      it.effect("keeps no order among executions, nor of what no execution caused", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const events = [
            ...(yield* severalEvents(sender, 1)),
            ...(yield* severalEvents(sender, 1)),
            yield* makeDelivery(sender),
            yield* makeDelivery(sender)
          ]

          const claimed = yield* claimAll(sender, { at: second(1) })

          assert.sameMembers(idsOf(claimed), idsOf(events))
        })
      )

      it.effect("neither holds a replay back nor makes others wait for it", () =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const sender = yield* makeSender()
          const { accountId } = sender
          const [first, next, last] = yield* severalEvents(sender, 3)
          yield* settleAll(sender, yield* claimAll(sender, { at: second(1) }), { at: second(1) })
          yield* settleAll(sender, yield* claimAll(sender, { at: second(1) }), { at: second(1) })
          for (const { id } of [first, next].flatMap((each) => each ?? [])) {
            yield* store.replay({ accountId, id, at: second(2) })
          }

          const claimed = yield* claimAll(sender, { at: second(2) })

          assert.sameMembers(
            idsOf(claimed),
            [first, next, last].map((each) => each?.id)
          )
        })
      )

      it.effect("releases waiting events while others claim and settle", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const events = yield* Effect.forEach(Array.from({ length: 10 }), () => severalEvents(sender, 4))
          const delivered: Array<Delivery> = []
          const worker = Effect.gen(function* () {
            for (let turn = 0; turn < 400 && delivered.length < 40; turn++) {
              const { deliveries } = yield* claimOnce(sender, { at: second(1), room: roomFor(7) })
              delivered.push(...deliveries)
              yield* settleAll(sender, deliveries, { at: second(1) })
            }
          })

          yield* Effect.all([worker, worker, worker, worker], { concurrency: "unbounded" })

          const order = idsOf(delivered)
          assert.deepStrictEqual(
            events.map((ofExecution) => order.filter((id) => idsOf(ofExecution).includes(id))),
            events.map(idsOf)
          )
        })
      )
    })
  })

  describe(`DeliveryStore strict order: ${name}`, () => {
    it.layer(ordered("strict"))((it) => {
      it.effect("holds an event back until the one before it is settled, however long that takes", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const [first, next] = yield* severalEvents(sender, 2)
          const verdict = { _tag: "Retry", nextAttemptAt: second(3_600) } as const
          yield* settleAll(sender, yield* claimAll(sender, { at: second(1) }), { at: second(2), verdict })
          const early = yield* claimAll(sender, { at: second(3_599.999) })
          const retried = yield* claimAll(sender, { at: second(3_600) })

          yield* settleAll(sender, retried, { at: second(3_601) })

          assert.deepStrictEqual(early, [])
          assert.deepStrictEqual(idsOf(retried), [first?.id])
          assert.deepStrictEqual(idsOf(yield* claimAll(sender, { at: second(3_601) })), [next?.id])
        })
      )
    })
  })

  describe(`DeliveryStore without order: ${name}`, () => {
    it.layer(ordered("none"))((it) => {
      it.effect("gives out all events of an execution at once", () =>
        Effect.gen(function* () {
          const sender = yield* makeSender()
          const events = yield* severalEvents(sender, 3)

          const claimed = yield* claimAll(sender, { at: second(1) })

          assert.deepStrictEqual(idsOf(claimed), idsOf(events))
        })
      )
    })
  })
}
