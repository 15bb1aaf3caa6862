import { assert, describe, it } from "@effect/vitest"
import { type Delivery, newDelivery } from "@runhook/core/deliveries/Delivery"
import { AccountId, ApiKeyId, EventId } from "@runhook/core/shared/Ids"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { claimDue } from "@runhook/store-memory/deliveries/claim/ClaimDue"
import { DeliveryTable } from "@runhook/store-memory/deliveries/DeliveryTable"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"

const idOf = (number: number): string => `0193a000-0000-7000-8000-${number.toString().padStart(12, "0")}`

/** A delivery that is due at a millisecond, or settled when that is null. */
const deliveryOf = ({ number, dueAt }: Write): Delivery => ({
  ...newDelivery(
    {
      id: EventId.make(idOf(number)),
      accountId: AccountId.make(idOf(0)),
      apiKeyId: ApiKeyId.make(idOf(0)),
      executionId: null,
      revision: null,
      type: "webhook.test",
      url: `https://${number % 3}.receiver.example/hook`,
      requestId: "req_test",
      reference: null,
      body: "{}"
    },
    DateTime.makeUnsafe(0)
  ),
  nextAttemptAt: dueAt === null ? null : DateTime.makeUnsafe(dueAt)
})

const lease = Duration.seconds(45)

const few = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))
const Write = Schema.Struct({ number: few, dueAt: Schema.NullOr(few) })
type Write = typeof Write.Type

const millisOf = ({ nextAttemptAt }: Delivery): number => nextAttemptAt?.epochMilliseconds ?? -1

const oldestDueFirst = Order.combine(
  Order.mapInput(Order.Number, millisOf),
  Order.mapInput(Order.String, ({ id }: Delivery) => id)
)

describe("claimDue", () => {
  it.prop(
    "finds after any writes the due deliveries that a full look would find",
    { writes: Schema.Array(Write), at: few, limit: few },
    ({ writes, at, limit }) => {
      const table = new DeliveryTable()
      writes.forEach((write) => table.put(deliveryOf(write)))
      const pending = Array.sort(
        Array.filter(table.values(), ({ nextAttemptAt }) => nextAttemptAt !== null),
        oldestDueFirst
      )

      const { deliveries, nextDueAt } = claimDue(
        {
          attempts: new Map(),
          claimers: new Map(),
          deliveries: table,
          receivers: new Map(),
          replays: new Map(),
          tries: new Set()
        },
        { room: roomFor(limit), lease, at: DateTime.makeUnsafe(at), order: "bounded" }
      )

      const due = pending.filter((delivery) => millisOf(delivery) <= at).slice(0, limit)
      const next = pending[due.length] ?? deliveries[0]?.delivery
      assert.deepStrictEqual(
        deliveries.map(({ delivery }) => delivery.id),
        due.map(({ id }) => id)
      )
      assert.deepStrictEqual(nextDueAt, next?.nextAttemptAt ?? null)
    }
  )
})
