/** Dead deliveries by receiver and cause. */
import {
  type DeadLetterGroup,
  deadLetterGroupsMax,
  type DeadLetters,
  deadLettersCounted
} from "@runhook/core/domain/delivery/DeadLetters"
import { type Delivery, destinationOf } from "@runhook/core/domain/delivery/Delivery"
import type { WebhookEventType } from "@runhook/core/domain/delivery/WebhookEventType"
import { instantOf } from "@runhook/core/domain/Ids"
import * as Array from "effect/Array"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"

const byReceiverAndCause = Order.combine(
  Order.mapInput(Order.String, ({ origin }: DeadLetterGroup) => origin ?? ""),
  Order.mapInput(Order.String, ({ cause }: DeadLetterGroup) => cause ?? "unknown")
)

const newestFirst = Order.mapInput(Order.flip(Order.String), ({ id }: Delivery) => id)

export const deadLettersOf = (deliveries: Iterable<Delivery>): DeadLetters => {
  const dead = Iterable.filter(deliveries, ({ state }) => state === "dead")
  const grouped = Array.groupBy(dead, ({ lastCause, url }) => `${destinationOf(url)} ${lastCause}`)
  const groups = Array.sort(Object.values(grouped).map(groupOf), byReceiverAndCause)
  return { groups: groups.slice(0, deadLetterGroupsMax), isMore: groups.length > deadLetterGroupsMax }
}

const groupOf = (deliveries: Array.NonEmptyReadonlyArray<Delivery>): DeadLetterGroup => {
  const dead = Array.sort(deliveries, newestFirst)
  const counted = dead.slice(0, deadLettersCounted)
  const newest = Array.headNonEmpty(dead)
  const types = new Map<WebhookEventType, number>()
  for (const { type } of counted) types.set(type, (types.get(type) ?? 0) + 1)
  return {
    origin: destinationOf(newest.url),
    cause: newest.lastCause,
    dead: counted.length,
    isMore: dead.length > counted.length,
    oldestAt: instantOf(Array.lastNonEmpty(dead).id),
    newestAt: instantOf(newest.id),
    types
  }
}
