/** Chooses which of the due deliveries a claimer gets. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import * as DeliveryMoves from "@runhook/core/domain/delivery/DeliveryMoves"
import { type DeliveryOrder, heldBackUntil } from "@runhook/core/domain/delivery/DeliveryOrder"
import * as Receiver from "@runhook/core/domain/delivery/Receiver"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import type { Claimed, ClaimedDelivery, ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import type { Tables } from "../../MemoryDatabase.ts"
import { countOutcome } from "../../replays/ReplayOutcomes.ts"
import { earlierThan, releaseNext, type TurnTables } from "../queue/EventOrder.ts"
import { RemainingCapacity } from "./RemainingCapacity.ts"

type DeliveryTables = TurnTables & Pick<Tables, "claimers" | "replays" | "tries">

interface ClaimOptions {
  readonly dispatcher?: DispatcherId
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
  readonly order: DeliveryOrder
}

interface Due {
  readonly receiver: string
  readonly delivery: Delivery
  /** Whether somebody wants it tried. */
  readonly isTried: boolean
  /** When it is due instead, because an earlier event of its execution is pending; null when it is its turn. */
  readonly heldBackUntil: DateTime.Utc | null
}

export const claimDue = (
  tables: DeliveryTables,
  { at, dispatcher, lease, order, room }: ClaimOptions
): Claimed => {
  const left = new RemainingCapacity(room)
  const deliveries: Array<ClaimedDelivery> = []

  const take = ({ delivery, isTried, receiver }: Due, claimed: Delivery): void => {
    const state = stateOf(tables, receiver)
    const isProbe = Receiver.isProbed(state)
    left.take(receiver, delivery)
    deliveries.push({ delivery: claimed, probeOf: isProbe ? state.openings : null, behind: null })
    if (dispatcher === undefined) tables.claimers.delete(claimed.id)
    else tables.claimers.set(claimed.id, dispatcher)
    if (isProbe && !isTried) tables.receivers.set(receiver, Receiver.probed(state, { at, lease }))
  }

  const found = dueDeliveries(tables, left, { at, lease, order })
  const oldestDueAt = found[0]?.delivery.nextAttemptAt ?? null

  for (const due of found) {
    if (left.total <= 0) break
    if (due.heldBackUntil !== null) {
      tables.deliveries.put({ ...due.delivery, nextAttemptAt: due.heldBackUntil })
      continue
    }
    const claimed = DeliveryMoves.claim(due.delivery, { at, lease })
    if (claimed.state === "pending" && !left.fits(due.receiver, due.delivery)) continue
    if (claimed.state === "pending") take(due, claimed)
    else {
      left.spend()
      tables.claimers.delete(claimed.id)
      tables.tries.delete(claimed.id)
      countOutcome(tables, claimed)
    }
    tables.deliveries.put(claimed)
  }
  for (const { delivery } of found) releaseNext(tables, delivery, { at, order })

  return { deliveries, oldestDueAt, nextDueAt: nextDueAt(tables, left, at) }
}

/** What receivers may get, oldest due first: of each as much as there is room for, and what has expired before that. */
const dueDeliveries = (
  tables: DeliveryTables,
  left: RemainingCapacity,
  { at, lease, order }: Omit<ClaimOptions, "room">
): ReadonlyArray<Due> => {
  const due: Array<Due> = []
  for (const [receiver, deliveries] of tables.deliveries.waiting()) {
    const state = stateOf(tables, receiver)
    const isHeld = Receiver.isHeld(state, at)
    if (isHeld && tables.tries.size === 0) continue
    let room = left.of(receiver)
    let others = isHeld ? 0 : Receiver.isProbed(state) ? 1 : room
    for (const delivery of triedFirst(tables, receiver, deliveries)) {
      const isTried = tables.tries.has(delivery.id)
      if ((isTried ? room : Math.min(room, others)) <= 0 || !left.hasShare(receiver, delivery.accountId))
        break
      if (!isPast(delivery.nextAttemptAt, at)) {
        if (isTried) continue
        break
      }
      const hasExpired = isPast(delivery.expiresAt, at)
      const mayGo = isTried || isPast(Receiver.dueAt(delivery, state), at)
      if (!hasExpired && !(mayGo && left.fits(receiver, delivery))) continue
      const earlier = earlierThan(tables, delivery)
      const until = hasExpired
        ? null
        : heldBackUntil(delivery, { order, earlier, receiver: state, at, lease })
      if (!hasExpired && until === null) {
        room -= 1
        if (!isTried) others -= 1
      }
      due.push({ receiver, delivery, isTried, heldBackUntil: until })
    }
  }
  return Array.sort(due, byDueTime)
}

/** What waits for a receiver: first what is to be tried, then the rest, oldest due first. */
function* triedFirst(
  tables: DeliveryTables,
  receiver: string,
  deliveries: Iterable<Delivery>
): Generator<Delivery, void> {
  const tried = Iterable.flatMapNullishOr(tables.tries, (id) => tables.deliveries.get(id))
  yield* Iterable.filter(
    tried,
    (delivery) => Receiver.receiverKey(Receiver.receiverOf(delivery)) === receiver
  )
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

const stateOf = ({ receivers }: DeliveryTables, receiver: string): Receiver.ReceiverState =>
  receivers.get(receiver) ?? Receiver.untroubled

const isPast = (time: DateTime.Utc | null, at: DateTime.Utc): boolean =>
  time !== null && DateTime.isLessThanOrEqualTo(time, at)

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

const byDueTime: Order.Order<Due> = Order.combine(
  Order.mapInput(Order.Number, ({ delivery }) => delivery.nextAttemptAt?.epochMilliseconds ?? 0),
  Order.mapInput(Order.String, ({ delivery }) => delivery.id)
)
