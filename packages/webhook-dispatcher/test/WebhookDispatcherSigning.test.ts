import { assert, describe } from "@effect/vitest"
import { ApiKeyId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Duration from "effect/Duration"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { answeringInTurn } from "./Answers.ts"
import { isSigned, standardSignature } from "./Signatures.ts"
import { current, makeDelivery, makeDispatcher, makeKey, nextSettled, test } from "./World.ts"

describe("WebhookDispatcher: signing", () => {
  test("signs each attempt with the secret that is in force by then", function* () {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answeringInTurn(500))
    yield* makeDispatcher()
    yield* makeDelivery(record, url)
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
    assert.strictEqual(second.headers["webhook-signature"], standardSignature(second, rotated.signingSecret))
  })

  test("signs with both secrets while one replaces the other in stages", function* () {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    const keys = yield* ApiKeys
    const rotated = yield* keys.rotateSigningSecret(record, { mode: "staged", overlap: Duration.hours(1) })
    yield* makeDispatcher()

    yield* makeDelivery(record, url)

    const callback = yield* Queue.take(received)
    assert.isTrue(isSigned(callback, signingSecret))
    assert.strictEqual(
      callback.headers["webhook-signature"],
      `${standardSignature(callback, signingSecret)} ${standardSignature(callback, rotated.signingSecret)}`
    )
  })

  test("still delivers what a key was promised before it was revoked", function* () {
    const { record, signingSecret } = yield* makeKey()
    const { received, url } = yield* start(answering(200))
    yield* makeDelivery(record, url)
    yield* (yield* ApiKeys).revoke(record)

    yield* makeDispatcher()

    assert.isTrue(isSigned(yield* Queue.take(received), signingSecret))
  })

  test("never sends unsigned: without any secret a delivery is dead", function* () {
    const { record } = yield* makeKey()
    const { connections, url } = yield* start(answering(200))
    const delivery = yield* makeDelivery(record, url)
    const apiKeyId = ApiKeyId.make("0190a8f0-0000-7000-8000-000000000000")
    yield* (yield* DeliveryStore).enqueue({ ...delivery, apiKeyId })

    yield* makeDispatcher()

    yield* nextSettled
    const { state, lastError } = (yield* current(delivery)).delivery
    assert.deepStrictEqual([state, lastError], ["dead", `The key ${apiKeyId} has no signing secret`])
    assert.strictEqual(connections(), 0)
  })
})
