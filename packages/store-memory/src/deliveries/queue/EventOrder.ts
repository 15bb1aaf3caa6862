/** Whose turn it is among the events of an execution: the rules of `core/domain/delivery/DeliveryOrder`, on the tables. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import {
  byRevision,
  type DeliveryOrder,
  released,
  type Tried
} from "@runhook/core/domain/delivery/DeliveryOrder"
import { receiverKey, receiverOf, untroubled } from "@runhook/core/domain/delivery/Receiver"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import type * as DateTime from "effect/DateTime"
import type { Tables } from "../../MemoryDatabase.ts"

export type TurnTables = Pick<Tables, "attempts" | "deliveries" | "receivers">

const triedOf = ({ attempts, deliveries }: TurnTables, executionId: ExecutionId | null) =>
  deliveries
    .inTurn(executionId)
    .map((delivery): Tried => ({ delivery, attempts: attempts.get(delivery.id) ?? [] }))

/** The pending deliveries of the same execution that come before one. */
export const earlierThan = (tables: TurnTables, delivery: Delivery): ReadonlyArray<Tried> =>
  triedOf(tables, delivery.executionId).filter((each) => byRevision(each.delivery, delivery) < 0)

/** Makes the delivery of an execution whose turn has come due, if it was put off; answers how many. */
export const releaseNext = (
  tables: TurnTables,
  delivery: Delivery,
  { at, order }: { readonly at: DateTime.Utc; readonly order: DeliveryOrder }
): number => {
  const receiver = tables.receivers.get(receiverKey(receiverOf(delivery))) ?? untroubled
  const next = released(triedOf(tables, delivery.executionId), { at, order, receiver })
  const before = next && tables.deliveries.get(next.id)
  if (next === null || before?.nextAttemptAt?.epochMilliseconds === next.nextAttemptAt?.epochMilliseconds)
    return 0
  tables.deliveries.put(next)
  return 1
}
