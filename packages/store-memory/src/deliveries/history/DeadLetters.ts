/** Dead deliveries by receiver and cause. */
import type { DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import {
  type DeadLetterGroup,
  deadLetterGroupsMax,
  type DeadLetters,
  deadLettersCounted
} from "@runhook/core/deliveries/DeadLetters"
import { type Delivery, destinationOf } from "@runhook/core/deliveries/Delivery"
import type { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { instantOf } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Order from "effect/Order"

const byReceiverAndCause = Order.combine(
  Order.mapInput(Order.String, ({ origin }: DeadLetterGroup) => origin),
  Order.mapInput(Order.String, ({ cause }: DeadLetterGroup) => cause)
)

interface Dead {
  readonly delivery: Delivery
  readonly origin: string
  readonly cause: DeliveryCause
}

const newestFirst = Order.mapInput(Order.flip(Order.String), ({ delivery }: Dead) => delivery.id)

export const deadLettersOf = (deliveries: Iterable<Delivery>): DeadLetters => {
  const dead = Array.fromIterable(deliveries).flatMap((delivery): ReadonlyArray<Dead> => {
    const { lastCause: cause, state, url } = delivery
    return state === "dead" && cause !== null ? [{ delivery, origin: destinationOf(url), cause }] : []
  })
  const grouped = Array.groupBy(dead, ({ cause, origin }) => `${origin} ${cause}`)
  const groups = Array.sort(Object.values(grouped).map(groupOf), byReceiverAndCause)
  return { groups: groups.slice(0, deadLetterGroupsMax), isMore: groups.length > deadLetterGroupsMax }
}

const groupOf = (unsorted: Array.NonEmptyReadonlyArray<Dead>): DeadLetterGroup => {
  const dead = Array.sort(unsorted, newestFirst)
  const counted = dead.slice(0, deadLettersCounted)
  const newest = Array.headNonEmpty(dead)
  const types = new Map<WebhookEventType, number>()
  for (const { delivery } of counted) types.set(delivery.type, (types.get(delivery.type) ?? 0) + 1)
  return {
    origin: newest.origin,
    cause: newest.cause,
    dead: counted.length,
    isMore: dead.length > counted.length,
    oldestAt: instantOf(Array.lastNonEmpty(dead).delivery.id),
    newestAt: instantOf(newest.delivery.id),
    types
  }
}
