/** Gives out what waits for a poll endpoint. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { DeliveryOrder } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { abandoned, fetchDue } from "@runhook/core/endpoints/Messages"
import { textBytes } from "@runhook/core/shared/json/JsonBytes"
import { itemBytes } from "@runhook/core/shared/Page"
import type { Fetched } from "@runhook/core/endpoints/EndpointStore"
import * as DateTime from "effect/DateTime"
import type { Tables } from "../MemoryDatabase.ts"
import { applyStep } from "../deliveries/queue/ApplyStep.ts"
import { releaseNext, turnsOf } from "../deliveries/queue/EventOrder.ts"
import { firstOf } from "../tables/Paging.ts"

interface FetchOptions {
  readonly at: DateTime.Utc
  readonly order: DeliveryOrder
  readonly limit: number
  readonly bytesMax: number
}

const isDue = ({ nextAttemptAt }: Delivery, at: DateTime.Utc): boolean =>
  nextAttemptAt !== null && DateTime.isLessThanOrEqualTo(nextAttemptAt, at)

/** What waits is in the order of its due times. */
export const fetchMessages = (
  tables: Tables,
  waiting: ReadonlyArray<Delivery>,
  options: FetchOptions
): Fetched => {
  const { at, order } = options
  const messages: Array<Delivery> = []
  let left = waiting.filter((delivery) => isDue(delivery, at))
  // What has expired, or waits its turn, took the place of others.
  while (left.length > 0 && messages.length === 0) {
    const { items } = firstOf(left, { ...options, after: null }, ({ body }) => itemBytes + textBytes(body))
    const due = items.map((delivery) => ({
      delivery,
      isTried: tables.tries.has(delivery.id),
      receiver: untroubled,
      turns: turnsOf(tables, delivery)
    }))
    const steps = fetchDue(due, { at, order })
    for (const step of steps) applyStep(tables, step)
    for (const { after, before, isGivenOut } of steps) {
      if (isGivenOut) messages.push(after)
      else releaseNext(tables, before, { at, order })
    }
    left = left.slice(items.length)
  }
  const later = waiting.flatMap(({ id }) => tables.deliveries.get(id)?.nextAttemptAt ?? [])
  const nextDueAt = later.reduce<DateTime.Utc | null>(
    (first, moment) => DateTime.min(first ?? moment, moment),
    null
  )
  return { messages, nextDueAt }
}

/** Cancels what waits for an endpoint that is gone; answers how much that is. */
export const cancelAbandoned = (
  tables: Tables,
  waiting: ReadonlyArray<Delivery>,
  at: DateTime.Utc
): number => {
  for (const delivery of waiting) applyStep(tables, abandoned(delivery, at))
  return waiting.length
}
