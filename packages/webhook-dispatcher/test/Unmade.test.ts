import { assert, describe } from "@effect/vitest"
import { EndpointId, EventId, newId } from "@runhook/core/shared/Ids"
import { strict } from "@runhook/core/shared/target/TargetPolicy"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { CallbackTargets, ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as HttpSender from "../src/HttpSender.ts"
import { answered } from "./faults/Scripted.ts"
import { agentOnInternet } from "./transport/Network.ts"
import { current, makeDelivery, makeDispatcher, makeKey, nextSettled, test } from "./World.ts"

const onInternet = Layer.mergeAll(
  Layer.fresh(HttpSender.layer.pipe(Layer.provide(agentOnInternet))),
  Layer.succeed(CallbackTargets, strict)
)

const withOtherKeys = Layer.effect(
  ServiceKeys,
  Effect.flatMap(KeyRing.generate, (key) => Effect.fromResult(KeyRing.parse(key)))
)

/** A delivery whose first attempt was answered 500, and where requests for it arrive. */
const makeFailedDelivery = Effect.fnUntraced(function* () {
  const { record } = yield* makeKey()
  const { connections, url } = yield* start(answering(500))
  const delivery = yield* makeDelivery(record, url)
  yield* Effect.scoped(Effect.andThen(makeDispatcher(), nextSettled))
  yield* TestClock.adjust("10 seconds")
  return { connections, delivery, record }
})

const answered500 = { attempts: 1, lastStatus: 500 }

/** Claims all that is due, and settles it as given up, by which the breaker of its receiver opens and may be probed at once. */
const openBreaker = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const at = yield* DateTime.now
  const { deliveries } = yield* store.claimDue({ room: roomFor(1), lease: Duration.seconds(45), at })
  yield* store.settle(
    deliveries.map(({ delivery: { accountId, attempts: number, id: deliveryId, round } }) => ({
      accountId,
      attempt: { ...answered(500), deliveryId, round, number, startedAt: at, durationMs: 1 },
      verdict: { _tag: "Dead" },
      move: { _tag: "Open", openings: 1, until: at }
    })),
    at
  )
  yield* nextSettled
})

describe("WebhookDispatcher: what is not tried", () => {
  test("holds no receiver: the next probe follows one whose endpoint was removed", function* () {
    const { record } = yield* makeKey()
    const { url } = yield* start(answering(200))
    const failed = yield* makeDelivery(record, url)
    yield* openBreaker
    const gone = { ...failed, id: yield* newId(EventId), endpointId: yield* newId(EndpointId) }
    yield* (yield* DeliveryStore).enqueue(gone)
    const other = yield* makeDelivery(record, url)
    yield* makeDispatcher()
    const first = yield* nextSettled

    yield* TestClock.adjust("2 seconds")

    const next = yield* nextSettled
    assert.deepStrictEqual(
      [first, next].map(({ attempt, verdict }) => [attempt.deliveryId, verdict._tag]),
      [
        [gone.id, "Cancelled"],
        [other.id, "Delivered"]
      ]
    )
  })

  test("cancels what the policy no longer allows, and counts what was sent", function* () {
    const { connections, delivery } = yield* makeFailedDelivery()

    yield* Effect.provide(makeDispatcher(), yield* Layer.build(onInternet))

    yield* nextSettled
    const { attempts, delivery: after } = yield* current(delivery)
    assert.deepInclude(after, {
      ...answered500,
      state: "cancelled",
      lastError: "The URL is blocked by policy",
      lastCause: "blocked"
    })
    assert.deepStrictEqual(
      attempts.map(({ number }) => number),
      [1]
    )
    assert.strictEqual(connections(), 1)
  })

  test("cancels all that waits for a receiver that is no longer allowed, though its breaker is open", function* () {
    const store = yield* DeliveryStore
    const { connections, delivery, record } = yield* makeFailedDelivery()
    const { accountId } = delivery
    const others = yield* Effect.replicateEffect(makeDelivery(record, delivery.url), 3)
    const at = yield* DateTime.now
    const { deliveries } = yield* store.claimDue({ room: roomFor(1), lease: Duration.seconds(45), at })
    const move = { _tag: "Open", openings: 1, until: at } as const
    const verdict = { _tag: "Retry", nextAttemptAt: at } as const
    const settlements = deliveries.map(({ delivery: { attempts, id: deliveryId, round } }) => {
      const attempt = {
        ...answered(500),
        deliveryId,
        round,
        number: attempts,
        startedAt: at,
        durationMs: 1
      }
      return { accountId, attempt, verdict, move }
    })
    yield* store.settle(settlements, at)
    yield* nextSettled

    yield* Effect.provide(makeDispatcher(), yield* Layer.build(onInternet))
    yield* nextSettled
    yield* TestClock.adjust("30 seconds")
    yield* Effect.replicateEffect(nextSettled, 3)

    for (const each of [delivery, ...others])
      assert.deepInclude((yield* current(each)).delivery, { state: "cancelled", lastCause: "blocked" })
    assert.strictEqual(connections(), 1)
  })

  test("counts an attempt whose host name resolves to a forbidden address", function* () {
    const { record } = yield* makeKey()
    const delivery = yield* makeDelivery(record, "http://127.0.0.1:8700/hook")
    yield* (yield* DeliveryStore).enqueue({ ...delivery, url: "http://hooks.example.com:8700/hook" })

    yield* Effect.provide(makeDispatcher(), yield* Layer.build(onInternet))

    yield* nextSettled
    const { attempts, delivery: after } = yield* current(delivery)
    assert.deepInclude(after, { attempts: 1, state: "pending", lastCause: "blocked" })
    assert.deepStrictEqual(
      attempts.map(({ cause, number }) => ({ cause, number })),
      [{ cause: "blocked", number: 1 }]
    )
  })

  test("looks again at what it cannot sign, ever later, and uses up no attempt", function* () {
    const { connections, delivery } = yield* makeFailedDelivery()
    yield* Effect.provide(makeDispatcher({ pollCeiling: Duration.hours(2) }), withOtherKeys)

    for (let look = 1; look <= 6; look++) {
      yield* nextSettled
      const { nextAttemptAt, ...after } = (yield* current(delivery)).delivery
      assert.deepInclude(after, { ...answered500, state: "pending", lastCause: "server_error" })
      if (nextAttemptAt !== null) yield* TestClock.setTime(nextAttemptAt.epochMilliseconds)
    }

    assert.strictEqual((yield* current(delivery)).attempts.length, 1)
    assert.strictEqual(connections(), 1)
  })

  test("tells why nothing was ever sent", function* () {
    const { record } = yield* makeKey()
    const delivery = yield* makeDelivery(record, "http://127.0.0.1:8700/hook")

    yield* Effect.provide(makeDispatcher(), withOtherKeys)

    yield* nextSettled
    const { attempts, delivery: after } = yield* current(delivery)
    assert.deepInclude(after, { state: "pending", attempts: 0, lastStatus: null, lastCause: "send_failed" })
    assert.deepStrictEqual(attempts, [])
  })
})
