import { assert, describe, it } from "@effect/vitest"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { type EventId, newId, EventId as EventIds } from "@runhook/core/shared/Ids"
import type { DeliveryInlet } from "@runhook/core/deliveries/queue/DeliveryInlet"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { WaitingCallbacks } from "@runhook/core/deliveries/queue/WaitingCallbacks"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Scope from "effect/Scope"
import { failuresToOpen } from "../src/receivers/CircuitBreaker.ts"
import { aheadMax, answeredWithin } from "../src/receivers/LeaseWindow.ts"
import { concurrencyStart } from "../src/receivers/AdaptiveConcurrency.ts"
import { bodyUnit } from "../src/receivers/Receiver.ts"
import { answered, passing } from "./faults/Scripted.ts"
import { blind, keep, kept, makeEvent, storedAsBegun } from "./InletWorld.ts"
import { current, makeKey, test, world } from "./World.ts"

type Key = Effect.Success<ReturnType<typeof makeKey>>["record"]

/** Hands over an event that is behind another. */
const handOver = Effect.fnUntraced(function* (inlet: DeliveryInlet, key: Key, behind: EventId | null = null) {
  const event = yield* makeEvent(key)
  const place = kept(inlet, event)
  for (const begun of yield* storedAsBegun(inlet, event)) place.begin(begun, behind)
  return event
})

/** Whether it is pending, as it was before it was leased. */
const isBack = (event: Delivery) =>
  Effect.map(current(event), ({ delivery }) => delivery.state === "pending" && delivery.attempts === 0)

/** A dispatcher whose receiver answers once the test says so, and has answered once already. */
const makeOpenable = Effect.fnUntraced(function* (
  key: Key,
  status: () => number = () => 200,
  options: Parameters<typeof blind>[1] = {}
) {
  const gate = yield* Latch.make(true)
  const { inlet, requests } = yield* blind(() => Effect.map(gate.await, () => answered(status())), options)
  yield* handOver(inlet, key)
  yield* passing(1)
  yield* gate.close
  requests.length = 0
  return { gate, inlet, sent: () => requests.map(({ headers }) => headers["webhook-id"]) }
})

