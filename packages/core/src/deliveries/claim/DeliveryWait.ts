/**
 * What a delivery waits for, for people who ask why it has not arrived. A pure
 * rule; stores look up what it needs.
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Delivery } from "../Delivery.ts"
import { dueAt, isHeld, isProbed, type ReceiverState } from "./Receiver.ts"

export const WaitingFor = Schema.Literals([
  /** The wait after a failed attempt. */
  "backoff",
  /** The receiver's breaker is open: after a while it is probed, then gets its backlog bit by bit. */
  "breaker_open",
  /** An earlier event of the same execution. */
  "earlier_event",
  /** The receiver asked for a pause. */
  "paused",
  /** The result of the attempt in flight. */
  "sending"
])
export type WaitingFor = typeof WaitingFor.Type

/** Why a delivery waits, and until when. */
export interface Wait {
  /** Null if it is due, or settled. */
  readonly waitingFor: WaitingFor | null
  /** When it is sent next; while it is being sent, when that attempt counts as lost; null once settled. */
  readonly nextAttemptAt: DateTime.Utc | null
}

/** Of a settled delivery. */
export const noWait: Wait = { waitingFor: null, nextAttemptAt: null }

/** What a delivery's wait depends on besides itself. */
export interface WaitReasons {
  readonly receiver: ReceiverState
  /** Whether an earlier event of the same execution goes first, as it does until an attempt of this one has a result. */
  readonly hasEarlier: boolean
  /** Whether its latest attempt has no result yet. */
  readonly isAttempted: boolean
  /** Whether an operator wants it tried now, even if its receiver is held. */
  readonly isTried: boolean
}

/**
 * The longest wait decides: a retry in an hour waits for its time, even if its
 * receiver is held for a minute.
 */
export const waitOf = (
  delivery: Pick<Delivery, "id" | "nextAttemptAt">,
  { hasEarlier, isAttempted, isTried, receiver }: WaitReasons,
  at: DateTime.Utc
): Wait => {
  const { nextAttemptAt } = delivery
  const goesAt = isTried ? nextAttemptAt : dueAt(delivery, receiver)
  if (nextAttemptAt === null || goesAt === null) return noWait
  // Its dispatcher may hold both, and sends it after the other.
  if (isAttempted && DateTime.isGreaterThan(nextAttemptAt, at))
    return { waitingFor: hasEarlier ? "earlier_event" : "sending", nextAttemptAt }
  if (DateTime.isLessThanOrEqualTo(goesAt, at)) return { waitingFor: null, nextAttemptAt: goesAt }
  if (isHeld(receiver, DateTime.max(nextAttemptAt, at))) {
    return { waitingFor: isProbed(receiver) ? "breaker_open" : "paused", nextAttemptAt: goesAt }
  }
  // The breaker has closed, and this delivery's slice of the backlog is yet to come.
  if (DateTime.isGreaterThan(goesAt, nextAttemptAt))
    return { waitingFor: "breaker_open", nextAttemptAt: goesAt }
  return { waitingFor: hasEarlier ? "earlier_event" : "backoff", nextAttemptAt: goesAt }
}
