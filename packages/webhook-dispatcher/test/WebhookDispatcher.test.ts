import { assert, describe } from "@effect/vitest"
import { Signals } from "@runhook/core/signals/Signals"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { optionsDefault } from "../src/DispatcherOptions.ts"
import { Sender } from "../src/Sender.ts"
import { answered, passing, scripted } from "./faults/Scripted.ts"
import { isSigned, secondsAt, standardSignature } from "./Signatures.ts"
import { beginning, current, makeDelivery, makeDispatcher, makeKey, nextSettled, test } from "./World.ts"

describe("WebhookDispatcher", () => {
  test("delivers an event as soon as it is stored, signed as specified and by Standard Webhooks", function* () {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    yield* makeDispatcher()

    const delivery = yield* makeDelivery(record, url)

    const callback = yield* Queue.take(received)
    const { headers } = callback
    assert.strictEqual(callback.body, delivery.body)
    assert.isTrue(isSigned(callback, signingSecret))
    assert.strictEqual(headers["webhook-signature"], standardSignature(callback, signingSecret))
    assert.deepStrictEqual(
      [headers["content-type"], headers["user-agent"], headers["x-webhook-attempt"]],
      ["application/json", "Runhook-Webhooks/1", "1"]
    )
    assert.deepStrictEqual([headers["x-webhook-event-id"], headers["webhook-id"]], [delivery.id, delivery.id])
    assert.deepStrictEqual(
      [headers["x-webhook-timestamp"], headers["webhook-timestamp"]],
      [secondsAt(beginning), secondsAt(beginning)]
    )
    yield* nextSettled
    assert.strictEqual((yield* current(delivery)).delivery.state, "delivered")
  })

  test("makes the deliveries that were waiting when it started", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    const delivery = yield* makeDelivery(record, url)

    yield* makeDispatcher()

    assert.strictEqual((yield* Queue.take(received)).body, delivery.body)
  })

  test("makes none before what it starts after", function* () {
    const { record } = yield* makeKey()
    const { requests, sender } = scripted(() => Effect.succeed(answered(200)))
    const serving = yield* Latch.make()
    yield* makeDelivery(record, "https://receiver.example/hook")
    yield* makeDispatcher({ startsAfter: serving.await }).pipe(Effect.provideService(Sender, sender))
    yield* passing(10)
    const early = requests.length

    yield* serving.open
    yield* passing(1)

    assert.deepStrictEqual([early, requests.length], [0, 1])
  })

  test("finds a delivery that no signal told of", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    yield* makeDispatcher()
    const deaf = {
      notify: () => Effect.void,
      mark: () => 0,
      isQuiet: () => true,
      subscribe: () => Effect.succeed(Effect.never),
      queue: () => Effect.never,
      watch: () => Effect.void
    }
    const delivery = yield* makeDelivery(record, url).pipe(
      Effect.provide(Deliveries.layer),
      Effect.provideService(Signals, deaf)
    )

    yield* TestClock.adjust(optionsDefault.pollCeiling)

    assert.strictEqual((yield* Queue.take(received)).headers["x-webhook-event-id"], delivery.id)
  })

  test("records when an attempt began, how long it took and how far it came", function* () {
    const { record } = yield* makeKey()
    const { received, url } = yield* start(() => undefined)
    yield* makeDispatcher()
    const delivery = yield* makeDelivery(record, url)
    yield* Queue.take(received)

    yield* TestClock.adjust("12 seconds")

    yield* nextSettled
    const { attempts } = yield* current(delivery)
    assert.deepStrictEqual(
      attempts.map(({ durationMs, phase, startedAt }) => ({
        durationMs,
        phase,
        at: startedAt.epochMilliseconds
      })),
      [{ durationMs: 12_000, phase: "headers", at: beginning }]
    )
  })

  test("replays with the same id and body, signed afresh", function* () {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    yield* makeDispatcher()
    const delivery = yield* makeDelivery(record, url)
    yield* nextSettled
    yield* TestClock.adjust("1 hour")

    yield* (yield* Deliveries).replay(delivery)

    const [first, again] = [yield* Queue.take(received), yield* Queue.take(received)]
    assert.deepStrictEqual(
      [again.body, again.headers["x-webhook-event-id"], again.headers["x-webhook-attempt"]],
      [first.body, delivery.id, "1"]
    )
    assert.strictEqual(again.headers["x-webhook-timestamp"], secondsAt(beginning + 3_600_000))
    assert.isTrue(isSigned(again, signingSecret))
  })
})