describe("What is leased ahead", () => {
  test("is handed over though the receiver has no place, and sent as it answers", function* () {
    const { record } = yield* makeKey()
    const { gate, inlet, sent } = yield* makeOpenable(record)
    const events = yield* Effect.replicateEffect(handOver(inlet, record), concurrencyStart * aheadMax)
    const tooMany = keep(inlet, yield* makeEvent(record))
    yield* passing(1)
    const early = sent().length

    yield* gate.open
    yield* passing(1)

    assert.deepStrictEqual([tooMany, early], [null, concurrencyStart])
    assert.deepStrictEqual(
      sent(),
      events.map(({ id }) => id)
    )
  })

  it.effect("is counted while it waits, until it is sent or goes back", () =>
    Effect.gen(function* () {
      const { record } = yield* makeKey()
      const scope = yield* Scope.make()
      const waiting = yield* WaitingCallbacks
      const { gate, inlet } = yield* Scope.provide(makeOpenable(record), scope)
      yield* Effect.replicateEffect(handOver(inlet, record), concurrencyStart + 5)
      const counts = [waiting.count]
      yield* gate.open
      yield* passing(1)
      counts.push(waiting.count)
      yield* gate.close
      yield* Effect.replicateEffect(handOver(inlet, record), concurrencyStart + 7)
      counts.push(waiting.count)

      yield* Scope.close(scope, Exit.void)

      assert.deepStrictEqual([...counts, waiting.count], [5, 0, 7, 0])
    }).pipe(Effect.provide(world), Effect.provideService(WaitingCallbacks, { count: 0 }))
  )

  test("takes up room by its length, so that long bodies do not fill the memory", function* () {
    const { record } = yield* makeKey()
    const { inlet } = yield* makeOpenable(record, () => 200, { heldMax: 16 })
    const beside = Effect.fnUntraced(function* (length: number) {
      const event = { ...(yield* makeEvent(record)), body: "x".repeat(length) }
      const place = kept(inlet, event)
      const before = keep(inlet, yield* makeEvent(record))
      before?.free()
      for (const begun of yield* storedAsBegun(inlet, event)) place.begin(begun, null)
      const after = keep(inlet, yield* makeEvent(record))
      after?.free()
      return [before === null, after === null]
    })

    // An account has four here, and three are left beside one that is not answered.
    const short = yield* beside(2 * bodyUnit - 1)
    const long = yield* beside(bodyUnit)

    assert.deepStrictEqual(
      [short, long],
      [
        [false, false],
        [false, true]
      ]
    )
  })

  test("is sent after the event that it is behind is stored as settled, and not before", function* () {
    const { record } = yield* makeKey()
    const store = yield* DeliveryStore
    const mayStore = yield* Latch.make(true)
    const slow = DeliveryStore.of({
      ...store,
      settle: (settlements, at) => Effect.andThen(mayStore.await, store.settle(settlements, at))
    })
    const { gate, inlet, sent } = yield* makeOpenable(record).pipe(Effect.provideService(DeliveryStore, slow))
    yield* mayStore.close
    const first = yield* handOver(inlet, record)
    const second = yield* handOver(inlet, record, first.id)
    yield* gate.open
    yield* passing(1)
    const early = sent()

    yield* mayStore.open
    yield* passing(1)

    assert.deepStrictEqual([early, sent()], [[first.id], [first.id, second.id]])
  })

  test("has the result of what it is behind stored at once, whichever came first", function* () {
    const { record } = yield* makeKey()
    const { gate, inlet, sent } = yield* makeOpenable(record, () => 200, {
      settleGather: Duration.hours(1)
    })
    const first = yield* handOver(inlet, record)
    const second = yield* handOver(inlet, record, first.id)
    yield* gate.open
    yield* passing(1)
    const early = sent()

    const third = yield* handOver(inlet, record, second.id)
    yield* passing(1)

    const { delivery } = yield* current(third)
    assert.deepStrictEqual(
      [early, sent(), delivery.state],
      [[first.id, second.id], [first.id, second.id, third.id], "pending"]
    )
  })

  test("goes back unsent, all that is behind it as well, when what it is behind has to be repeated", function* () {
    const { record } = yield* makeKey()
    let status = 200
    const { gate, inlet, sent } = yield* makeOpenable(record, () => status)
    status = 500
    const first = yield* handOver(inlet, record)
    const second = yield* handOver(inlet, record, first.id)
    const third = yield* handOver(inlet, record, second.id)
    yield* gate.open
    yield* passing(1)

    assert.deepStrictEqual([sent(), yield* isBack(second), yield* isBack(third)], [[first.id], true, true])
  })

  test("goes back unsent when nobody knows what became of the one before", function* () {
    const { record } = yield* makeKey()
    const { inlet, sent } = yield* makeOpenable(record)

    const event = yield* handOver(inlet, record, yield* newId(EventIds))
    yield* passing(1)

    assert.deepStrictEqual([sent(), yield* isBack(event)], [[], true])
  })

  test("goes back unsent when the one before was stored after its lease, by when others may have it", function* () {
    const { record } = yield* makeKey()
    const store = yield* DeliveryStore
    const mayStore = yield* Latch.make(true)
    const slow = DeliveryStore.of({
      ...store,
      settle: (settlements, at) => Effect.andThen(mayStore.await, store.settle(settlements, at))
    })
    const { gate, inlet, sent } = yield* makeOpenable(record).pipe(Effect.provideService(DeliveryStore, slow))
    yield* mayStore.close
    const first = yield* handOver(inlet, record)
    yield* passing(10)
    yield* gate.open
    yield* passing(36)
    const at = yield* DateTime.now
    const room = roomFor(1)
    const others = yield* store.claimDue({ room, lease: Duration.minutes(1), at })
    yield* mayStore.open
    yield* passing(1)

    const second = yield* handOver(inlet, record, first.id)
    yield* passing(1)

    assert.deepStrictEqual(
      others.deliveries.map(({ delivery }) => delivery.id),
      [first.id]
    )
    assert.deepStrictEqual([sent(), yield* isBack(second)], [[first.id], true])
  })

  test("goes back unsent when the receiver does not answer for longer than it did", function* () {
    const { record } = yield* makeKey()
    const { inlet, sent } = yield* makeOpenable(record)
    const events = yield* Effect.replicateEffect(handOver(inlet, record), concurrencyStart + 2)

    yield* passing(Duration.toSeconds(answeredWithin) + 2)

    assert.strictEqual(sent().length, concurrencyStart)
    assert.deepStrictEqual(yield* Effect.forEach(events.slice(concurrencyStart), isBack), [true, true])
    assert.isNull(keep(inlet, yield* makeEvent(record)))
  })

  test("goes back unsent when the breaker of the receiver opens", function* () {
    const { record } = yield* makeKey()
    let status = 200
    const { gate, inlet, sent } = yield* makeOpenable(record, () => status)
    const events = yield* Effect.replicateEffect(handOver(inlet, record), concurrencyStart * aheadMax)
    status = 500
    yield* gate.open
    yield* passing(1)

    const back = yield* Effect.filter(events, isBack)
    const attempts = sent().length
    assert.isAtLeast(attempts, failuresToOpen)
    assert.isAtMost(attempts, failuresToOpen + concurrencyStart)
    assert.strictEqual(back.length + attempts, events.length)
  })

  test("goes back at once when the dispatcher stops, before what is being sent has ended", function* () {
    const { record } = yield* makeKey()
    const scope = yield* Scope.make()
    const { gate, inlet, sent } = yield* Scope.provide(
      makeOpenable(record, () => 200, { stopGrace: Duration.seconds(9) }),
      scope
    )
    const events = yield* Effect.replicateEffect(handOver(inlet, record), concurrencyStart + 2)

    yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* passing(1)
    const back = yield* Effect.filter(events, isBack)
    yield* gate.open
    yield* passing(1)

    const states = yield* Effect.forEach(events, current)
    assert.deepStrictEqual(
      [back.length, sent().length, states.filter(({ delivery }) => delivery.state === "delivered").length],
      [2, concurrencyStart, concurrencyStart]
    )
  })
})
