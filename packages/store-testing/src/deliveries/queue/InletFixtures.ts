/** An inlet that notes what it is told, for tests. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { type AccountId, DispatcherId, type EventId, newId } from "@runhook/core/shared/Ids"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import * as Effect from "effect/Effect"
import { callbackUrl, makeExecution, makeTenant, second } from "../../Fixtures.ts"
import { lease } from "../DeliveryFixtures.ts"

/** The outcome of a place. */
export interface Kept {
  readonly id: EventId
  /** Everything it was told, which is one thing once the delivery is stored. */
  readonly ends: Array<"begun" | "freed" | "doubted">
}

/** Opens an inlet for an account until the scope ends, with so many places. */
export const makeInlet = Effect.fnUntraced(function* (
  { accountId }: { readonly accountId: AccountId },
  { places = 100 }: { readonly places?: number } = {}
) {
  const inlets = yield* DeliveryInlets
  const dispatcher = yield* newId(DispatcherId)
  const kept: Array<Kept> = []
  const begun: Array<Delivery> = []
  const behind: Array<EventId | null> = []
  yield* inlets.open({
    dispatcher,
    lease,
    reservePlace: ({ accountId: owner, id }) => {
      // Tests share a store, each with an account of its own.
      if (owner !== accountId || kept.length >= places) return null
      const place: Kept = { id, ends: [] }
      kept.push(place)
      return {
        begin: (delivery, other) => {
          place.ends.push("begun")
          begun.push(delivery)
          behind.push(other)
        },
        free: () => place.ends.push("freed"),
        doubt: () => place.ends.push("doubted")
      }
    }
  })
  return { dispatcher, begun, behind, ends: () => kept.map(({ ends }) => ends.join()) }
})

/** An execution at second 5 whose first event was handed over. */
export const makeHandedOverDelivery = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  const inlet = yield* makeInlet(tenant)
  const execution = yield* makeExecution(tenant, { callbackUrl, createdAt: second(5) })
  const [delivery] = inlet.begun
  return delivery === undefined
    ? yield* Effect.die("Nothing was handed over")
    : { tenant, inlet, execution, delivery }
})
