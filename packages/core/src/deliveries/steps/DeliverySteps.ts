/**
 * The outcomes of stored deliveries. A store reads them with what they depend on, lets these functions judge, and
 * stores each step unless someone else was quicker. The delivery before and after tells what follows for queues,
 * lists and counts.
 */
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type { DispatcherId, EventId } from "../../shared/Ids.ts"
import { type Delivery, type DeliveryAttempt, type DeliverySummary, streamOf } from "../Delivery.ts"
import * as DeliveryMoves from "./DeliveryMoves.ts"
import { byRevision, type DeliveryOrder, isHeldBy, type Tried, turnOf } from "../claim/DeliveryOrder.ts"
import {
  isHeld,
  isProbed,
  probed,
  receiverKey,
  receiverOf,
  type ReceiverState,
  unprobed
} from "../claim/Receiver.ts"

/** An attempt with what was sent, where that is known, and what follows from it. */
export interface Recorded {
  readonly attempt: DeliveryAttempt
  readonly sent?: Pick<Delivery, "body" | "url"> | undefined
  readonly verdict: DeliveryMoves.Verdict
  /** Whether the receiver was not even looked for: then nothing is recorded. */
  readonly isUnmade?: boolean | undefined
}

export interface Step<D extends DeliverySummary = DeliverySummary> {
  readonly before: D
  readonly after: D
  /** The dispatcher that holds it from now on; null for none. */
  readonly dispatcher: DispatcherId | null
  /** Whether a person wants it tried now, even if its receiver is held. */
  readonly isTried: boolean
  /** The attempt that led to it, to be recorded. */
  readonly recorded?: Recorded
  /** The receiver, if the step holds it for a probe, which only one claimer may do, or releases it. */
  readonly receiver?: { readonly before: ReceiverState; readonly after: ReceiverState } | undefined
}

/** A delivery that is due, with what its claim depends on. */
export interface DueDelivery {
  readonly delivery: Delivery
  readonly isTried: boolean
  readonly receiver: ReceiverState
  /** The events of its stream that have a turn. */
  readonly turns: ReadonlyArray<Tried>
}

/** A due delivery that was claimed, has expired, or waits for its turn. */
export interface ClaimStep extends Step<Delivery> {
  readonly isGivenOut: boolean
  readonly probeOf: number | null
  readonly behind: EventId | null
}

interface Claimer {
  readonly dispatcher: DispatcherId | null
  readonly at: DateTime.Utc
  readonly lease: Duration.Duration
  readonly order: DeliveryOrder
}

/** Claims deliveries together. What is missing among the steps is not claimed: its receiver has its probe. */
export const claimDue = (due: ReadonlyArray<DueDelivery>, claimer: Claimer): ReadonlyArray<ClaimStep> => {
  const steps = new Map<EventId, ClaimStep>()
  const receivers = new Map<string, ReceiverState>()
  for (const each of inTurns(due)) {
    const receiver = receiverKey(receiverOf(each.delivery))
    const state = receivers.get(receiver) ?? each.receiver
    const step = claimStep({ ...each, receiver: state }, steps, claimer)
    if (step === undefined) continue
    steps.set(step.before.id, step)
    if (step.receiver !== undefined) receivers.set(receiver, step.receiver.after)
  }
  return [...steps.values()]
}

/** In the given order, but events of one stream by their revisions. */
const inTurns = (due: ReadonlyArray<DueDelivery>): ReadonlyArray<DueDelivery> => {
  const sorted = Array.sortWith(due, ({ delivery }) => delivery, byRevision)
  const stream = ({ delivery }: DueDelivery) => streamOf(delivery) ?? delivery.id
  const ofStreams = Array.groupBy(sorted, stream)
  return due.map((each) => ofStreams[stream(each)]?.shift() ?? each)
}

const claimStep = (
  { delivery, isTried, receiver, turns }: DueDelivery,
  steps: ReadonlyMap<EventId, ClaimStep>,
  { at, dispatcher, lease, order }: Claimer
): ClaimStep | undefined => {
  const isProbe = isProbed(receiver)
  const claimed = DeliveryMoves.claim(delivery, { at, lease })
  const step = { before: delivery, dispatcher: null, isTried, isGivenOut: false, probeOf: null, behind: null }
  if (claimed.state !== "pending") return { ...step, after: claimed, isTried: false }
  // Events that expire in this claim hold up no others.
  const earlier = turns.filter(
    (each) => byRevision(each.delivery, delivery) < 0 && steps.get(each.delivery.id)?.after.state !== "dead"
  )
  /** Whether the claimer holds it, or claims it along. */
  const isOwn = (event: Tried): boolean =>
    dispatcher !== null && (steps.get(event.delivery.id)?.isGivenOut ?? isHeldBy(event, { at, dispatcher }))
  const { behind, heldBackUntil } = turnOf(delivery, { at, earlier, isOwn, lease, order, receiver })
  if (heldBackUntil !== null) return { ...step, after: { ...delivery, nextAttemptAt: heldBackUntil } }
  if (isHeld(receiver, at) && !isTried) return undefined
  return {
    ...step,
    after: claimed,
    dispatcher,
    isGivenOut: true,
    probeOf: isProbe ? receiver.openings : null,
    behind,
    receiver: isProbe && !isTried ? { before: receiver, after: probed(receiver, { at, lease }) } : undefined
  }
}

/** No dispatcher holds it any more. */
const free = { dispatcher: null, isTried: false }

/** Of an attempt that is the latest of its delivery; null of any other. */
export const settle = <D extends DeliverySummary>(
  before: D,
  recorded: Recorded,
  at: DateTime.Utc
): Step<D> | null =>
  DeliveryMoves.isLatestAttempt(before, recorded.attempt)
    ? {
        ...free,
        before,
        after: DeliveryMoves.settle(before, { ...recorded, at }),
        ...(recorded.isUnmade === true ? {} : { recorded })
      }
    : null

/** A claim comes back: with its attempt, since that may have been made, or without. */
export const comeBack = <D extends DeliverySummary>(
  claimed: { readonly delivery: D } & Pick<DueDelivery, "isTried" | "receiver">,
  { at, attempt }: { readonly at: DateTime.Utc; readonly attempt: "made" | "unsent" }
): Step<D> => {
  const { delivery: before, isTried, receiver } = claimed
  const after = attempt === "made" ? DeliveryMoves.takeBack(before, at) : DeliveryMoves.giveBack(before, at)
  const freed = unprobed(receiver, { leaseEnd: before.nextAttemptAt, at: after.nextAttemptAt })
  return {
    before,
    after,
    dispatcher: null,
    isTried,
    receiver: freed === receiver ? undefined : { before: receiver, after: freed }
  }
}

/** Due by then. */
export const release = <D extends DeliverySummary>(before: D, dueAt: DateTime.Utc): Step<D> => ({
  ...free,
  before,
  after: { ...before, nextAttemptAt: dueAt }
})

/** A person wants it tried now. */
export const tryNow = <D extends DeliverySummary>(before: D, at: DateTime.Utc): Step<D> => ({
  before,
  after: DeliveryMoves.tryNow(before, at),
  dispatcher: null,
  isTried: true
})

export const replay = <D extends DeliverySummary>(
  before: D,
  options: Parameters<typeof DeliveryMoves.replay>[1]
): Step<D> => ({ ...free, before, after: DeliveryMoves.replay(before, options) })

/** Why it fails and is tried again; null if it does not. */
export const failingBy = ({ lastCause, state }: DeliverySummary): DeliverySummary["lastCause"] =>
  state === "pending" ? lastCause : null
