/**
 * Whether a receiver may be sent to. Pure functions. A store keeps a state for each
 * receiver in trouble, and applies one of them per transaction.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { AccountId, EventId } from "../../shared/Ids.ts"
import { type Delivery, deliveryLifetime, destinationOf } from "../Delivery.ts"

/** All callback URLs of one account at one origin. */
export interface Receiver {
  readonly accountId: AccountId
  readonly origin: string
}

export const receiverOf = ({ accountId, url }: Pick<Delivery, "accountId" | "url">): Receiver => ({
  accountId,
  origin: destinationOf(url)
})

/** The same text for the same receiver. */
export const receiverKey = ({ accountId, origin }: Receiver): string => `${accountId} ${origin}`

export interface ReceiverState {
  /** How often the breaker opened since it last closed; 0 while it is closed. */
  readonly openings: number
  /** Nothing is sent before then: the breaker is open, the receiver is paused, or it is being probed. */
  readonly heldUntil: DateTime.Utc | null
  /** When its breaker last closed. */
  readonly closedAt: DateTime.Utc | null
}

/** Of a receiver that was never in trouble. */
export const untroubled: ReceiverState = { openings: 0, heldUntil: null, closedAt: null }

/** What an attempt changes about the receiver. */
export type ReceiverMove =
  /**
   * It fails: nothing is sent until then, and after that one delivery, the probe.
   * `openings` includes this opening.
   */
  | { readonly _tag: "Open"; readonly openings: number; readonly until: DateTime.Utc }
  /** It asked for a pause. */
  | { readonly _tag: "Pause"; readonly until: DateTime.Utc }
  /** The probe of that opening succeeded. */
  | { readonly _tag: "Close"; readonly openings: number }
  /** The probe with that lease ended without a request, so another may follow at once. */
  | { readonly _tag: "Free"; readonly leaseEnd: DateTime.Utc | null }

/** The state after a move. A no-op if another dispatcher has already made this move. */
export const moved = (state: ReceiverState, move: ReceiverMove, at: DateTime.Utc): ReceiverState => {
  switch (move._tag) {
    case "Open":
      return state.openings === move.openings - 1
        ? { openings: move.openings, heldUntil: move.until, closedAt: null }
        : state
    case "Pause":
      return { ...state, heldUntil: isHeld(state, move.until) ? state.heldUntil : move.until }
    case "Close":
      return state.openings === move.openings && move.openings > 0
        ? { openings: 0, heldUntil: null, closedAt: at }
        : state
    case "Free":
      return unprobed(state, { at, leaseEnd: move.leaseEnd })
  }
}

/** Whether nothing is sent to it for now. */
export const isHeld = ({ heldUntil }: ReceiverState, at: DateTime.Utc): boolean =>
  heldUntil !== null && DateTime.isGreaterThan(heldUntil, at)

/**
 * Whether the next delivery to it is a probe: the only one in flight until it has
 * settled or its lease has run out.
 */
export const isProbed = ({ openings }: ReceiverState): boolean => openings > 0

/** The state while a probe is in flight. */
export const probed = (
  state: ReceiverState,
  { at, lease }: { readonly at: DateTime.Utc; readonly lease: Duration.Duration }
): ReceiverState => ({ ...state, heldUntil: DateTime.addDuration(at, lease) })

/**
 * The state once a delivery with that lease is no longer claimed: if it was the
 * probe, another may be claimed.
 */
export const unprobed = (
  state: ReceiverState,
  { at, leaseEnd }: { readonly at: DateTime.Utc | null; readonly leaseEnd: DateTime.Utc | null }
): ReceiverState =>
  isProbed(state) && leaseEnd?.epochMilliseconds === state.heldUntil?.epochMilliseconds
    ? { ...state, heldUntil: at }
    : state

/** Seconds over which the backlog is released after the breaker closed. */
export const recoverySeconds = 30

/** The second of the recovery in which a delivery is released. */
export const sliceOf = (id: EventId): number => Number.parseInt(id.slice(-4), 16) % recoverySeconds

/** When its hold and its recovery are expected to end; null if it has neither. */
export const troubleEnd = ({ closedAt, heldUntil }: ReceiverState): DateTime.Utc | null => {
  const recovered = closedAt && DateTime.add(closedAt, { seconds: recoverySeconds })
  return recovered === null || heldUntil === null
    ? (recovered ?? heldUntil)
    : DateTime.max(recovered, heldUntil)
}

/** Whether part of the backlog is still waiting to be released after the breaker closed. */
export const isRecovering = ({ closedAt }: ReceiverState, at: DateTime.Utc): boolean =>
  closedAt !== null && DateTime.isLessThan(at, DateTime.add(closedAt, { seconds: recoverySeconds }))

/** When the next part of its backlog may be released; null while it does not recover. */
export const nextSlice = (state: ReceiverState, at: DateTime.Utc): DateTime.Utc | null => {
  if (state.closedAt === null || !isRecovering(state, at)) return null
  const passed = Duration.toSeconds(DateTime.distance(state.closedAt, at))
  return DateTime.add(state.closedAt, { seconds: Math.floor(passed) + 1 })
}

/**
 * Whether its trouble ended so long ago that no pending delivery can have met it; or,
 * while its breaker is open, nobody has probed it for so long that nothing waits for it.
 */
export const isForgotten = (state: ReceiverState, at: DateTime.Utc): boolean => {
  const last = isProbed(state) ? state.heldUntil : state.closedAt
  return (
    !isHeld(state, at) &&
    (last === null || DateTime.isLessThanOrEqualTo(DateTime.addDuration(last, deliveryLifetime), at))
  )
}

/** When the receiver lets a pending delivery be claimed; null if it is settled. */
export const dueAt = (
  { id, nextAttemptAt }: Pick<Delivery, "id" | "nextAttemptAt">,
  { closedAt, heldUntil }: ReceiverState
): DateTime.Utc | null => {
  if (nextAttemptAt === null) return null
  const hasWaited = closedAt !== null && DateTime.isLessThanOrEqualTo(nextAttemptAt, closedAt)
  const ownTime = hasWaited ? DateTime.add(closedAt, { seconds: sliceOf(id) }) : nextAttemptAt
  return heldUntil === null ? ownTime : DateTime.max(ownTime, heldUntil)
}
