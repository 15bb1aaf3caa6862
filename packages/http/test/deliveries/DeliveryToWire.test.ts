import { assert, describe, it } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { noWait } from "@runhook/core/deliveries/claim/DeliveryWait"
import { AccountId, ApiKeyId, EventId } from "@runhook/core/shared/Ids"
import { pageBytesMax } from "@runhook/core/shared/Page"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as DateTime from "effect/DateTime"
import { deliveryDetail } from "../../src/deliveries/DeliveryToWire.ts"
import { id } from "../Hosts.ts"

const at = DateTime.makeUnsafe(0)

/** The numbers of the attempts that are shown of a delivery that was sent five times. */
const shownOf = (sent: { readonly body: string; readonly responseBody: string }) => {
  const subject = {
    id: EventId.make(id),
    accountId: AccountId.make(id),
    apiKeyId: ApiKeyId.make(id),
    executionId: null,
    revision: null,
    type: "webhook.test" as const,
    url: "https://example.com/hook",
    requestId: "req_test",
    reference: null,
    body: sent.body
  }
  const delivery = newDelivery(subject, at)
  const attempts = [1, 2, 3, 4, 5].map((number) =>
    attemptOf({ ...delivery, attempts: number }, { startedAt: at, responseBody: sent.responseBody })
  )
  return deliveryDetail({ delivery, wait: noWait, attempts }).attempts_log.map(({ number }) => number)
}

describe("the attempts of a delivery, on the wire", () => {
  it("are all shown when they are small", () => {
    assert.deepStrictEqual(shownOf({ body: "{}", responseBody: "busy" }), [1, 2, 3, 4, 5])
  })

  it("are the latest that an answer has room for", () => {
    const third = "x".repeat(pageBytesMax / 3)

    assert.deepStrictEqual(shownOf({ body: third, responseBody: "busy" }), [4, 5])
    assert.deepStrictEqual(shownOf({ body: "{}", responseBody: third }), [4, 5])
  })

  it("are never none", () => {
    assert.deepStrictEqual(shownOf({ body: "x".repeat(pageBytesMax), responseBody: "busy" }), [5])
  })
})
