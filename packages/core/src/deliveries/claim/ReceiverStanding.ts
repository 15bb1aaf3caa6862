/** The state of a receiver, as people see it. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import type { AttemptCause } from "../steps/AttemptCause.ts"
import { isHeld, isProbed, isRecovering, type ReceiverState } from "./Receiver.ts"

/**
 * - `open`: the breaker is open; nothing is sent but a probe now and then.
 * - `failing`: the last attempt failed.
 * - `paused`: it asked for a pause.
 * - `recovering`: it is back, and its backlog is released bit by bit.
 * - `untried`: nothing was sent to it yet.
 */
export const ReceiverStanding = Schema.Literals([
  "open",
  "failing",
  "paused",
  "recovering",
  "untried",
  "healthy"
])
export type ReceiverStanding = typeof ReceiverStanding.Type

/** The last attempt that failed. */
export interface LastFailure {
  readonly at: DateTime.Utc
  readonly cause: AttemptCause | null
  readonly status: number | null
}

/** How the last attempts ended; null where there was none. */
interface Ends {
  readonly lastSuccessAt: DateTime.Utc | null
  readonly lastFailure: LastFailure | null
}

/** The later of each, for two accounts of one receiver. */
export const laterAttempts = <Attempts extends Ends>(one: Attempts, other: Attempts): Attempts => ({
  ...one,
  lastSuccessAt: later(one.lastSuccessAt, other.lastSuccessAt),
  lastFailure:
    one.lastFailure === null ||
    later(one.lastFailure.at, other.lastFailure?.at ?? null) !== one.lastFailure.at
      ? other.lastFailure
      : one.lastFailure
})

const later = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null || (other !== null && DateTime.isGreaterThan(other, one)) ? other : one

/** What is known of a receiver. Waiting and dead deliveries are counted up to a bound. */
export interface ReceiverRecord extends Ends {
  readonly origin: string
  readonly state: ReceiverState
  /** In the last 24 hours. */
  readonly delivered: number
  /** Attempts in the last 24 hours that failed. */
  readonly failed: number
  readonly waiting: number
  readonly dead: number
}

export const standingOf = (
  { lastFailure, lastSuccessAt, state }: Pick<ReceiverRecord, "lastFailure" | "lastSuccessAt" | "state">,
  at: DateTime.Utc
): ReceiverStanding => {
  if (isProbed(state)) return "open"
  if (isHeld(state, at)) return "paused"
  if (isRecovering(state, at)) return "recovering"
  if (lastFailure === null) return lastSuccessAt === null ? "untried" : "healthy"
  return lastSuccessAt === null || lastSuccessAt.epochMilliseconds < lastFailure.at.epochMilliseconds
    ? "failing"
    : "healthy"
}

/** Worst first: by state, then by waiting and dead deliveries. */
export const worstFirst = (at: DateTime.Utc): Order.Order<ReceiverRecord> =>
  Order.combineAll([
    Order.mapInput(Order.Number, (receiver: ReceiverRecord) =>
      ReceiverStanding.literals.indexOf(standingOf(receiver, at))
    ),
    Order.mapInput(Order.flip(Order.Number), ({ dead, waiting }: ReceiverRecord) => dead + waiting),
    Order.mapInput(Order.flip(Order.Number), ({ delivered, failed }: ReceiverRecord) => delivered + failed),
    Order.mapInput(Order.String, ({ origin }: ReceiverRecord) => origin)
  ])
