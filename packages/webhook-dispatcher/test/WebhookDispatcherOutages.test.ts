import { assert, describe } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { answeringLater } from "./Answers.ts"
import {
  beginning,
  current,
  makeDelivery,
  makeDispatcher,
  makeKey,
  nextSettled,
  StoreProbe,
  test
} from "./World.ts"

describe("WebhookDispatcher: outages and stops", () => {
  test("keeps results while the store is away and sends nothing twice", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const { answer, release } = answeringLater()
    const { received, url } = yield* start(answer)
    yield* makeDispatcher()
    const delivery = yield* makeDelivery(record, url)
    yield* Queue.take(received)
    probe.isAway = true
    release()
    yield* Queue.take(probe.unsettled)
    yield* TestClock.adjust("20 seconds")

    probe.isAway = false
    yield* TestClock.adjust("1 second")

    yield* nextSettled
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* current(delivery)).delivery.state, "delivered")
    assert.strictEqual(yield* Queue.size(received), 0)
  })

  test("delivers again what could not be recorded before the lease ran out", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const { answer, release } = answeringLater()
    const { received, url } = yield* start(answer)
    yield* makeDispatcher()
    const delivery = yield* makeDelivery(record, url)
    yield* Queue.take(received)
    probe.isAway = true
    release()
    yield* Queue.take(probe.unsettled)
    yield* TestClock.adjust("2 minutes")

    probe.isAway = false
    yield* TestClock.adjust("2 seconds")

    const again = yield* Queue.take(received)
    assert.deepStrictEqual(
      [again.headers["x-webhook-event-id"], again.headers["x-webhook-attempt"]],
      [delivery.id, "2"]
    )
  })

  test("goes on after the store was away", function* () {
    const { record } = yield* makeKey()
    const probe = yield* StoreProbe
    const { received, url } = yield* start(answering(200))
    probe.isAway = true
    yield* makeDispatcher()
    yield* makeDelivery(record, url)
    yield* TestClock.adjust("1 minute")

    probe.isAway = false
    yield* TestClock.adjust("2 seconds")

    assert.strictEqual((yield* Queue.take(received)).headers["x-webhook-attempt"], "1")
  })

  test("ends deliveries in flight before it stops, and begins no others", function* () {
    const { record } = yield* makeKey()
    const { answer, release } = answeringLater()
    const { received, url } = yield* start(answer)
    const scope = yield* Scope.make()
    yield* Scope.provide(makeDispatcher(), scope)
    const inFlight = yield* makeDelivery(record, url)
    yield* Queue.take(received)

    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    const tooLate = yield* makeDelivery(record, url)
    yield* TestClock.adjust("5 seconds")
    release()
    yield* Fiber.join(stopping)

    assert.strictEqual((yield* current(inFlight)).delivery.state, "delivered")
    assert.strictEqual((yield* current(tooLate)).delivery.attempts, 0)
  })

  test("does not wait for ever to stop", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(() => undefined)
    const scope = yield* Scope.make()
    yield* Scope.provide(makeDispatcher({ stopGrace: Duration.seconds(3) }), scope)
    const delivery = yield* makeDelivery(record, url)
    yield* Queue.take(received)

    const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
    yield* TestClock.adjust("3 seconds")
    yield* Fiber.join(stopping)

    const { nextAttemptAt, state } = (yield* current(delivery)).delivery
    assert.strictEqual(state, "pending")
    assert.deepStrictEqual(nextAttemptAt, DateTime.add(DateTime.makeUnsafe(beginning), { seconds: 3 }))
  })
})
