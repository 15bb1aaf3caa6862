/**
 * The table of deliveries, with an index of the waiting ones by receiver, so
 * that the queue of a receiver that is held costs the others nothing, and one of
 * the deliveries of each execution in their order.
 */
import { type Delivery, streamOf } from "@runhook/core/deliveries/Delivery"
import { byRevision, hasTurn } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { receiverKey, receiverOf } from "@runhook/core/deliveries/claim/Receiver"
import type { EventId, ExecutionId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import { SortedSet } from "../tables/SortedSet.ts"

/** The place of a delivery among those of its execution. */
type Place = Pick<Delivery, "id" | "revision">

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
  readonly #pending = new Map<string, SortedSet<PendingDelivery>>()
  readonly #ofExecutions = new Map<ExecutionId, SortedSet<Place>>()

  get(id: EventId): Delivery | undefined {
    return this.#deliveries.get(id)
  }

  values(): Iterable<Delivery> {
    return this.#deliveries.values()
  }

  /** Stores a delivery as it now is, new or changed. */
  put(delivery: Delivery): void {
    const receiver = receiverKey(receiverOf(delivery))
    const pending = this.#pending.get(receiver) ?? new SortedSet(byDueAt)
    const before = pendingOf(this.#deliveries.get(delivery.id))
    const after = pendingOf(delivery)
    if (before !== undefined) pending.delete(before)
    if (after !== undefined) pending.add(after)
    if (pending.size > 0) this.#pending.set(receiver, pending)
    else this.#pending.delete(receiver)
    if (delivery.executionId !== null && !this.#deliveries.has(delivery.id)) {
      const places = this.#ofExecutions.get(delivery.executionId) ?? new SortedSet<Place>(byRevision)
      places.add({ id: delivery.id, revision: delivery.revision })
      this.#ofExecutions.set(delivery.executionId, places)
    }
    this.#deliveries.set(delivery.id, delivery)
  }

  /** Forgets a delivery. */
  delete(delivery: Delivery): void {
    const { executionId, id, revision } = delivery
    const receiver = receiverKey(receiverOf(delivery))
    const waiting = pendingOf(this.#deliveries.get(id))
    const pending = this.#pending.get(receiver)
    if (waiting !== undefined) pending?.delete(waiting)
    if (pending?.size === 0) this.#pending.delete(receiver)
    this.#deliveries.delete(id)
    const places = executionId === null ? undefined : this.#ofExecutions.get(executionId)
    places?.delete({ id, revision })
    if (executionId !== null && places?.size === 0) this.#ofExecutions.delete(executionId)
  }

  /** The deliveries of an execution, in their order. */
  ofExecution(executionId: ExecutionId): ReadonlyArray<Delivery> {
    const places = this.#ofExecutions.get(executionId) ?? []
    return Array.from(Iterable.flatMapNullishOr(places, ({ id }) => this.get(id)))
  }

  /** Those of a delivery's stream that have a turn. */
  inTurn(delivery: Delivery): ReadonlyArray<Delivery> {
    return this.#ofStream(delivery).filter(hasTurn)
  }

  /** Whether no event of its stream tells of a later change. */
  isLast(delivery: Delivery): boolean {
    return this.#ofStream(delivery).every((each) => byRevision(each, delivery) <= 0)
  }

  #ofStream(delivery: Delivery): ReadonlyArray<Delivery> {
    const { executionId } = delivery
    if (executionId === null) return []
    return this.ofExecution(executionId).filter((each) => streamOf(each) === streamOf(delivery))
  }

  /** What waits for a receiver, or is with it, oldest due first. */
  waitingFor(receiver: string): Iterable<Delivery> {
    return Iterable.flatMapNullishOr(this.#pending.get(receiver) ?? [], ({ id }) => this.get(id))
  }

  /** The receivers for which something waits, and what does, oldest due first. The table must not change meanwhile. */
  *waiting(): Generator<readonly [receiver: string, deliveries: Iterable<Delivery>], void> {
    for (const [receiver, pending] of this.#pending) {
      yield [receiver, Iterable.flatMapNullishOr(pending, ({ id }) => this.get(id))]
    }
  }
}

const pendingOf = (delivery: Delivery | undefined): PendingDelivery | undefined =>
  delivery === undefined || delivery.nextAttemptAt === null
    ? undefined
    : { id: delivery.id, dueAt: delivery.nextAttemptAt }
