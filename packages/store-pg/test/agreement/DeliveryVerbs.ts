/** What dispatchers and people do to deliveries. */
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { lease } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type Doing, pick } from "./Doing.ts"
import { fromEnd, keep, now } from "./Side.ts"

export const deliveryVerbs = {
  claimDeliveries: (side) =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const { deliveries } = yield* store.claimDue({
        dispatcher: side.dispatcher,
        room: roomFor(1_000),
        lease,
        at: now(side)
      })
      const own = deliveries.filter(({ delivery }) => delivery.accountId === side.tenants[0].accountId)
      keep(side.deliveries, ...own.map(({ delivery }) => delivery))
      return own.toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1))
    }),

  settle: (side, { how, which }) =>
    DeliveryStore.use((store) => {
      const delivery = fromEnd(side.deliveries, which)
      if (delivery === undefined) return Effect.void
      const at = now(side)
      const settlement = pick<Omit<Settlement, "accountId">>(
        [
          {
            attempt: attemptOf(delivery, { startedAt: at, status: 204, error: null }),
            verdict: { _tag: "Delivered" }
          },
          {
            attempt: attemptOf(delivery, { startedAt: at }),
            verdict: { _tag: "Retry", nextAttemptAt: DateTime.add(at, { seconds: how }) }
          },
          { attempt: attemptOf(delivery, { startedAt: at }), verdict: { _tag: "Dead" } },
          {
            attempt: attemptOf(delivery, { startedAt: at }),
            verdict: { _tag: "Retry", nextAttemptAt: DateTime.add(at, { seconds: 9 }) },
            move: { _tag: "Open", openings: 1, until: DateTime.add(at, { seconds: 10 }) }
          },
          {
            attempt: attemptOf(delivery, { startedAt: at, status: 200, error: null }),
            verdict: { _tag: "Delivered" },
            move: { _tag: "Close", openings: 1 }
          }
        ],
        how
      )
      return store.settle([{ accountId: delivery.accountId, ...settlement }], at)
    }),

  giveBackDeliveries: (side) =>
    DeliveryStore.use((store) =>
      store.giveBack({ dispatcher: side.dispatcher, which: { _tag: "AllBut", ids: [] }, at: now(side) })
    ),

  takeBackDeliveries: (side) =>
    DeliveryStore.use((store) =>
      store.takeBack({ from: { _tag: "One", dispatcher: side.dispatcher }, at: now(side) })
    ),

  tryNow: (side, { which }) =>
    DeliveryStore.use((store) => {
      const delivery = fromEnd(side.deliveries, which)
      if (delivery === undefined) return Effect.void
      return store.tryNow({ accountId: delivery.accountId, id: delivery.id, at: now(side) })
    }),

  replay: (side, { which }) =>
    DeliveryStore.use((store) => {
      const delivery = fromEnd(side.deliveries, which)
      if (delivery === undefined) return Effect.void
      return store.replay({ accountId: delivery.accountId, id: delivery.id, at: now(side) })
    })
} satisfies { readonly [verb: string]: Doing }
