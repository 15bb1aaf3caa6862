/** Attempts in the two places that hold them are read as they were made. */
import { assert, describe, it } from "@effect/vitest"
import { noTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import { EventId } from "@runhook/core/shared/Ids"
import type { Recorded } from "@runhook/core/deliveries/steps/DeliverySteps"
import { AttemptRow, attemptOf, exchangeText } from "@runhook/store-pg/deliveries/AttemptRow"
import { FirstAttempt, firstAttemptOf, firstAttemptText } from "@runhook/store-pg/deliveries/FirstAttempt"
import { second } from "@runhook/store-testing/Fixtures"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

const id = "0190a8f0-0000-7000-8000-000000000000"
const deliveryId = EventId.make(id)
const sent = { url: "https://receiver.example/hook", body: "{}" }

const delivered: DeliveryAttempt = {
  deliveryId,
  round: 1,
  number: 1,
  startedAt: second(0.5),
  durationMs: 11,
  timings: { ...noTimings, headers: 8, body: 1 },
  phase: "done",
  status: 200,
  error: null,
  cause: null,
  remoteAddress: "203.0.113.7",
  requestHeaders: {
    host: "receiver.example",
    "content-length": "2",
    "webhook-id": id,
    "X-Webhook-Signature": "0f".repeat(32),
    "webhook-signature": `v1,${"A".repeat(43)}=`
  },
  responseHeaders: { "content-type": "text/plain", connection: "keep-alive" },
  responseBody: "ok",
  isTruncated: false
}

const odd: DeliveryAttempt = {
  ...delivered,
  timings: noTimings,
  phase: "body",
  status: null,
  error: "The receiver hung up",
  cause: "broken_off",
  remoteAddress: null,
  requestHeaders: { "x-odd": '"\\ é' },
  responseHeaders: {},
  responseBody: null,
  isTruncated: true
}

const all = [delivered, odd]

const settlementOf = (attempt: DeliveryAttempt, fields: Partial<Recorded> = {}): Recorded => ({
  attempt,
  sent,
  verdict: { _tag: "Delivered" },
  ...fields
})

const readFirst = Schema.decodeUnknownSync(Schema.fromJsonString(FirstAttempt))

const readRow = Schema.decodeUnknownSync(AttemptRow)

/** An attempt as its own row holds it. */
const rowOf = (attempt: DeliveryAttempt, exchange: string) =>
  readRow({
    ...Struct.omit(attempt, ["requestHeaders", "responseHeaders", "timings"]),
    exchange: JSON.parse(exchange)
  })

describe("an attempt that made its delivery at once", () => {
  it("is read from the row of the delivery as it was, whatever is known of what was sent", () => {
    for (const attempt of all) {
      for (const known of [sent, undefined]) {
        const stored = firstAttemptText(settlementOf(attempt, { sent: known })) ?? ""

        assert.deepStrictEqual(firstAttemptOf(deliveryId, readFirst(stored), sent), attempt)
      }
    }
  })

  it("is stored without what follows from the delivery or is usual", () => {
    const { requestHeaders, ...said } = JSON.parse(firstAttemptText(settlementOf(delivered)) ?? "")

    assert.isUndefined(requestHeaders)
    assert.sameMembers(Object.keys(said), ["at", "ms", "from", "body", "sent", "received", "took"])
    assert.notProperty(said.sent, "host")
    assert.notProperty(said.sent, "content-length")
    assert.notProperty(said.sent, "webhook-id")
    assert.property(said.sent, "X-Webhook-Signature")
    assert.notProperty(said.received, "connection")
  })

  it("is the only kind that has no row of its own", () => {
    const others = [
      settlementOf({ ...delivered, number: 2 }),
      settlementOf({ ...delivered, round: 2 }),
      settlementOf(odd, { verdict: { _tag: "Dead" } }),
      settlementOf(odd, { verdict: { _tag: "Retry", nextAttemptAt: second(9) } })
    ]

    assert.deepStrictEqual(others.map(firstAttemptText), [null, null, null, null])
  })
})

describe("an attempt with a row of its own", () => {
  it("is read as it was, whatever is known of what was sent", () => {
    for (const attempt of all) {
      for (const known of [sent, undefined]) {
        assert.deepStrictEqual(attemptOf(rowOf(attempt, exchangeText(attempt, known)), sent), attempt)
      }
    }
  })
})
