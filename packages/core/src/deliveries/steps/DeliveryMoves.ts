/**
 * The moves of a delivery: claim, settle, give up, replay. Pure functions, which `DeliverySteps` turns into what is
 * stored.
 */
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type { ReplayId } from "../../shared/Ids.ts"
import {
  type DeliveryAttempt,
  deliveryLifetime,
  type DeliveryState,
  type DeliverySummary
} from "../Delivery.ts"

/** What follows from an attempt. */
export type Verdict =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly nextAttemptAt: DateTime.Utc }
  | { readonly _tag: "Dead" }
  /** It can never be sent. */
  | { readonly _tag: "Cancelled" }

/** The error of a delivery that was given up without any attempt. */
export const expiredMessage = "not sent before it expired"

/** A dispatcher takes a due delivery and counts an attempt. A delivery past its lifetime is dead instead. */
export const claim = <D extends DeliverySummary>(
  delivery: D,
  { at, lease }: { readonly at: DateTime.Utc; readonly lease: Duration.Duration }
): D =>
  DateTime.isLessThanOrEqualTo(delivery.expiresAt, at)
    ? { ...delivery, ...settledAs("dead", at), ...lastOfExpired(delivery) }
    : {
        ...delivery,
        attempts: delivery.attempts + 1,
        attemptedAt: at,
        nextAttemptAt: DateTime.addDuration(at, lease)
      }

/** Keeps the result of the last attempt; if there was none, that is the error. */
const lastOfExpired = ({ lastError }: DeliverySummary): Partial<DeliverySummary> =>
  lastError === null ? { lastStatus: null, lastError: expiredMessage, lastCause: "expired" } : {}

/** Due at once: its dispatcher has ended, and nobody knows the result of the attempt. */
export const takeBack = <D extends DeliverySummary>(delivery: D, at: DateTime.Utc): D => ({
  ...delivery,
  nextAttemptAt: DateTime.min(delivery.nextAttemptAt ?? at, at)
})

/** Due at once: an operator wants to see whether it arrives. */
export const tryNow = <D extends DeliverySummary>(delivery: D, at: DateTime.Utc): D => ({
  ...delivery,
  nextAttemptAt: at
})

/** As it was before the claim: its dispatcher never heard of it. */
export const giveBack = <D extends DeliverySummary>(delivery: D, at: DateTime.Utc): D => ({
  ...takeBack(delivery, at),
  attempts: delivery.attempts - 1,
  attemptedAt: null
})

/** Whether an attempt is the latest of a delivery that nobody has settled. */
export const isLatestAttempt = (
  delivery: Pick<DeliverySummary, "state" | "round" | "attempts">,
  attempt: Pick<DeliveryAttempt, "round" | "number">
): boolean =>
  delivery.state === "pending" && delivery.round === attempt.round && delivery.attempts === attempt.number

/** The delivery after its latest attempt, which does not count if it was not made. */
export const settle = <D extends DeliverySummary>(
  delivery: D,
  {
    attempt,
    at,
    isUnmade = false,
    verdict
  }: {
    readonly attempt: DeliveryAttempt
    readonly isUnmade?: boolean | undefined
    readonly verdict: Verdict
    readonly at: DateTime.Utc
  }
): D =>
  isUnmade
    ? { ...giveBack(delivery, at), ...outcomeOf(verdict, at), ...lastOfUnmade(delivery, attempt, verdict) }
    : {
        ...delivery,
        ...outcomeOf(verdict, at),
        lastStatus: attempt.status,
        lastError: attempt.error,
        lastCause: attempt.cause
      }

/** Keeps the result of the last attempt; if there was none, or nothing follows, tells why there was no other. */
const lastOfUnmade = (
  { lastError }: DeliverySummary,
  { cause, error }: DeliveryAttempt,
  { _tag }: Verdict
): Partial<DeliverySummary> =>
  error === null || (_tag === "Retry" && lastError !== null) ? {} : { lastError: error, lastCause: cause }

const outcomeOf = (verdict: Verdict, at: DateTime.Utc): Partial<DeliverySummary> => {
  switch (verdict._tag) {
    case "Delivered":
      return settledAs("delivered", at)
    case "Retry":
      return { nextAttemptAt: verdict.nextAttemptAt }
    case "Dead":
      return settledAs("dead", at)
    case "Cancelled":
      return settledAs("cancelled", at)
  }
}

const settledAs = (state: DeliveryState, at: DateTime.Utc) => ({ state, nextAttemptAt: null, settledAt: at })

/**
 * A new round of attempts, due at once, with a lifetime of its own. The result of
 * the last round stays until the next attempt.
 */
export const replay = <D extends DeliverySummary>(
  delivery: D,
  { at, replayId = null }: { readonly at: DateTime.Utc; readonly replayId?: ReplayId | null }
): D => ({
  ...delivery,
  state: "pending",
  round: delivery.round + 1,
  replayId,
  attempts: 0,
  nextAttemptAt: at,
  expiresAt: DateTime.addDuration(at, deliveryLifetime),
  settledAt: null
})
