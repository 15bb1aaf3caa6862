/** What a delivery waits for, for those who ask why it has not arrived. A pure rule; stores find out what it asks for. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Delivery } from "./Delivery.ts"
import { dueAt, isHeld, isProbed, type ReceiverState } from "./Receiver.ts"

export const WaitingFor = Schema.Literals([
  /** Time to pass after an attempt that failed. */
  "backoff",
  /** The receiver kept failing: it is left alone for a while, then probed, and gets what has waited bit by bit. */
  "breaker_open",
  /** The event before it of the same execution. */
  "earlier_event",
  /** The receiver asked for a pause. */
  "paused",
  /** The outcome of the attempt that is being made. */
  "sending"
])
export type WaitingFor = typeof WaitingFor.Type

/** How a delivery stands. */
export interface Wait {
  /** Null when it is due, or settled. */
  readonly waitingFor: WaitingFor | null
  /** When it is sent next, or is given up as lost while it is being sent; null once settled. */
  readonly nextAttemptAt: DateTime.Utc | null
}

/** Of a settled delivery. */
export const noWait: Wait = { waitingFor: null, nextAttemptAt: null }

/** What a delivery's wait depends on beside itself. */
export interface Standing {
  readonly receiver: ReceiverState
  /** Whether it is the turn of an earlier event of the same execution. */
  readonly hasEarlier: boolean
  /** Whether its latest attempt has no outcome yet. */
  readonly isAttempted: boolean
  /** Whether somebody wants it tried, whatever its receiver is held for. */
  readonly isTried: boolean
}

/** What waits longest decides: a retry in an hour waits for its time, though its receiver is held for a minute. */
export const waitOf = (
  delivery: Pick<Delivery, "id" | "attempts" | "nextAttemptAt">,
  { hasEarlier, isAttempted, isTried, receiver }: Standing,
  at: DateTime.Utc
): Wait => {
  const { attempts, nextAttemptAt } = delivery
  const goesAt = isTried ? nextAttemptAt : dueAt(delivery, receiver)
  if (nextAttemptAt === null || goesAt === null) return noWait
  if (isAttempted && DateTime.isGreaterThan(nextAttemptAt, at))
    return { waitingFor: "sending", nextAttemptAt }
  if (DateTime.isLessThanOrEqualTo(goesAt, at)) return { waitingFor: null, nextAttemptAt: goesAt }
  if (isHeld(receiver, DateTime.max(nextAttemptAt, at))) {
    return { waitingFor: isProbed(receiver) ? "breaker_open" : "paused", nextAttemptAt: goesAt }
  }
  // Its breaker has closed, and this one's slice of what waited is still to come.
  if (DateTime.isGreaterThan(goesAt, nextAttemptAt))
    return { waitingFor: "breaker_open", nextAttemptAt: goesAt }
  return { waitingFor: hasEarlier && attempts === 0 ? "earlier_event" : "backoff", nextAttemptAt: goesAt }
}
