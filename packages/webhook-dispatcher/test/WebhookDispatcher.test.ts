import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@runhook/core/ApiKeys"
import { Deliveries } from "@runhook/core/Deliveries"
import { ApiKeyId } from "@runhook/core/domain/Ids"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { optionsDefault } from "../src/WebhookDispatcher.ts"
import { type Answer, answering, type Received, start } from "./transport/Receiver.ts"
import { aDelivery, aDispatcher, aKey, beginning, current, nextSettled, StoreProbe, world } from "./World.ts"

/** Whether a callback is signed as specified. */
const isSigned = ({ body, headers }: Received, secret: Redacted.Redacted): boolean =>
  headers["x-webhook-signature"] ===
  createHmac("sha256", Redacted.value(secret))
    .update(`${body}${headers["x-webhook-timestamp"]}`)
    .digest("hex")

/** One signature of Standard Webhooks. */
const standardSignature = ({ body, headers }: Received, secret: Redacted.Redacted): string => {
  const key = Buffer.from(Redacted.value(secret).replace("whsec_", ""), "base64")
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`
}

/** Answers each request with the next of these statuses, and 200 after that. */
const answeringInTurn = (...statuses: ReadonlyArray<number>): Answer => {
  const left = [...statuses]
  return (response) => response.writeHead(left.shift() ?? 200).end()
}

/** Answers requests once the test says so. */
const answeringLater = () => {
  const held: Array<() => void> = []
  const answer: Answer = (response) => held.push(() => response.writeHead(200).end())
  return { answer, release: () => held.splice(0).forEach((go) => go()) }
}

const secondsAt = (millis: number): string => String(Math.floor(millis / 1000))

describe("WebhookDispatcher", () => {
  it.effect("delivers an event as soon as it is stored, signed as specified and by Standard Webhooks", () =>
    Effect.gen(function* () {
      const { record, signingSecret } = yield* aKey
      const { received, url } = yield* start(answering(200))
      yield* aDispatcher()

      const delivery = yield* aDelivery(record, url)

      const callback = yield* Queue.take(received)
      const { headers } = callback
      assert.strictEqual(callback.body, delivery.body)
      assert.isTrue(isSigned(callback, signingSecret))
      assert.strictEqual(headers["webhook-signature"], standardSignature(callback, signingSecret))
      assert.deepStrictEqual(
        [headers["content-type"], headers["user-agent"], headers["x-webhook-attempt"]],
        ["application/json", "Runhook-Webhooks/1", "1"]
      )
      assert.deepStrictEqual(
        [headers["x-webhook-event-id"], headers["webhook-id"]],
        [delivery.id, delivery.id]
      )
      assert.deepStrictEqual(
        [headers["x-webhook-timestamp"], headers["webhook-timestamp"]],
        [secondsAt(beginning), secondsAt(beginning)]
      )
      yield* nextSettled
      assert.strictEqual((yield* current(delivery)).delivery.state, "delivered")
    }).pipe(Effect.provide(world))
  )

  it.effect("makes the deliveries that were waiting when it started", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { received, url } = yield* start(answering(200))
      const delivery = yield* aDelivery(record, url)

      yield* aDispatcher()

      assert.strictEqual((yield* Queue.take(received)).body, delivery.body)
    }).pipe(Effect.provide(world))
  )

  it.effect("finds a delivery that no signal told of", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { received, url } = yield* start(answering(200))
      yield* aDispatcher()
      const deaf = { notify: () => Effect.void, subscribe: () => Effect.succeed(Effect.never) }
      const delivery = yield* aDelivery(record, url).pipe(
        Effect.provide(Deliveries.layer),
        Effect.provideService(Signals, deaf)
      )

      yield* TestClock.adjust(optionsDefault.pollCeiling)

      assert.strictEqual((yield* Queue.take(received)).headers["x-webhook-event-id"], delivery.id)
    }).pipe(Effect.provide(world))
  )

  it.effect("tries again after a failure, with the same id and body, signed afresh", () =>
    Effect.gen(function* () {
      const { record, signingSecret } = yield* aKey
      const { received, url } = yield* start(answeringInTurn(500))
      yield* aDispatcher()
      const delivery = yield* aDelivery(record, url)
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
    }).pipe(Effect.provide(world))
  )

  it.effect("does not try again before the wait is over", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { received, url } = yield* start(answering(500))
      yield* aDispatcher()
      yield* aDelivery(record, url)
      yield* Queue.take(received)
      yield* nextSettled

      yield* TestClock.adjust("3900 millis")

      assert.strictEqual(yield* Queue.size(received), 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("records when an attempt began, how long it took and how far it came", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { received, url } = yield* start(() => undefined)
      yield* aDispatcher()
      const delivery = yield* aDelivery(record, url)
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
    }).pipe(Effect.provide(world))
  )

  it.effect("waits as long as a busy receiver asks", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { url } = yield* start((response) => response.writeHead(503, { "retry-after": "120" }).end())
      yield* aDispatcher()
      const delivery = yield* aDelivery(record, url)

      yield* nextSettled

      const { nextAttemptAt } = (yield* current(delivery)).delivery
      assert.strictEqual(nextAttemptAt?.epochMilliseconds, beginning + 120_000)
    }).pipe(Effect.provide(world))
  )

  it.effect("gives up after twelve attempts", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { received, url } = yield* start(answering(500))
      yield* aDispatcher({ pollCeiling: Duration.hours(48) })
      const delivery = yield* aDelivery(record, url)

      for (let attempt = 1; attempt <= 12; attempt++) {
        yield* nextSettled
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
    }).pipe(Effect.provide(world))
  )

  it.effect("gives up without sending what was claimed once more after its last attempt", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { connections, url } = yield* start(answering(200))
      const store = yield* DeliveryStore
      const delivery = yield* aDelivery(record, url)
      yield* store.enqueue({ ...delivery, attempts: 12 })

      yield* aDispatcher()

      yield* nextSettled
      const { state, lastError } = (yield* current(delivery)).delivery
      assert.deepStrictEqual([state, lastError], ["dead", "The last attempt was not completed"])
      assert.strictEqual(connections(), 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("replays with the same id and body, signed afresh", () =>
    Effect.gen(function* () {
      const { record, signingSecret } = yield* aKey
      const { received, url } = yield* start(answering(200))
      yield* aDispatcher()
      const delivery = yield* aDelivery(record, url)
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
    }).pipe(Effect.provide(world))
  )

  it.effect("signs each attempt with the secret that is in force by then", () =>
    Effect.gen(function* () {
      const { record, signingSecret } = yield* aKey
      const { received, url } = yield* start(answeringInTurn(500))
      yield* aDispatcher()
      yield* aDelivery(record, url)
      const first = yield* Queue.take(received)
      yield* nextSettled
      const keys = yield* ApiKeys
      const rotated = yield* keys.rotateSigningSecret(record, {
        mode: "immediate",
        overlap: Duration.hours(1)
      })

      yield* TestClock.adjust("6 seconds")

      const second = yield* Queue.take(received)
      assert.isTrue(isSigned(first, signingSecret))
      assert.isTrue(isSigned(second, rotated.signingSecret))
      assert.strictEqual(
        second.headers["webhook-signature"],
        standardSignature(second, rotated.signingSecret)
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("signs with both secrets while one replaces the other in stages", () =>
    Effect.gen(function* () {
      const { record, signingSecret } = yield* aKey
      const { received, url } = yield* start(answering(200))
      const keys = yield* ApiKeys
      const rotated = yield* keys.rotateSigningSecret(record, { mode: "staged", overlap: Duration.hours(1) })
      yield* aDispatcher()

      yield* aDelivery(record, url)

      const callback = yield* Queue.take(received)
      assert.isTrue(isSigned(callback, signingSecret))
      assert.strictEqual(
        callback.headers["webhook-signature"],
        `${standardSignature(callback, signingSecret)} ${standardSignature(callback, rotated.signingSecret)}`
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("still delivers what a key was promised before it was revoked", () =>
    Effect.gen(function* () {
      const { record, signingSecret } = yield* aKey
      const { received, url } = yield* start(answering(200))
      yield* aDelivery(record, url)
      yield* (yield* ApiKeys).revoke(record)

      yield* aDispatcher()

      assert.isTrue(isSigned(yield* Queue.take(received), signingSecret))
    }).pipe(Effect.provide(world))
  )

  it.effect("never sends unsigned: without any secret a delivery is dead", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { connections, url } = yield* start(answering(200))
      const delivery = yield* aDelivery(record, url)
      const apiKeyId = ApiKeyId.make("0190a8f0-0000-7000-8000-000000000000")
      yield* (yield* DeliveryStore).enqueue({ ...delivery, apiKeyId })

      yield* aDispatcher()

      yield* nextSettled
      const { state, lastError } = (yield* current(delivery)).delivery
      assert.deepStrictEqual([state, lastError], ["dead", `The key ${apiKeyId} has no signing secret`])
      assert.strictEqual(connections(), 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("has no more deliveries in flight than it may", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { answer, release } = answeringLater()
      const { received, url } = yield* start(answer)
      yield* aDispatcher({ concurrency: 2 })
      yield* Effect.replicateEffect(aDelivery(record, url), 5, { discard: true })
      yield* Effect.replicateEffect(Queue.take(received), 2)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Queue.size(received), 0)

      release()

      yield* Effect.replicateEffect(nextSettled, 2)
      yield* Effect.replicateEffect(Queue.take(received), 2)
      assert.strictEqual(yield* Queue.size(received), 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("keeps results while the store is away and sends nothing twice", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const probe = yield* StoreProbe
      const { answer, release } = answeringLater()
      const { received, url } = yield* start(answer)
      yield* aDispatcher()
      const delivery = yield* aDelivery(record, url)
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
    }).pipe(Effect.provide(world))
  )

  it.effect("delivers again what could not be recorded before the lease ran out", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const probe = yield* StoreProbe
      const { answer, release } = answeringLater()
      const { received, url } = yield* start(answer)
      yield* aDispatcher()
      const delivery = yield* aDelivery(record, url)
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
    }).pipe(Effect.provide(world))
  )

  it.effect("goes on after the store was away", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const probe = yield* StoreProbe
      const { received, url } = yield* start(answering(200))
      probe.isAway = true
      yield* aDispatcher()
      yield* aDelivery(record, url)
      yield* TestClock.adjust("1 minute")

      probe.isAway = false
      yield* TestClock.adjust("2 seconds")

      assert.strictEqual((yield* Queue.take(received)).headers["x-webhook-attempt"], "1")
    }).pipe(Effect.provide(world))
  )

  it.effect("ends deliveries in flight before it stops, and begins no others", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { answer, release } = answeringLater()
      const { received, url } = yield* start(answer)
      const scope = yield* Scope.make()
      yield* Scope.provide(aDispatcher(), scope)
      const inFlight = yield* aDelivery(record, url)
      yield* Queue.take(received)

      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      const tooLate = yield* aDelivery(record, url)
      yield* TestClock.adjust("5 seconds")
      release()
      yield* Fiber.join(stopping)

      assert.strictEqual((yield* current(inFlight)).delivery.state, "delivered")
      assert.strictEqual((yield* current(tooLate)).delivery.attempts, 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("does not wait for ever to stop", () =>
    Effect.gen(function* () {
      const { record } = yield* aKey
      const { received, url } = yield* start(() => undefined)
      const scope = yield* Scope.make()
      yield* Scope.provide(aDispatcher({ stopGrace: Duration.seconds(3) }), scope)
      const delivery = yield* aDelivery(record, url)
      yield* Queue.take(received)

      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(stopping)

      const { nextAttemptAt, state } = (yield* current(delivery)).delivery
      assert.strictEqual(state, "pending")
      assert.deepStrictEqual(
        nextAttemptAt,
        DateTime.addDuration(DateTime.makeUnsafe(beginning), optionsDefault.lease)
      )
    }).pipe(Effect.provide(world))
  )
})
