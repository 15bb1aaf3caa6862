/**
 * The order in which events of one execution reach its receiver: the order of their
 * changes, which the execution counts under its lock. Ids and clocks play no part.
 * Each event waits until the earlier ones have had their turn. Pure functions; a
 * store holds back a delivery that is about to be claimed for the first time, and
 * releases it when a turn before it ends.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Order from "effect/Order"
import type { DispatcherId, EventId } from "../../shared/Ids.ts"
import type { DeliveryAttempt, DeliverySummary } from "../Delivery.ts"
import { isLatestAttempt } from "../steps/DeliveryMoves.ts"
import { isProbed, type ReceiverState, troubleEnd } from "./Receiver.ts"

/** `bounded`: each waits until the one before is settled or has used up its turn; `strict`: until it is settled; `none`: not at all. */
export type DeliveryOrder = "bounded" | "strict" | "none"

/** In `bounded` order, an event that its receiver has refused this often has used up its turn. */
export const refusalsWaited = 3

/**
 * So has an event that failed this often in any way. As many failures in a row open
 * the breaker of a receiver that is down, so this is for an event that never gets
 * an answer while others do.
 */
export const failuresWaited = 5

/** No turn is used up with fewer attempts. */
export const attemptsWaited = Math.min(refusalsWaited, failuresWaited)

/**
 * How soon an event whose attempt was lost is looked at again: no settlement releases it, since its claim may be
 * alive.
 */
const lostLookEvery = Duration.seconds(5)

/** Statuses of receivers that were absent or too busy to judge the event: these are no refusals. */
export const excuses: ReadonlyArray<number> = [429, 502, 503, 504]

/** Of two deliveries of an execution, the one of the earlier change comes first. */
export const byRevision: Order.Order<Pick<DeliverySummary, "id" | "revision">> = Order.combine(
  Order.mapInput(Order.Number, ({ revision }) => revision ?? 0),
  Order.mapInput(Order.String, ({ id }) => id)
)

/** Whether a delivery waits its turn and others wait for it. A replay does neither: its turn is over. */
export const hasTurn = ({ executionId, round, state }: DeliverySummary): boolean =>
  executionId !== null && round === 1 && state === "pending"

/**
 * Whether a delivery may still be held back: none of its attempts has a result. One
 * that was lost with its process may never have been made.
 */
export const isUnsent = (delivery: DeliverySummary): boolean =>
  hasTurn(delivery) && delivery.lastStatus === null && delivery.lastError === null

/** A delivery with a turn, its ended attempts, and who has claimed it. */
export interface Tried {
  readonly delivery: DeliverySummary
  readonly attempts: ReadonlyArray<Pick<DeliveryAttempt, "round" | "number" | "phase" | "status">>
  readonly dispatcher: DispatcherId | null
}

/** Whether a dispatcher has claimed it, for some time yet. */
export const isHeldBy = (
  { delivery: { nextAttemptAt }, dispatcher }: Tried,
  by: { readonly at: DateTime.Utc; readonly dispatcher: DispatcherId }
): boolean =>
  dispatcher === by.dispatcher && nextAttemptAt !== null && DateTime.isGreaterThan(nextAttemptAt, by.at)

export interface Circumstances {
  readonly order: DeliveryOrder
  /** The state of the receiver, which all events of an execution share. */
  readonly receiver: ReceiverState
  readonly at: DateTime.Utc
}

/**
 * Whether a pending delivery has had its chance. Never while it is being sent, even if its process is long dead; nor
 * while its receiver is held or probed, nor before it was tried again since.
 */
const hasUsedUpTurn = (
  { attempts, delivery }: Tried,
  { order, receiver }: Omit<Circumstances, "at">
): boolean => {
  if (order !== "bounded" || isProbed(receiver) || !wasTriedSince(delivery, receiver.closedAt)) return false
  const failures = attempts.filter(({ phase }) => phase !== "policy")
  return (
    attempts.some((attempt) => isLatestAttempt(delivery, attempt)) &&
    (failures.length >= failuresWaited || failures.filter(isRefusal).length >= refusalsWaited)
  )
}

const wasTriedSince = ({ attemptedAt }: DeliverySummary, time: DateTime.Utc | null): boolean =>
  time === null || (attemptedAt !== null && DateTime.isGreaterThan(attemptedAt, time))

const isRefusal = ({ phase, status }: Pick<DeliveryAttempt, "phase" | "status">): boolean =>
  phase === "done" && status !== null && !excuses.includes(status)

/** When the turn of later events begins, now or soon; null while one of these has its own. */
const turnAfter = (
  earlier: ReadonlyArray<Tried>,
  { at, order, receiver }: Circumstances
): DateTime.Utc | null => {
  if (order === "none" || earlier.length === 0) return at
  return earlier.every((each) => hasUsedUpTurn(each, { order, receiver }))
    ? DateTime.max(at, troubleEnd(receiver) ?? at)
    : null
}

/** Whether an event may be sent, and behind which other one; or until when it is held back. */
export interface Turn {
  readonly heldBackUntil: DateTime.Utc | null
  readonly behind: EventId | null
}

const free: Turn = { heldBackUntil: null, behind: null }

/**
 * Where an event that is about to be claimed stands among the earlier pending ones. Those that its claimer holds
 * itself do not hold it back: it goes behind the latest of them. Otherwise the end of the others' turn releases it;
 * the look after a lease is for the case that no process is left to do so.
 */
export const turnOf = (
  delivery: DeliverySummary,
  options: Circumstances & {
    readonly earlier: ReadonlyArray<Tried>
    readonly lease: Duration.Duration
    readonly isOwn: (event: Tried) => boolean
  }
): Turn => {
  const { at, earlier, isOwn, lease } = options
  if (!isUnsent(delivery)) return free
  const turn = turnAfter(earlier, options)
  if (turn !== null) return DateTime.isGreaterThan(turn, at) ? { ...free, heldBackUntil: turn } : free
  const holding = earlier.filter((each) => !hasUsedUpTurn(each, options))
  const first = holding.find((each) => !isOwn(each))
  if (first === undefined) return { ...free, behind: holding.at(-1)?.delivery.id ?? null }
  const again = DateTime.addDuration(at, delivery.attempts > 0 ? lostLookEvery : lease)
  const dueAt = delivery.attempts > 0 ? again : DateTime.max(again, first.delivery.nextAttemptAt ?? at)
  return { ...free, heldBackUntil: dueAt }
}

/**
 * Of an execution's pending deliveries, in their order, the one whose turn it is, if it was never claimed and waits
 * longer than necessary: with the time it waits until.
 */
export const released = <Event extends Tried>(
  pending: ReadonlyArray<Event>,
  circumstances: Circumstances
): { readonly next: Event; readonly dueAt: DateTime.Utc } | null => {
  const place = pending.findIndex((each) => !hasUsedUpTurn(each, circumstances))
  const next = pending[place]
  const dueAt = turnAfter(pending.slice(0, place), circumstances)
  if (next === undefined || dueAt === null || next.delivery.attempts > 0) return null
  const { nextAttemptAt } = next.delivery
  return nextAttemptAt !== null && DateTime.isGreaterThan(nextAttemptAt, dueAt) ? { next, dueAt } : null
}

/** Whether the turn of a delivery may be over with its latest attempt. */
export const mayEndTurn = ({ attempts, executionId, round, state }: DeliverySummary): boolean =>
  executionId !== null && round === 1 && (state !== "pending" || attempts >= attemptsWaited)
