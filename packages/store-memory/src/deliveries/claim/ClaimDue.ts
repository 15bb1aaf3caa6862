/** Chooses which of the due deliveries a claimer gets. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import type { DeliveryOrder } from "@runhook/core/domain/delivery/DeliveryOrder"
import { claimDue as claimSteps, type DueDelivery } from "@runhook/core/domain/delivery/DeliverySteps"
import * as Receiver from "@runhook/core/domain/delivery/Receiver"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import type { Claimed, ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import { applyStep, type DeliveryTables } from "../queue/ApplyStep.ts"
import { releaseNext, turnsOf } from "../queue/EventOrder.ts"
import { RemainingCapacity } from "./RemainingCapacity.ts"

interface ClaimOptions {
  readonly dispatcher?: DispatcherId
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
  readonly order: DeliveryOrder
}

export const claimDue = (tables: DeliveryTables, options: ClaimOptions): Claimed => {
  const { at, dispatcher = null, room } = options
  const due = dueDeliveries(tables, options)
  const steps = claimSteps(due, { ...options, dispatcher })
  const left = new RemainingCapacity(room)
  for (const step of steps) {
    applyStep(tables, step)
    if (step.isGivenOut) left.take(keyOf(step.before), step.before)
  }
  for (const { before, isGivenOut } of steps) if (!isGivenOut) releaseNext(tables, before, options)
  return {
    deliveries: steps.flatMap(({ after, behind, isGivenOut, probeOf }) =>
      isGivenOut ? [{ delivery: after, behind, probeOf }] : []
    ),
    oldestDueAt: due[0]?.delivery.nextAttemptAt ?? null,
    nextDueAt: nextDueAt(tables, left, at)
  }
}

/** What receivers may get, oldest due first: of each as much as there is room for. */
const dueDeliveries = (tables: DeliveryTables, { at, room }: ClaimOptions): ReadonlyArray<DueDelivery> => {
  const left = new RemainingCapacity(room)
  const found = Array.sort(
    Iterable.flatMap(tables.deliveries.waiting(), ([receiver, deliveries]) =>
      ofReceiver(tables, { at, deliveries, left, receiver })
    ),
    byDueTime
  )
  return found.filter(({ delivery }) => {
    const receiver = keyOf(delivery)
    const fits = left.total > 0 && left.fits(receiver, delivery)
    if (fits) left.take(receiver, delivery)
    return fits
  })
}

/** Of one receiver: one as a probe, where its breaker is open, and those that are wanted now. */
function* ofReceiver(
  tables: DeliveryTables,
  options: {
    readonly at: DateTime.Utc
    readonly deliveries: Iterable<Delivery>
    readonly left: RemainingCapacity
    readonly receiver: string
  }
): Generator<DueDelivery, void> {
  const { at, deliveries, left, receiver } = options
  const state = stateOf(tables, receiver)
  let room = left.of(receiver)
  let others = Receiver.isHeld(state, at) ? 0 : Receiver.isProbed(state) ? 1 : room
  if (others === 0 && tables.tries.size === 0) return
  for (const delivery of triedFirst(tables, receiver, deliveries)) {
    const isTried = tables.tries.has(delivery.id)
    if ((isTried ? room : Math.min(room, others)) <= 0) return
    if (!isPast(delivery.nextAttemptAt, at)) {
      if (isTried) continue
      return
    }
    const mayGo = isTried || isPast(Receiver.dueAt(delivery, state), at)
    if (!mayGo || !left.fits(receiver, delivery)) continue
    room -= 1
    if (!isTried) others -= 1
    yield { delivery, isTried, receiver: state, turns: turnsOf(tables, delivery.executionId) }
  }
}

/** What waits for a receiver: first what is to be tried, then the rest, oldest due first. */
function* triedFirst(
  tables: DeliveryTables,
  receiver: string,
  deliveries: Iterable<Delivery>
): Generator<Delivery, void> {
  const tried = Iterable.flatMapNullishOr(tables.tries, (id) => tables.deliveries.get(id))
  yield* Iterable.filter(tried, (delivery) => keyOf(delivery) === receiver)
  yield* Iterable.filter(deliveries, ({ id }) => !tables.tries.has(id))
}

const nextDueAt = (
  tables: DeliveryTables,
  left: RemainingCapacity,
  at: DateTime.Utc
): DateTime.Utc | null => {
  const times = Iterable.flatMap(tables.deliveries.waiting(), ([receiver, deliveries]) => {
    const state = stateOf(tables, receiver)
    const shared = Iterable.takeWhile(deliveries, ({ accountId }) => left.hasShare(receiver, accountId))
    const fitting = Iterable.filter(shared, (delivery) => left.fits(receiver, delivery))
    // While slices come forward, a later one may be due before an earlier one.
    const first = Receiver.isRecovering(state, at) ? fitting : Iterable.take(fitting, 1)
    return Iterable.map(first, (delivery) =>
      tables.tries.has(delivery.id) ? delivery.nextAttemptAt : Receiver.dueAt(delivery, state)
    )
  })
  return Iterable.reduce(times, null, earlier)
}

const keyOf = (delivery: Delivery): string => Receiver.receiverKey(Receiver.receiverOf(delivery))

const stateOf = ({ receivers }: DeliveryTables, receiver: string): Receiver.ReceiverState =>
  receivers.get(receiver) ?? Receiver.untroubled

const isPast = (time: DateTime.Utc | null, at: DateTime.Utc): boolean =>
  time !== null && DateTime.isLessThanOrEqualTo(time, at)

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

const byDueTime: Order.Order<DueDelivery> = Order.combine(
  Order.mapInput(Order.Number, ({ delivery }) => delivery.nextAttemptAt?.epochMilliseconds ?? 0),
  Order.mapInput(Order.String, ({ delivery }) => delivery.id)
)
