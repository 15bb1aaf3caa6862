import { assert, describe, it } from "@effect/vitest"
import { type Delivery, newDelivery } from "@runhook/core/domain/Delivery"
import { hasTurn, heldBackUntil, isUnsent } from "@runhook/core/domain/DeliveryOrder"
import { AccountId, ApiKeyId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"

const second = (seconds: number) => DateTime.makeUnsafe(1_790_000_000_000 + seconds * 1_000)

const delivery = (fields: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery(
    {
      id: EventId.make("0199a1b2-0000-7000-8000-000000000002"),
      accountId: AccountId.make("0199a1b2-0000-7000-8000-00000000000a"),
      apiKeyId: ApiKeyId.make("0199a1b2-0000-7000-8000-00000000000b"),
      executionId: ExecutionId.make("0199a1b2-0000-7000-8000-00000000000c"),
      type: "execution.started",
      url: "https://receiver.example/hook",
      requestId: "req_test",
      reference: null,
      body: "{}"
    },
    second(0)
  ),
  ...fields
})

const earlier = delivery({ attempts: 1, nextAttemptAt: second(600) })

describe("DeliveryOrder", () => {
  it("holds an event back for 30 seconds from its change", () => {
    const until = [0, 29.999, 30].map((at) =>
      heldBackUntil(delivery(), { order: "bounded", earlier, at: second(at) })
    )

    assert.deepStrictEqual(until, [second(30), second(30), null])
  })

  it("holds an event back in strict order until the one before it is due again, and for a second at least", () => {
    const until = [0, 599.5, 9_999].map((at) =>
      heldBackUntil(delivery(), { order: "strict", earlier, at: second(at) })
    )

    assert.deepStrictEqual(until, [second(600), second(600.5), second(10_000)])
  })

  it("holds nothing back when there is no order, or nothing before it", () => {
    const at = second(0)

    const until = [
      heldBackUntil(delivery(), { order: "none", earlier, at }),
      heldBackUntil(delivery(), { order: "strict", earlier: undefined, at })
    ]

    assert.deepStrictEqual(until, [null, null])
  })

  it.each([
    ["a replay", { round: 2 }],
    ["what no execution caused", { executionId: null }],
    ["what was sent before", { attempts: 1 }]
  ])("never holds back %s", (_, fields) => {
    const until = heldBackUntil(delivery(fields), { order: "strict", earlier, at: second(0) })

    assert.isNull(until)
  })

  it("gives a turn to what is pending in its first round", () => {
    const turns = [delivery(), earlier, delivery({ round: 2 }), delivery({ state: "dead" })].map((each) => [
      hasTurn(each),
      isUnsent(each)
    ])

    assert.deepStrictEqual(turns, [
      [true, true],
      [true, false],
      [false, false],
      [false, false]
    ])
  })
})
