import { assert, describe, it } from "@effect/vitest"
import { EventId } from "@runhook/core/domain/Ids"
import { restored, unusualOf } from "@runhook/store-pg/rows/UsualHeaders"
import { second } from "@runhook/store-testing/Fixtures"
import * as Schema from "effect/Schema"

const deliveryId = EventId.make("0190a8f0-0000-7000-8000-000000000000")
const attempt = { deliveryId, number: 2, startedAt: second(0.5) }
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
  it("are stored where they do not follow from the attempt", () => {
    assert.deepStrictEqual(unusualOf(attempt, headers), {
      host: "receiver.example",
      "X-Webhook-Signature": "00ff",
      "webhook-signature": "v1,AP8=",
      "content-length": "512"
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

      assert.deepStrictEqual(restored(attempt, unusualOf(attempt, sent)), sent)
    }
  )
})
