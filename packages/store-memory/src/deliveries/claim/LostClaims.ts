/** Brings back claims whose dispatcher never heard of them, or has ended. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import * as DeliveryMoves from "@runhook/core/domain/delivery/DeliveryMoves"
import { receiverKey, receiverOf, unprobed } from "@runhook/core/domain/delivery/Receiver"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import type { Ended, Unsent } from "@runhook/core/ports/DeliveryStore"
import * as DateTime from "effect/DateTime"
import type { Tables } from "../../MemoryDatabase.ts"

type ReturnTables = Pick<Tables, "beats" | "claimers" | "deliveries" | "receivers">

export const giveBack = (
  tables: ReturnTables,
  options: { readonly dispatcher: DispatcherId; readonly which: Unsent; readonly at: DateTime.Utc }
): number => {
  const { at, dispatcher, which } = options
  const named = new Set(which.ids)
  const unknown = claimedBy(tables, (each) => each === dispatcher).filter(
    ({ id, nextAttemptAt }) =>
      named.has(id) === (which._tag === "These") && DateTime.isGreaterThan(nextAttemptAt ?? at, at)
  )
  return comeBack(tables, unknown, (delivery) => DeliveryMoves.giveBack(delivery, at))
}

export const takeBack = (
  tables: ReturnTables,
  { at, from }: { readonly from: Ended; readonly at: DateTime.Utc }
): number => {
  const hasEnded = (dispatcher: DispatcherId) =>
    from._tag === "One" ? dispatcher === from.dispatcher : dispatcher !== from.dispatcher
  for (const dispatcher of tables.beats.keys()) if (hasEnded(dispatcher)) tables.beats.delete(dispatcher)
  return comeBack(tables, claimedBy(tables, hasEnded), (delivery) => DeliveryMoves.takeBack(delivery, at))
}

export const beat = (
  { beats }: ReturnTables,
  dispatcher: DispatcherId
): ReadonlyMap<DispatcherId, number> => {
  beats.set(dispatcher, (beats.get(dispatcher) ?? 0) + 1)
  return new Map([...beats].filter(([each]) => each !== dispatcher))
}

const claimedBy = (
  { claimers, deliveries }: ReturnTables,
  isMeant: (dispatcher: DispatcherId) => boolean
): ReadonlyArray<Delivery> =>
  [...claimers].flatMap(([id, dispatcher]) => (isMeant(dispatcher) ? (deliveries.get(id) ?? []) : []))

const comeBack = (
  tables: ReturnTables,
  claimed: ReadonlyArray<Delivery>,
  move: (delivery: Delivery) => Delivery
): number => {
  for (const delivery of claimed) {
    const receiver = receiverKey(receiverOf(delivery))
    const state = tables.receivers.get(receiver)
    const back = move(delivery)
    const leaseEnd = delivery.nextAttemptAt
    if (state !== undefined)
      tables.receivers.set(receiver, unprobed(state, { leaseEnd, at: back.nextAttemptAt }))
    tables.deliveries.put(back)
    tables.claimers.delete(delivery.id)
  }
  return claimed.length
}
