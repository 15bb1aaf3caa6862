import { assert, describe } from "@effect/vitest"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import { AccountId, EventId } from "@runhook/core/shared/Ids"
import { DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
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
import { StoreProbe, test } from "./World.ts"

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

/** Nobody waits for them. */
const soon = { isUrgent: false }

const options = { lease: Duration.seconds(45), pace: Duration.zero, gather: Duration.zero, onDue: () => {} }

describe("Settler", () => {
  test("stores together what gathers while the store is busy", function* () {
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
    const { settle } = yield* Settler.make(options).pipe(Effect.provideService(DeliveryStore, busy))
    const first = yield* Effect.forkChild(settle(settlement, soon))
    yield* Effect.yieldNow
    const others = yield* Effect.forkChild(
      Effect.replicateEffect(settle(settlement, soon), 300, { concurrency: "unbounded" })
    )
    yield* Effect.yieldNow

    yield* isIdle.open

    yield* Fiber.join(first)
    yield* Fiber.join(others)
    assert.deepStrictEqual(sizes, [1, 256, 44])
  })

  /** A settler whose store takes everything at once, and how many it took each time. */
  const makeCountedSettler = (paces: {
    readonly pace?: Duration.Duration
    readonly gather?: Duration.Duration
  }) =>
    Effect.gen(function* () {
      const isIdle = yield* Latch.make(true)
      const sizes: Array<number> = []
      const counted = DeliveryStore.of({
        ...(yield* DeliveryStore),
        settle: (settlements) =>
          Effect.suspend(() => {
            sizes.push(settlements.length)
            return Effect.as(isIdle.await, 0)
          })
      })
      const settler = yield* Settler.make({ ...options, ...paces }).pipe(
        Effect.provideService(DeliveryStore, counted)
      )
      /** Results that somebody waits for, or nobody. */
      const results = (count: number, isUrgent: boolean) =>
        Effect.forkChild(
          Effect.replicateEffect(settler.settle(settlement, { isUrgent }), count, {
            concurrency: "unbounded",
            discard: true
          })
        )
      return { isIdle, results, settler, sizes }
    })

  test("rests while a batch gathers, and not while one is full", function* () {
    const { isIdle, results, sizes } = yield* makeCountedSettler({ pace: Duration.millis(25) })
    yield* isIdle.close
    yield* results(600, true)
    yield* TestClock.adjust("1 millis")

    yield* isIdle.open
    yield* Effect.replicateEffect(TestClock.adjust("1 millis"), 20)
    const early = [...sizes]
    yield* TestClock.adjust("25 millis")

    assert.deepStrictEqual(
      [early, sizes],
      [
        [256, 256],
        [256, 256, 88]
      ]
    )
  })

  test("lets results gather that nobody waits for, and stores them with the first that somebody does", function* () {
    const { results, sizes } = yield* makeCountedSettler({ gather: Duration.millis(250) })
    yield* results(3, false)
    yield* TestClock.adjust("249 millis")
    const early = [...sizes]

    yield* results(1, true)
    yield* TestClock.adjust("0 millis")
    yield* results(2, false)
    yield* TestClock.adjust("250 millis")

    assert.deepStrictEqual([early, sizes], [[], [4, 2]])
  })

  test("stores what has gathered once somebody begins to wait for it, and all at the end", function* () {
    const { results, settler, sizes } = yield* makeCountedSettler({ gather: Duration.hours(1) })
    yield* results(2, false)
    yield* TestClock.adjust("1 millis")
    settler.hurry(EventId.make("0190a8f0-0000-7000-8000-000000000001"))
    yield* TestClock.adjust("1 millis")
    const early = [...sizes]

    settler.hurry(settlement.attempt.deliveryId)
    yield* TestClock.adjust("1 millis")
    yield* results(3, false)
    yield* TestClock.adjust("1 millis")
    settler.stopGathering()
    yield* TestClock.adjust("1 millis")
    yield* results(1, false)
    yield* TestClock.adjust("1 millis")

    assert.deepStrictEqual([early, sizes], [[], [2, 3, 1]])
  })

  test("stores all results but the one that the store cannot take", function* () {
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
    const { settle } = yield* Settler.make(options).pipe(Effect.provideService(DeliveryStore, choosy))

    yield* Effect.forEach(Arr.range(1, 20), (number) => settle(attempted(number), soon), {
      concurrency: "unbounded"
    })

    assert.deepStrictEqual(stored.toSorted(Order.Number), Arr.remove(Arr.range(1, 20), 6))
  })

  test("says that something is due when the store has released some, or an attempt is to be repeated", function* () {
    const store = yield* DeliveryStore
    let released = 0
    let told = 0
    const releasing = DeliveryStore.of({
      ...store,
      settle: (settlements, at) => Effect.as(store.settle(settlements, at), released)
    })
    const { settle } = yield* Settler.make({ ...options, onDue: () => (told += 1) }).pipe(
      Effect.provideService(DeliveryStore, releasing)
    )
    const toldAfter = Effect.fnUntraced(function* (verdict: Settlement["verdict"]) {
      yield* settle({ ...settlement, verdict }, soon)
      return told
    })

    const none = yield* toldAfter({ _tag: "Delivered" })
    const repeated = yield* toldAfter({ _tag: "Retry", nextAttemptAt: yield* DateTime.now })
    released = 1
    const followed = yield* toldAfter({ _tag: "Delivered" })

    assert.deepStrictEqual([none, repeated, followed], [0, 1, 2])
  })

  test("stores results of other accounts while the part of the store is away that has one", function* () {
    const lost = AccountId.make("0190a8f0-0000-7000-8000-00000000000f")
    const stored: Array<AccountId> = []
    let isAway = true
    const partly = DeliveryStore.of({
      ...(yield* DeliveryStore),
      settle: (settlements) =>
        Effect.suspend(() => {
          const accounts = settlements.map(({ accountId }) => accountId)
          if (isAway && accounts.includes(lost))
            return Effect.die(new StoreUnavailable({ reason: "a node is away" }))
          stored.push(...accounts)
          return Effect.succeed(0)
        })
    })
    const { settle } = yield* Settler.make(options).pipe(Effect.provideService(DeliveryStore, partly))
    const settleBoth = Effect.forEach(
      [{ ...settlement, accountId: lost }, settlement],
      (each) => settle(each, soon),
      { concurrency: "unbounded" }
    )

    const waiting = yield* Effect.forkChild(settleBoth)
    yield* TestClock.adjust("0 millis")
    yield* settle(settlement, soon)
    const early = [...stored]
    isAway = false
    yield* TestClock.adjust("1 second")

    assert.deepStrictEqual(early, [settlement.accountId, settlement.accountId])
    assert.deepStrictEqual(yield* Fiber.join(waiting), ["stored", "stored"])
  })

  test("keeps results while the store is away, and stores them once", function* () {
    const probe = yield* StoreProbe
    const { settle } = yield* Settler.make(options)
    probe.isAway = true
    const waiting = yield* Effect.forkChild(
      Effect.forEach(Arr.range(1, 20), (number) => settle(attempted(number), soon), {
        concurrency: "unbounded"
      })
    )
    yield* TestClock.adjust("40 seconds")

    probe.isAway = false
    yield* TestClock.adjust("1 second")

    yield* Fiber.join(waiting)
    assert.strictEqual(yield* Queue.size(probe.settled), 20)
  })
})
