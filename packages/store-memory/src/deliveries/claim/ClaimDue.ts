/** Claims what the core chooses of the deliveries that wait. */
import { type Delivery, isFetched, pollScheme, willBeRetry } from "@runhook/core/deliveries/Delivery"
import { choose } from "@runhook/core/deliveries/claim/ClaimChoice"
import type { DeliveryOrder } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { claimDue as claimSteps } from "@runhook/core/deliveries/steps/DeliverySteps"
import * as Receiver from "@runhook/core/deliveries/claim/Receiver"
import type { DispatcherId } from "@runhook/core/shared/Ids"
import type { ClaimRoom } from "@runhook/core/deliveries/claim/ClaimRoom"
import type { Claimed } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import { applyStep, type DeliveryTables, receiverStateOf } from "../queue/ApplyStep.ts"
import { releaseNext, turnsOf } from "../queue/EventOrder.ts"

interface ClaimOptions {
  readonly dispatcher?: DispatcherId
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
  readonly order: DeliveryOrder
}

export const claimDue = (tables: DeliveryTables, options: ClaimOptions): Claimed => {
  const { at, dispatcher = null } = options
  const { chosen, nextDueAt, oldestDueAt } = choose(candidates(tables, options), options)
  const due = chosen.map(({ delivery, isTried }) => ({
    delivery,
    isTried,
    receiver: receiverStateOf(tables, delivery),
    turns: turnsOf(tables, delivery)
  }))
  const steps = claimSteps(due, { ...options, dispatcher })
  for (const step of steps) applyStep(tables, step)
  for (const { before, isGivenOut } of steps) if (!isGivenOut) releaseNext(tables, before, options)
  return {
    deliveries: steps.flatMap(({ after, behind, isGivenOut, probeOf }) =>
      isGivenOut ? [{ delivery: after, behind, probeOf }] : []
    ),
    oldestDueAt,
    // What has expired, or waits its turn, took the place of others.
    nextDueAt: steps.every(({ isGivenOut }) => isGivenOut) ? nextDueAt : at
  }
}

/**
 * Deliveries that people want tried now, and the first ones of each receiver that may be chosen, first attempts and
 * retries.
 */
function* candidates(tables: DeliveryTables, { at, room }: ClaimOptions) {
  const { deliveries, tries } = tables
  yield* Iterable.map(
    Iterable.filter(
      Iterable.flatMapNullishOr(tries, (id) => deliveries.get(id)),
      (delivery) => !isFetched(delivery)
    ),
    (delivery) => candidateOf(delivery, tables)
  )
  for (const [receiver, waiting] of deliveries.waiting()) {
    // What is fetched is not sent.
    if (receiver.includes(` ${pollScheme}`)) continue
    const state = tables.receivers.get(receiver) ?? Receiver.untroubled
    const isStopped = Receiver.isHeld(state, at) || Receiver.isProbed(state)
    // While slices come forward, a later one may be due before an earlier one.
    const most = isStopped ? 1 : Receiver.isRecovering(state, at) ? Infinity : room.total + 1
    for (const kind of [false, true]) {
      const ofKind = Iterable.filter(waiting, (each) => willBeRetry(each) === kind && !tries.has(each.id))
      yield* Iterable.map(Iterable.take(ofKind, most), (delivery) => candidateOf(delivery, tables))
    }
  }
}

const candidateOf = (delivery: Delivery, tables: DeliveryTables) => ({
  ...Receiver.receiverOf(delivery),
  ...receiverStateOf(tables, delivery),
  delivery,
  id: delivery.id,
  isRetry: willBeRetry(delivery),
  dueAt: delivery.nextAttemptAt ?? delivery.createdAt,
  isTried: tables.tries.has(delivery.id)
})
