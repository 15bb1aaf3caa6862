import { assert, describe } from "@effect/vitest"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { answeringLater } from "../Answers.ts"
import { current, makeDelivery, makeDispatcher, makeKey, nextSettled, test } from "../World.ts"

describe("Many dispatchers on one store", () => {
  test("send each event once", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    const deliveries = yield* Effect.replicateEffect(makeDelivery(record, url), 200)

    yield* Effect.replicateEffect(makeDispatcher(), 10)

    yield* Effect.replicateEffect(nextSettled, deliveries.length)
    const ids = (yield* Queue.takeAll(received)).map(({ headers }) => headers["x-webhook-event-id"])
    assert.deepStrictEqual(ids.toSorted(), deliveries.map(({ id }) => `${id}`).toSorted())
  })

  test("take over what a killed one had claimed when its lease ends, and hear nothing more of it", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    const delivery = yield* makeDelivery(record, url)
    const store = yield* DeliveryStore
    const lease = Duration.seconds(45)
    const claimed = yield* store.claimDue({ room: roomFor(1), lease, at: yield* DateTime.now })
    yield* makeDispatcher()
    yield* TestClock.adjust(lease)
    const settlement = yield* nextSettled

    const late = { ...settlement.attempt, number: 1, error: "too late" }
    yield* store.settle([{ ...settlement, attempt: late, verdict: { _tag: "Dead" } }], yield* DateTime.now)

    const { attempts, delivery: after } = yield* current(delivery)
    assert.lengthOf(claimed.deliveries, 1)
    assert.strictEqual((yield* Queue.take(received)).headers["x-webhook-attempt"], "2")
    assert.deepStrictEqual([after.state, attempts.map(({ number }) => number)], ["delivered", [2]])
  })

  test("stop under load without losing or repeating anything", function* () {
    const { record } = yield* makeKey()
    const { answer, release } = answeringLater()
    const slow = yield* start(answer)
    const deliveries = yield* Effect.replicateEffect(makeDelivery(record, slow.url), 40)
    const scopes = yield* Effect.replicateEffect(Scope.make(), 2)
    yield* Effect.forEach(scopes, (scope) => Scope.provide(makeDispatcher(), scope))
    const sent = yield* Effect.replicateEffect(Queue.take(slow.received), 8)

    const stopping = yield* Effect.forEach(scopes, (scope) =>
      Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    )
    release()
    yield* Fiber.joinAll(stopping)

    const states = yield* Effect.forEach(deliveries, current)
    const delivered = states.filter(({ delivery }) => delivery.state === "delivered")
    const untouched = states.filter(({ delivery }) => delivery.attempts === 0)
    const ids = sent.map(({ headers }) => headers["x-webhook-event-id"])
    assert.deepStrictEqual(ids.toSorted(), delivered.map(({ delivery }) => `${delivery.id}`).toSorted())
    assert.strictEqual(delivered.length + untouched.length, deliveries.length)
    assert.strictEqual(yield* Queue.size(slow.received), 0)
  })
})
