/** Events of one execution and the settling of their attempts, for tests of their order. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import { ExecutionId, newId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { second } from "../Fixtures.ts"
import { attemptOf, makeDelivery, type Sender } from "./DeliveryFixtures.ts"

export const idsOf = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ id }) => id)

/** Events of one execution, by clocks that say so many seconds more from one to the next. */
export const severalEvents = Effect.fnUntraced(function* (
  sender: Sender,
  count: number,
  { apart = 0.1, ...fields }: Partial<Delivery> & { readonly apart?: number } = {}
) {
  const executionId = yield* newId(ExecutionId)
  return yield* Effect.forEach(
    Array.from({ length: count }, (_, place) => place),
    (place) =>
      makeDelivery(sender, { executionId, revision: place + 1, createdAt: second(place * apart), ...fields })
  )
})

/** Settles the latest attempt of each delivery. */
export const settleAll = (
  { accountId }: Sender,
  claimed: ReadonlyArray<Delivery>,
  options: {
    readonly at: DateTime.Utc
    readonly verdict?: Verdict
    /** What the receiver answered; null for nothing. */
    readonly status?: number | null
    readonly move?: ReceiverMove
  }
) => {
  const { at, move, status = 503, verdict = { _tag: "Delivered" } } = options
  const answer = status === null ? { status, phase: "headers" as const } : { status }
  return DeliveryStore.use((store) =>
    store.settle(
      claimed.map((each) => ({ accountId, attempt: attemptOf(each, answer), verdict, move })),
      at
    )
  )
}
