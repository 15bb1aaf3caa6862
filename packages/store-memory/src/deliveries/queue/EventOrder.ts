/** The events of executions in their order, on the tables. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import {
  byRevision,
  type DeliveryOrder,
  released,
  type Tried
} from "@runhook/core/deliveries/claim/DeliveryOrder"
import { release } from "@runhook/core/deliveries/steps/DeliverySteps"
import type * as DateTime from "effect/DateTime"
import { applyStep, type DeliveryTables, receiverStateOf } from "./ApplyStep.ts"

interface Event extends Tried {
  readonly delivery: Delivery
}

/** The events of a delivery's stream that have a turn. */
export const turnsOf = (
  { attempts, claimers, deliveries }: DeliveryTables,
  of: Delivery
): ReadonlyArray<Event> =>
  deliveries.inTurn(of).map((delivery) => ({
    delivery,
    attempts: attempts.get(delivery.id) ?? [],
    dispatcher: claimers.get(delivery.id) ?? null
  }))

/** The pending deliveries of the same execution that come before one. */
export const earlierThan = (tables: DeliveryTables, delivery: Delivery): ReadonlyArray<Event> =>
  turnsOf(tables, delivery).filter((each) => byRevision(each.delivery, delivery) < 0)

/** Makes the delivery of an execution whose turn has come due, if it was put off; answers how many. */
export const releaseNext = (
  tables: DeliveryTables,
  delivery: Delivery,
  { at, order }: { readonly at: DateTime.Utc; readonly order: DeliveryOrder }
): number => {
  const receiver = receiverStateOf(tables, delivery)
  const found = order === "none" ? null : released(turnsOf(tables, delivery), { at, order, receiver })
  if (found === null) return 0
  applyStep(tables, release(found.next.delivery, found.dueAt))
  return 1
}
