import { assert, describe, it } from "@effect/vitest"
import { noTimings } from "@runhook/core/domain/delivery/AttemptTimings"
import { AccountId, EventId } from "@runhook/core/domain/Ids"
import { DeliveryStore, type Settlement } from "@runhook/core/ports/DeliveryStore"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Order from "effect/Order"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import * as Settler from "../src/Settler.ts"
import { StoreProbe, world } from "./World.ts"

const id = "0190a8f0-0000-7000-8000-000000000000"

const settlement: Settlement = {
  accountId: AccountId.make(id),
  attempt: {
    deliveryId: EventId.make(id),
    round: 1,
    number: 1,
    startedAt: DateTime.makeUnsafe(0),
    durationMs: 1,
    phase: "done",
    status: 200,
    error: null,
    cause: null,
    remoteAddress: null,
    timings: noTimings,
    requestHeaders: {},
    responseHeaders: {},
    responseBody: "",
    isTruncated: false
  },
  verdict: { _tag: "Delivered" }
}

const attempted = (number: number): Settlement => ({
  ...settlement,
  attempt: { ...settlement.attempt, number }
})

const options = { lease: Duration.seconds(45), pace: Duration.zero, onDue: () => {} }

describe("Settler", () => {
  it.effect("stores together what gathers while the store is busy", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const isIdle = yield* Latch.make()
      const sizes: Array<number> = []
      const busy = DeliveryStore.of({
        ...store,
        settle: (settlements, at) =>
          Effect.suspend(() => {
            sizes.push(settlements.length)
            return Effect.andThen(isIdle.await, store.settle(settlements, at))
          })
      })
      const settle = yield* Settler.make(options).pipe(Effect.provideService(DeliveryStore, busy))
      const first = yield* Effect.forkChild(settle(settlement))
      yield* Effect.yieldNow
      const others = yield* Effect.forkChild(
        Effect.replicateEffect(settle(settlement), 300, { concurrency: "unbounded" })
      )
      yield* Effect.yieldNow

      yield* isIdle.open

      yield* Fiber.join(first)
      yield* Fiber.join(others)
      assert.deepStrictEqual(sizes, [1, 256, 44])
    }).pipe(Effect.provide(world))
  )

  it.effect("rests while a batch gathers, and not while one is full", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const isIdle = yield* Latch.make()
      const sizes: Array<number> = []
      const counted = DeliveryStore.of({
        ...store,
        settle: (settlements) =>
          Effect.suspend(() => {
            sizes.push(settlements.length)
            return Effect.as(isIdle.await, 0)
          })
      })
      const settle = yield* Settler.make({ ...options, pace: Duration.millis(25) }).pipe(
        Effect.provideService(DeliveryStore, counted)
      )
      const all = yield* Effect.forkChild(
        Effect.replicateEffect(settle(settlement), 600, { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("24 millis")

      yield* isIdle.open
      yield* TestClock.adjust("24 millis")
      const early = [...sizes]
      yield* TestClock.adjust("1 millis")

      yield* Fiber.join(all)
      assert.deepStrictEqual(
        [early, sizes],
        [
          [256, 256],
          [256, 256, 88]
        ]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("stores all results but the one that the store cannot take", () =>
    Effect.gen(function* () {
      const stored: Array<number> = []
      const choosy = DeliveryStore.of({
        ...(yield* DeliveryStore),
        settle: (settlements) =>
          Effect.suspend(() => {
            const numbers = settlements.map(({ attempt }) => attempt.number)
            if (numbers.includes(7)) return Effect.die(new Error("a bad byte"))
            stored.push(...numbers)
            return Effect.succeed(0)
          })
      })
      const settle = yield* Settler.make(options).pipe(Effect.provideService(DeliveryStore, choosy))

      yield* Effect.forEach(Arr.range(1, 20), (number) => settle(attempted(number)), {
        concurrency: "unbounded"
      })

      assert.deepStrictEqual(stored.toSorted(Order.Number), Arr.remove(Arr.range(1, 20), 6))
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "says that something is due when the store has released some, or an attempt is to be repeated",
    () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        let released = 0
        let told = 0
        const releasing = DeliveryStore.of({
          ...store,
          settle: (settlements, at) => Effect.as(store.settle(settlements, at), released)
        })
        const settle = yield* Settler.make({ ...options, onDue: () => (told += 1) }).pipe(
          Effect.provideService(DeliveryStore, releasing)
        )
        const toldAfter = Effect.fnUntraced(function* (verdict: Settlement["verdict"]) {
          yield* settle({ ...settlement, verdict })
          return told
        })

        const none = yield* toldAfter({ _tag: "Delivered" })
        const repeated = yield* toldAfter({ _tag: "Retry", nextAttemptAt: yield* DateTime.now })
        released = 1
        const followed = yield* toldAfter({ _tag: "Delivered" })

        assert.deepStrictEqual([none, repeated, followed], [0, 1, 2])
      }).pipe(Effect.provide(world))
  )

  it.effect("keeps results while the store is away, and stores them once", () =>
    Effect.gen(function* () {
      const probe = yield* StoreProbe
      const settle = yield* Settler.make(options)
      probe.isAway = true
      const waiting = yield* Effect.forkChild(
        Effect.forEach(Arr.range(1, 20), (number) => settle(attempted(number)), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("40 seconds")

      probe.isAway = false
      yield* TestClock.adjust("1 second")

      yield* Fiber.join(waiting)
      assert.strictEqual(yield* Queue.size(probe.settled), 20)
    }).pipe(Effect.provide(world))
  )
})
