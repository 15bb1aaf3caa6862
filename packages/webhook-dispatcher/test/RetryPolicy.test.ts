import { assert, describe, it } from "@effect/vitest"
import { type Delivery, deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import { AccountId, ApiKeyId, EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { retryUntried, verdictOn } from "../src/RetryPolicy.ts"
import type { AttemptResult } from "../src/Sender.ts"
import { answered } from "./faults/Scripted.ts"

const at = DateTime.makeUnsafe("2030-01-01T00:00:00Z")
const id = "0190a8f0-0000-7000-8000-000000000000"

const delivery: Delivery = {
  id: EventId.make(id),
  accountId: AccountId.make(id),
  apiKeyId: ApiKeyId.make(id),
  endpointId: null,
  executionId: null,
  revision: null,
  type: "webhook.test",
  url: "https://hooks.example.com",
  requestId: "req_1",
  reference: null,
  traceparent: null,
  body: "{}",
  state: "pending",
  attempts: 1,
  attemptedAt: at,
  round: 1,
  replayId: null,
  nextAttemptAt: at,
  expiresAt: DateTime.addDuration(at, deliveryLifetime),
  lastStatus: null,
  lastError: null,
  lastCause: null,
  createdAt: at,
  settledAt: null
}

/** Milliseconds until the next attempt; undefined when there is none. */
const waitAfter = (
  result: AttemptResult,
  change: Partial<Delivery> = {},
  random = 0.5
): number | undefined => {
  const verdict = verdictOn({ delivery: { ...delivery, ...change }, result, at, random })
  return verdict._tag === "Retry" ? verdict.nextAttemptAt.epochMilliseconds - at.epochMilliseconds : undefined
}

describe("verdictOn", () => {
  it("is delivered once the receiver took it", () => {
    assert.deepStrictEqual(verdictOn({ delivery, result: answered(204), at, random: 0.5 }), {
      _tag: "Delivered"
    })
  })

  it("is dead when the attempts are used up", () => {
    const verdict = verdictOn({
      delivery: { ...delivery, attempts: deliveryAttemptsMax },
      result: answered(500),
      at,
      random: 0.5
    })
    assert.deepStrictEqual(verdict, { _tag: "Dead" })
  })

  it("is dead when the next attempt would come after its life", () => {
    const expiresAt = DateTime.addDuration(at, "5 seconds")

    assert.strictEqual(waitAfter(answered(500), { expiresAt }), undefined)
  })

  for (const status of [429, 503]) {
    it(`heeds the Retry-After of a ${status}`, () => {
      assert.strictEqual(waitAfter(answered(status, { "retry-after": "90" })), 90_000)
    })
  }

  it("heeds a Retry-After that is a date", () => {
    assert.strictEqual(waitAfter(answered(429, { "retry-after": "Tue, 01 Jan 2030 00:02:00 GMT" })), 120_000)
  })

  it("waits no longer than an hour for a Retry-After", () => {
    assert.strictEqual(waitAfter(answered(429, { "retry-after": "999999999" })), 3_600_000)
  })

  for (const value of ["soon", "-5", "1.5", "Mon, 31 Dec 2029 00:00:00 GMT", ""]) {
    it(`waits its usual time when Retry-After is "${value}"`, () => {
      assert.strictEqual(waitAfter(answered(429, { "retry-after": value })), 5_000)
    })
  }

  it("does not heed the Retry-After of other answers", () => {
    assert.strictEqual(waitAfter(answered(500, { "retry-after": "90" })), 5_000)
  })

  it.effect.prop(
    "waits at least 4 s and never past the life of a delivery, whatever the receiver answers",
    {
      attempts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
      random: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999 })),
      retryAfter: Schema.String,
      status: Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 599 }))
    },
    ({ attempts, random, retryAfter, status }) =>
      Effect.sync(() => {
        const wait = waitAfter(answered(status, { "retry-after": retryAfter }), { attempts }, random)

        if (attempts >= deliveryAttemptsMax) assert.isUndefined(wait)
        else assert.isTrue(wait !== undefined && wait >= 4_000 && wait < 96 * 3_600_000)
      })
  )
})

it("looks again at what could not be tried after as long as it has waited, and not after its lifetime", () => {
  const waitHaving = (waited: Duration.Duration) => {
    const now = DateTime.addDuration(at, waited)
    return Duration.toSeconds(DateTime.distance(now, retryUntried(delivery, now).nextAttemptAt))
  }

  const waits = [0, 5, 60, 3_599, 86_400, 96 * 3_600 - 60].map((seconds) =>
    waitHaving(Duration.seconds(seconds))
  )

  assert.deepStrictEqual(waits, [5, 5, 60, 3_599, 3_600, 60])
})
