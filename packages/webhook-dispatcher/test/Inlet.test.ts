import { assert, describe } from "@effect/vitest"
import { EndpointId, EventId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { TestClock } from "effect/testing"
import { concurrencyStart } from "../src/receivers/AdaptiveConcurrency.ts"
import { failuresToOpen } from "../src/receivers/CircuitBreaker.ts"
import { Sender } from "../src/Sender.ts"
import { answered, passing, scripted } from "./faults/Scripted.ts"
import { blind, fixedExecutionId, hasty, hook, keep, kept, makeEvent, storedAsBegun } from "./InletWorld.ts"
import { current, makeDelivery, makeInlet, makeKey, nextSettled, test } from "./World.ts"

describe("Inlet", () => {
  test("sends what is handed over, as its first attempt and without a look", function* () {
    const { record } = yield* makeKey()
    const { inlet, requests } = yield* blind()
    const event = yield* makeEvent(record)
    const place = kept(inlet, event)
    const [begun = event] = yield* storedAsBegun(inlet, event)

    place.begin(begun, null)

    const { attempt } = yield* nextSettled
    assert.deepStrictEqual(
      requests.map(({ body, headers }) => [body, headers["X-Webhook-Attempt"]]),
      [[event.body, "1"]]
    )
    assert.deepStrictEqual([attempt.number, (yield* current(event)).delivery.state], [1, "delivered"])
  })

  test("keeps as many places for a receiver as it may be sent at once", function* () {
    const { record } = yield* makeKey()
    const { inlet } = yield* blind()
    const event = yield* makeEvent(record)
    const places = yield* Effect.replicateEffect(makeEvent(record), concurrencyStart)
    const [first] = places.map((each) => kept(inlet, each))

    const whileFull = keep(inlet, event)
    first?.free()

    assert.deepStrictEqual([whileFull, keep(inlet, event) === null], [null, false])
  })

  test("frees a place once, whatever is said of it afterwards", function* () {
    const { record } = yield* makeKey()
    const { inlet, requests } = yield* blind()
    const event = yield* makeEvent(record)
    const places = yield* Effect.replicateEffect(makeEvent(record), concurrencyStart)
    const [first, second] = places.map((each) => kept(inlet, each))
    first?.free()
    first?.free()
    second?.free()
    first?.begin(event, null)

    const again = yield* Effect.replicateEffect(makeEvent(record), 3)

    assert.deepStrictEqual(
      again.map((each) => keep(inlet, each) === null),
      [false, false, true]
    )
    assert.lengthOf(requests, 0)
  })

  test("knows the receiver of an execution from an earlier event, be it one that was claimed", function* () {
    const { record } = yield* makeKey()
    const { sender } = scripted(() => Effect.succeed(answered(200)))
    const inlet = yield* makeInlet(hasty).pipe(Effect.provideService(Sender, sender))
    const [first, second] = [yield* makeEvent(record), yield* makeEvent(record)]
    const another = yield* newId(ExecutionId)
    const coming = { id: second.id, accountId: second.accountId, endpointId: null, url: null }
    const before = inlet.reservePlace({ ...coming, executionId: another })
    yield* (yield* DeliveryStore).enqueue({ ...first, executionId: another, revision: 1 })

    yield* passing(3)

    assert.isNull(before)
    assert.isNotNull(inlet.reservePlace({ ...coming, executionId: another }))
    assert.isNull(inlet.reservePlace({ ...coming, executionId: fixedExecutionId }))
  })

  test("does not take the receiver of an endpoint for that of callbacks", function* () {
    const { record } = yield* makeKey()
    const { inlet } = yield* blind()
    const { accountId, id, url } = yield* makeEvent(record)
    const event = { accountId, executionId: fixedExecutionId }

    const place = inlet.reservePlace({ ...event, id, url, endpointId: yield* newId(EndpointId) })
    const callback = inlet.reservePlace({
      ...event,
      id: yield* newId(EventId),
      url: null,
      endpointId: null
    })

    assert.isNotNull(place)
    assert.isNull(callback)
    place.free()
  })

  test("takes nothing for a receiver that is left alone, until that is over", function* () {
    const { record } = yield* makeKey()
    const { inlet } = yield* blind(() => Effect.succeed(answered(500)))
    for (let failures = 0; failures < failuresToOpen; failures++) {
      const event = yield* makeEvent(record)
      const place = kept(inlet, event)
      for (const begun of yield* storedAsBegun(inlet, event)) place.begin(begun, null)
      yield* nextSettled
    }

    const whileOpen = keep(inlet, yield* makeEvent(record))
    yield* TestClock.adjust("13 seconds")

    assert.isNull(whileOpen)
    assert.isNotNull(keep(inlet, yield* makeEvent(record)))
  })

  test("takes nothing that would pass by what waits for the same receiver", function* () {
    const { record } = yield* makeKey()
    const { sender } = scripted(() => Effect.never)
    yield* Effect.replicateEffect(makeDelivery(record, hook), concurrencyStart + 3)
    const inlet = yield* makeInlet(hasty).pipe(Effect.provideService(Sender, sender))
    const before = keep(inlet, yield* makeEvent(record))?.free()
    yield* passing(1)
    const other = { ...(yield* makeEvent(record)), url: "https://other.example/hook" }

    const behind = keep(inlet, yield* makeEvent(record))

    assert.isUndefined(before)
    assert.isNull(behind)
    assert.isNotNull(keep(inlet, other))
  })

  test("lets what was claimed wait that has lost its place to what was handed over meanwhile", function* () {
    const { record } = yield* makeKey()
    const store = yield* DeliveryStore
    const isAnswered = yield* Latch.make()
    const { requests, sender } = scripted(() => Effect.as(isAnswered.await, answered(200)))
    const hasClaimed = yield* Latch.make()
    const slow = DeliveryStore.of({
      ...store,
      claimDue: (options) => Effect.tap(store.claimDue(options), () => hasClaimed.await)
    })
    const waiting = yield* Effect.replicateEffect(makeDelivery(record, hook), concurrencyStart)
    const inlet = yield* makeInlet(hasty).pipe(
      Effect.provideService(Sender, sender),
      Effect.provideService(DeliveryStore, slow)
    )
    yield* passing(1)
    const event = yield* makeEvent(record)
    const place = kept(inlet, event)
    for (const begun of yield* storedAsBegun(inlet, event)) place.begin(begun, null)

    yield* hasClaimed.open
    yield* passing(3)
    const atOnce = requests.length
    yield* isAnswered.open
    yield* passing(3)

    const states = yield* Effect.forEach(waiting, current)
    assert.strictEqual(atOnce, concurrencyStart)
    assert.deepStrictEqual(
      states.map(({ delivery }) => [delivery.state, delivery.attempts]),
      waiting.map(() => ["delivered", 1])
    )
    assert.lengthOf(requests, concurrencyStart + 1)
  })

  test("sends what was stored in doubt once, and as its first attempt", function* () {
    const { record } = yield* makeKey()
    const { sender, requests } = scripted(() => Effect.succeed(answered(200)))
    const inlet = yield* makeInlet(hasty).pipe(Effect.provideService(Sender, sender))
    yield* passing(1)
    const event = yield* makeEvent(record)
    const place = kept(inlet, event)
    yield* storedAsBegun(inlet, event)

    place.doubt()
    yield* passing(10)

    assert.deepStrictEqual(
      requests.map(({ headers }) => headers["X-Webhook-Attempt"]),
      ["1"]
    )
    assert.strictEqual((yield* current(event)).delivery.state, "delivered")
  })

  test("does not take back what it is about to hear of, because of another that is in doubt", function* () {
    const { record } = yield* makeKey()
    const { sender, requests } = scripted(() => Effect.succeed(answered(200)))
    const inlet = yield* makeInlet(hasty).pipe(Effect.provideService(Sender, sender))
    yield* passing(1)
    const [event, doubtful] = [yield* makeEvent(record), yield* makeEvent(record)]
    const place = kept(inlet, event)
    const begun = yield* storedAsBegun(inlet, event)

    kept(inlet, doubtful).doubt()
    yield* passing(10)
    const early = requests.length
    for (const each of begun) place.begin(each, null)
    yield* passing(3)

    assert.deepStrictEqual([early, requests.map(({ headers }) => headers["X-Webhook-Attempt"])], [0, ["1"]])
  })
})
