import { assert, describe, it } from "@effect/vitest"
import { Delivery, deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import {
  claim,
  expiredMessage,
  isLatestAttempt,
  replay,
  settle
} from "@runhook/core/deliveries/steps/DeliveryMoves"
import { AccountId, ApiKeyId, EventId } from "@runhook/core/shared/Ids"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

const at = DateTime.makeUnsafe("2030-01-01T00:00:00.000Z")
const lease = Duration.seconds(45)

const delivery: Delivery = Delivery.make({
  id: EventId.make("0193a000-0000-7000-8000-000000000001"),
  accountId: AccountId.make("0193a000-0000-7000-8000-000000000002"),
  apiKeyId: ApiKeyId.make("0193a000-0000-7000-8000-000000000003"),
  endpointId: null,
  executionId: null,
  revision: null,
  type: "webhook.test",
  url: "https://receiver.example/hook",
  requestId: "req_test",
  reference: null,
  body: "{}",
  traceparent: null,
  state: "pending",
  attempts: 2,
  attemptedAt: at,
  round: 1,
  replayId: null,
  nextAttemptAt: at,
  expiresAt: DateTime.add(at, { hours: 1 }),
  lastStatus: 503,
  lastError: "The receiver answered 503",
  lastCause: "server_error",
  createdAt: at,
  settledAt: null
})

const attempt = attemptOf(delivery, { startedAt: at, status: 200, error: null })

describe("DeliveryMoves", () => {
  it("counts an attempt when it is claimed, and leases it", () => {
    const later = DateTime.add(at, { minutes: 1 })

    const claimed = claim(delivery, { at: later, lease })

    assert.deepStrictEqual(claimed, {
      ...delivery,
      attempts: 3,
      attemptedAt: later,
      nextAttemptAt: DateTime.addDuration(later, lease)
    })
  })

  it("gives up at the end of its lifetime and keeps its last error, if it has one", () => {
    const tried = claim(delivery, { at: delivery.expiresAt, lease })
    const unsent = { ...delivery, lastStatus: 200, lastError: null, lastCause: null }
    const untried = claim(unsent, { at: delivery.expiresAt, lease })

    assert.deepStrictEqual(tried, {
      ...delivery,
      state: "dead",
      nextAttemptAt: null,
      settledAt: delivery.expiresAt
    })
    assert.deepStrictEqual(
      [untried.lastStatus, untried.lastError, untried.lastCause],
      [null, expiredMessage, "expired"]
    )
  })

  it("takes for the latest attempt only the one of this round, this number and a pending delivery", () => {
    assert.isTrue(isLatestAttempt(delivery, attempt))
    assert.isFalse(isLatestAttempt(delivery, { ...attempt, number: 1 }))
    assert.isFalse(isLatestAttempt({ ...delivery, round: 2 }, attempt))
    assert.isFalse(isLatestAttempt({ ...delivery, state: "cancelled" }, attempt))
  })

  it("shows what its last attempt ended with", () => {
    const settled = settle(delivery, { attempt, verdict: { _tag: "Delivered" }, at })

    assert.deepStrictEqual(settled, {
      ...delivery,
      state: "delivered",
      nextAttemptAt: null,
      lastStatus: 200,
      lastError: null,
      lastCause: null,
      settledAt: at
    })
  })

  it("counts the attempts of a new round anew, in a new lifetime", () => {
    const later = DateTime.add(at, { days: 30 })
    const dead = settle(delivery, { attempt, verdict: { _tag: "Dead" }, at })

    const replayed = replay(dead, { at: later })

    assert.deepStrictEqual(replayed, {
      ...dead,
      state: "pending",
      round: 2,
      attempts: 0,
      nextAttemptAt: later,
      expiresAt: DateTime.addDuration(later, deliveryLifetime),
      settledAt: null
    })
  })
})
