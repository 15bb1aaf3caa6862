/** Stores a new delivery, and hands it over if a dispatcher has a place for it. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { claim } from "@runhook/core/deliveries/steps/DeliveryMoves"
import { isHeldBy } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { mayBeginAtOnce } from "@runhook/core/deliveries/Outbox"
import type { Place } from "@runhook/core/deliveries/queue/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import { type DeliveryTables, receiverStateOf } from "./ApplyStep.ts"
import { earlierThan } from "./EventOrder.ts"

/** Answers whether it was handed over. */
export const storeNew = <Stored>(
  tables: DeliveryTables,
  {
    at,
    delivery,
    place,
    stored
  }: {
    readonly delivery: Delivery
    readonly at: DateTime.Utc
    readonly place: Place<Stored> | undefined
    /** What its place is told. */
    readonly stored: Stored
  }
): boolean => {
  const receiver = receiverStateOf(tables, delivery)
  const earlier = earlierThan(tables, delivery)
  const hasEarlier = !earlier.every((each) => place !== undefined && isHeldBy(each, { ...place, at }))
  if (place === undefined || !mayBeginAtOnce({ delivery, hasEarlier, receiver, at })) {
    tables.deliveries.put(delivery)
    place?.free()
    return false
  }
  const begun = claim(delivery, { at, lease: place.lease })
  tables.deliveries.put(begun)
  tables.claimers.set(begun.id, place.dispatcher)
  place.begin(stored, { at, behind: earlier.at(-1)?.delivery.id ?? null })
  return true
}
