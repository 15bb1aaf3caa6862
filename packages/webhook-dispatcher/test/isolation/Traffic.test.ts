import { assert, describe, it } from "@effect/vitest"
import type { Delivery } from "@runhook/core/domain/Delivery"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Traffic } from "../../src/isolation/Traffic.ts"
import { aDelivery, aKey, world } from "../World.ts"

const urlOf = (receiver: number) => `http://127.0.0.1:${1_000 + receiver}/hook`

/** Claimed deliveries, each to a receiver of its own. */
const claimed = Effect.fnUntraced(function* (count: number, attempts: number) {
  const { record } = yield* aKey
  const deliveries = yield* Effect.forEach(Array.from({ length: count }).keys(), (receiver) =>
    aDelivery(record, urlOf(receiver))
  )
  return deliveries.map((delivery): Delivery => ({ ...delivery, attempts }))
})

/** Puts deliveries in flight until the effect that it gives is run. */
const inFlight = Effect.fnUntraced(function* (traffic: Traffic, deliveries: ReadonlyArray<Delivery>) {
  const isOver = yield* Deferred.make<void>()
  const fibers = yield* Effect.forEach(deliveries, (delivery) =>
    Effect.forkChild(traffic.during(delivery, traffic.sending(delivery, Deferred.await(isOver))), {
      startImmediately: true
    })
  )
  return Effect.andThen(Deferred.succeed(isOver, undefined), Fiber.joinAll(fibers))
})

describe("Traffic", () => {
  it.effect("has room for what fits into the places and shares", () =>
    Effect.gen(function* () {
      const traffic = new Traffic(256)
      const deliveries = yield* claimed(10, 2)
      yield* Effect.asVoid(inFlight(traffic, deliveries))

      const room = traffic.takeRoom()

      assert.deepStrictEqual([room.total, room.retries, room.account, room.receiver], [246, 118, 64, 4])
      assert.deepStrictEqual([...room.accounts.values()], [54])
      assert.deepStrictEqual(
        room.receivers.map((each) => each.room),
        Array.from({ length: 10 }, () => 3)
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("counts first attempts among no retries", () =>
    Effect.gen(function* () {
      const traffic = new Traffic(256)
      yield* Effect.asVoid(inFlight(traffic, yield* claimed(3, 1)))

      assert.strictEqual(traffic.takeRoom().retries, 128)
    }).pipe(Effect.provide(world))
  )

  it.effect("is as it was once all have ended", () =>
    Effect.gen(function* () {
      const traffic = new Traffic(256)
      const before = traffic.takeRoom()
      const end = yield* inFlight(traffic, yield* claimed(10, 1))

      yield* end

      assert.deepStrictEqual(traffic.takeRoom(), before)
    }).pipe(Effect.provide(world))
  )

  it.effect("wakes who waits when something ends that left no room for others", () =>
    Effect.gen(function* () {
      const traffic = new Traffic(8)
      const end = yield* inFlight(traffic, yield* claimed(2, 1))
      traffic.takeRoom()
      const waiting = yield* Effect.forkChild(traffic.hasMoreRoom)

      yield* end

      yield* Fiber.join(waiting)
    }).pipe(Effect.provide(world))
  )
})
