/** The table of deliveries with an index of those that wait, so that a claim costs what it takes and not what was ever delivered. */
import type { Delivery } from "@runhook/core/domain/Delivery"
import type { EventId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import { SortedSet } from "./SortedSet.ts"

/** A delivery that waits, or is being sent. */
interface PendingDelivery {
  readonly id: EventId
  readonly dueAt: DateTime.Utc
}

const byDueAt: Order.Order<PendingDelivery> = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }) => dueAt),
  Order.mapInput(Order.String, ({ id }) => id)
)

export class DeliveryTable {
  readonly #deliveries = new Map<EventId, Delivery>()
  readonly #pending = new SortedSet(byDueAt)

  get(id: EventId): Delivery | undefined {
    return this.#deliveries.get(id)
  }

  values(): Iterable<Delivery> {
    return this.#deliveries.values()
  }

  /** Stores a delivery as it now is, new or changed. */
  put(delivery: Delivery): void {
    const before = pendingOf(this.#deliveries.get(delivery.id))
    const after = pendingOf(delivery)
    if (before !== undefined) this.#pending.delete(before)
    if (after !== undefined) this.#pending.add(after)
    this.#deliveries.set(delivery.id, delivery)
  }

  /** Up to `limit` deliveries that are due at `at`, oldest due first. */
  due({ at, limit }: { readonly at: DateTime.Utc; readonly limit: number }): ReadonlyArray<Delivery> {
    const isDue = ({ dueAt }: PendingDelivery): boolean => DateTime.isLessThanOrEqualTo(dueAt, at)
    const due = Iterable.take(Iterable.takeWhile(this.#pending, isDue), limit)
    return [...due].flatMap(({ id }) => this.get(id) ?? [])
  }

  /** When the next delivery is due; null when none is pending. */
  nextDueAt(): DateTime.Utc | null {
    return this.#pending.first(() => false)?.dueAt ?? null
  }
}

const pendingOf = (delivery: Delivery | undefined): PendingDelivery | undefined =>
  delivery === undefined || delivery.nextAttemptAt === null
    ? undefined
    : { id: delivery.id, dueAt: delivery.nextAttemptAt }
