/** Brings back claims whose dispatcher never heard of them, or has ended. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { comeBack } from "@runhook/core/deliveries/steps/DeliverySteps"
import type { DispatcherId } from "@runhook/core/shared/Ids"
import type { Ended, Unsent } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import type { Tables } from "../../MemoryDatabase.ts"
import { applyStep, receiverStateOf } from "../queue/ApplyStep.ts"

export const giveBack = (
  tables: Tables,
  options: { readonly dispatcher: DispatcherId; readonly which: Unsent; readonly at: DateTime.Utc }
): number => {
  const { at, dispatcher, which } = options
  const named = new Set(which.ids)
  const unknown = claimedBy(tables, (each) => each === dispatcher).filter(
    ({ id, nextAttemptAt }) =>
      named.has(id) === (which._tag === "These") && DateTime.isGreaterThan(nextAttemptAt ?? at, at)
  )
  return returned(tables, unknown, { at, attempt: "unsent" })
}

export const takeBack = (
  tables: Tables,
  { at, from }: { readonly from: Ended; readonly at: DateTime.Utc }
): number => {
  const hasEnded = (dispatcher: DispatcherId) =>
    from._tag === "One" ? dispatcher === from.dispatcher : dispatcher !== from.dispatcher
  for (const dispatcher of tables.beats.keys()) if (hasEnded(dispatcher)) tables.beats.delete(dispatcher)
  return returned(tables, claimedBy(tables, hasEnded), { at, attempt: "made" })
}

export const beat = ({ beats }: Tables, dispatcher: DispatcherId): ReadonlyMap<DispatcherId, number> => {
  beats.set(dispatcher, (beats.get(dispatcher) ?? 0) + 1)
  return new Map([...beats].filter(([each]) => each !== dispatcher))
}

const claimedBy = (
  { claimers, deliveries }: Tables,
  isMeant: (dispatcher: DispatcherId) => boolean
): ReadonlyArray<Delivery> =>
  [...claimers].flatMap(([id, dispatcher]) => (isMeant(dispatcher) ? (deliveries.get(id) ?? []) : []))

const returned = (
  tables: Tables,
  claimed: ReadonlyArray<Delivery>,
  options: Parameters<typeof comeBack>[1]
): number => {
  for (const delivery of claimed) {
    const isTried = tables.tries.has(delivery.id)
    applyStep(tables, comeBack({ delivery, isTried, receiver: receiverStateOf(tables, delivery) }, options))
  }
  return claimed.length
}
