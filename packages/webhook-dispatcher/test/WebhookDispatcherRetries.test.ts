import { assert, describe } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { answeringInTurn } from "./Answers.ts"
import { isSigned } from "./Signatures.ts"
import { beginning, current, makeDelivery, makeDispatcher, makeKey, nextSettled, test } from "./World.ts"

describe("WebhookDispatcher: retries", () => {
  test("tries again after a failure, with the same id and body, signed afresh", function* () {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answeringInTurn(500))
    yield* makeDispatcher()
    const delivery = yield* makeDelivery(record, url)
    const first = yield* Queue.take(received)
    yield* nextSettled

    yield* TestClock.adjust("6 seconds")

    const second = yield* Queue.take(received)
    yield* nextSettled
    assert.deepStrictEqual(
      [second.body, second.headers["x-webhook-event-id"], second.headers["x-webhook-attempt"]],
      [first.body, delivery.id, "2"]
    )
    assert.notStrictEqual(second.headers["x-webhook-timestamp"], first.headers["x-webhook-timestamp"])
    assert.isTrue(isSigned(second, signingSecret))
    const { attempts, delivery: after } = yield* current(delivery)
    assert.strictEqual(after.state, "delivered")
    assert.deepStrictEqual(
      attempts.map(({ error, number, phase, status }) => ({ error, number, phase, status })),
      [
        { error: "The receiver answered 500", number: 1, phase: "done", status: 500 },
        { error: null, number: 2, phase: "done", status: 200 }
      ]
    )
  })

  test("does not try again before the wait is over", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(answering(500))
    yield* makeDispatcher()
    yield* makeDelivery(record, url)
    yield* Queue.take(received)
    yield* nextSettled

    yield* TestClock.adjust("3900 millis")

    assert.strictEqual(yield* Queue.size(received), 0)
  })

  test("waits as long as a busy receiver asks", function* () {
    const { record } = yield* makeKey()
    const { url } = yield* start((response) => response.writeHead(503, { "retry-after": "120" }).end())
    yield* makeDispatcher()
    const delivery = yield* makeDelivery(record, url)

    yield* nextSettled

    const { nextAttemptAt } = (yield* current(delivery)).delivery
    assert.strictEqual(nextAttemptAt?.epochMilliseconds, beginning + 120_000)
  })

  test("gives up after twelve attempts", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(answering(500))
    const delivery = yield* makeDelivery(record, url)

    for (let attempt = 1; attempt <= 12; attempt++) {
      // One that goes on would beat every two seconds of the days between.
      yield* Effect.scoped(Effect.andThen(makeDispatcher(), nextSettled))
      const { nextAttemptAt } = (yield* current(delivery)).delivery
      if (nextAttemptAt !== null) yield* TestClock.setTime(nextAttemptAt.epochMilliseconds)
    }

    const { attempts, delivery: after } = yield* current(delivery)
    assert.strictEqual(after.state, "dead")
    assert.strictEqual(after.lastError, "The receiver answered 500")
    assert.deepStrictEqual(
      attempts.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    )
    assert.strictEqual(yield* Queue.size(received), 12)
  })

  test("gives up without sending what was claimed once more after its last attempt", function* () {
    const { record } = yield* makeKey()
    const { connections, url } = yield* start(answering(200))
    const store = yield* DeliveryStore
    const delivery = yield* makeDelivery(record, url)
    yield* store.enqueue({ ...delivery, attempts: 12 })

    yield* makeDispatcher()

    yield* nextSettled
    const { attempts, delivery: after } = yield* current(delivery)
    assert.deepInclude(after, {
      state: "dead",
      attempts: 12,
      lastError: "The last attempt was not completed"
    })
    assert.deepStrictEqual(attempts, [])
    assert.strictEqual(connections(), 0)
  })
})
