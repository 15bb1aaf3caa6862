import { assert, describe } from "@effect/vitest"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { hanging } from "../Answers.ts"
import { makeDelivery, makeDispatcher, makeKey, nextSettled, test } from "../World.ts"

const many = 2_000

describe("Isolation of receivers", () => {
  test("a receiver that hangs, with thousands queued behind it, holds up no other", function* () {
    const { record } = yield* makeKey()
    const hung = yield* start(hanging)
    const well = yield* start(answering(200))
    yield* Effect.replicateEffect(makeDelivery(record, hung.url), many, { discard: true })
    yield* makeDispatcher()
    yield* Effect.replicateEffect(Queue.take(hung.received), concurrencyStart)

    yield* Effect.replicateEffect(makeDelivery(record, well.url), 100, { discard: true })

    // No time passes, so what hangs still hangs when all of these are settled.
    yield* Effect.replicateEffect(nextSettled, 100)
    assert.strictEqual(yield* Queue.size(well.received), 100)
    assert.strictEqual(yield* Queue.size(hung.received), 0)
  })

  test("an account that has many receivers that hang takes no more than a quarter of the places", function* () {
    const { record } = yield* makeKey()
    const { record: other } = yield* makeKey()
    const hung = yield* Effect.replicateEffect(start(hanging), 5)
    const well = yield* start(answering(200))
    yield* Effect.forEach(hung, ({ url }) => makeDelivery(record, url), { discard: true })
    yield* makeDispatcher({ concurrency: 8 })

    yield* Effect.replicateEffect(makeDelivery(other, well.url), 10, { discard: true })

    yield* Effect.replicateEffect(nextSettled, 10)
    const reached = hung.filter(({ connections }) => connections() > 0)
    assert.strictEqual(yield* Queue.size(well.received), 10)
    assert.isAtMost(reached.length, 2)
  })

  test("goes on with the next ones when those that hung have timed out", function* () {
    const { record } = yield* makeKey()
    const hung = yield* start(hanging)
    yield* Effect.replicateEffect(makeDelivery(record, hung.url), 20, { discard: true })
    yield* makeDispatcher()
    yield* Effect.replicateEffect(Queue.take(hung.received), concurrencyStart)

    yield* TestClock.adjust("12 seconds")

    // Each time-out halves what it gets, down to one at a time.
    yield* Effect.replicateEffect(nextSettled, concurrencyStart)
    yield* Queue.take(hung.received)
    assert.strictEqual(yield* Queue.size(hung.received), 0)
  })
})
