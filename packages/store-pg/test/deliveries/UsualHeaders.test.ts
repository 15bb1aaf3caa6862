import { assert, describe, it } from "@effect/vitest"
import { EventId } from "@runhook/core/shared/Ids"
import {
  restored,
  unusualOf,
  usualAnswer,
  usualOfSent,
  usualRequest
} from "@runhook/store-pg/deliveries/UsualHeaders"
import { second } from "@runhook/store-testing/Fixtures"
import * as Schema from "effect/Schema"

const deliveryId = EventId.make("0190a8f0-0000-7000-8000-000000000000")
const attempt = { deliveryId, number: 2, startedAt: second(0.5) }
const usual = {
  ...usualRequest(attempt),
  ...usualOfSent({ url: "https://receiver.example/hook?for=me", body: "é".repeat(256) })
}
const timestamp = String(second(0).epochMilliseconds / 1_000)

/** As the dispatcher sends them. */
const headers = {
  host: "receiver.example",
  connection: "keep-alive",
  "Content-Type": "application/json",
  "User-Agent": "Runhook-Webhooks/1",
  "X-Webhook-Attempt": "2",
  "X-Webhook-Event-Id": deliveryId,
  "X-Webhook-Timestamp": timestamp,
  "X-Webhook-Signature": "00ff",
  "webhook-id": deliveryId,
  "webhook-timestamp": timestamp,
  "webhook-signature": "v1,AP8=",
  "accept-encoding": "identity",
  "content-length": "512"
}

describe("the headers of a request", () => {
  it("are stored where they follow neither from the attempt nor from what was sent", () => {
    assert.deepStrictEqual(unusualOf(headers, usual), {
      "X-Webhook-Signature": "00ff",
      "webhook-signature": "v1,AP8="
    })
  })

  it.prop(
    "are what they were when they are read, whatever was sent",
    {
      kept: Schema.Array(Schema.Literals([...Object.keys(headers), "x-odd"])),
      value: Schema.String
    },
    ({ kept, value }) => {
      const sent = Object.fromEntries(
        Object.entries({ ...headers, "x-odd": value, "User-Agent": value }).filter(([name]) =>
          kept.includes(name)
        )
      )

      assert.deepStrictEqual(restored(unusualOf(sent, usual), usual), sent)
    }
  )
})

describe("the headers of an answer", () => {
  const answered = { startedAt: second(0.995), durationMs: 5, responseBody: "né" }

  it("are stored where they do not follow from when it came and what it holds", () => {
    const received = {
      date: "Tue, 01 Jan 2030 00:00:01 GMT",
      connection: "keep-alive",
      "content-length": "3",
      "content-type": "text/plain"
    }

    const unusual = unusualOf(received, usualAnswer(answered))

    assert.deepStrictEqual(unusual, { "content-type": "text/plain" })
    assert.deepStrictEqual(restored(unusual, usualAnswer(answered)), received)
  })

  it("are what they were when another clock or another length was told, or none at all", () => {
    for (const received of [{}, { date: "Tue, 01 Jan 2030 00:00:00 GMT", "content-length": "2048" }]) {
      const unusual = unusualOf(received, usualAnswer(answered))

      assert.deepStrictEqual(restored(unusual, usualAnswer(answered)), received)
    }
  })
})
