/** Observes how receivers fare, attempt by attempt, and tells operators when one fails and when it is back. */
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import type { Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { inWholeUnits } from "@runhook/core/engine/WholeDuration"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as WebhookMetrics from "../WebhookMetrics.ts"
import { signalOf } from "./AttemptSignal.ts"
import { moveAfter } from "./CircuitBreaker.ts"
import type { InFlight, Receiver } from "./Receiver.ts"

/** Counts an attempt for its receiver. Answers what it does to the receiver's breaker. */
export const observe = (
  { delivery, probeOf, receiver }: InFlight,
  { attempt, isUnmade, verdict }: Settlement,
  { at, random }: { readonly at: DateTime.Utc; readonly random: number }
): ReceiverMove | undefined => {
  receiver.record(signalOf(attempt), attempt.durationMs)
  // Others were in flight when it began to fail. What they tell is known by now.
  if (probeOf === null && receiver.isOpen(at.epochMilliseconds)) return undefined
  const isTest = delivery.type === "webhook.test"
  if (probeOf !== null && verdict._tag === "Cancelled" && attempt.cause === "blocked") {
    // A receiver that may not be called: what waits for it is to be cancelled as it falls due, not probe by probe.
    receiver.breakerMoved(null)
    return { _tag: "Close", openings: probeOf }
  }
  if (probeOf !== null && isUnmade === true) return { _tag: "Free", leaseEnd: delivery.nextAttemptAt }
  const move = moveAfter({ attempt, failures: receiver.failures, isTest, probeOf, at, random })
  if (move?._tag === "Open") receiver.breakerMoved(move.until)
  if (move?._tag === "Close") receiver.breakerMoved(null)
  return move
}

/** Names the origin alone: the path and query of a URL may hold a secret. */
export const tell = ({ name }: Receiver, move: ReceiverMove, at: DateTime.Utc): Effect.Effect<void> => {
  if (move._tag === "Pause" || move._tag === "Free") return Effect.void
  const isOpen = move._tag === "Open"
  const words = `The webhook receiver ${name.origin}`
  const log = !isOpen
    ? Effect.logInfo(`${words} is back`)
    : // Operators who were warned need not hear of each probe that fails.
      (move.openings === 1 ? Effect.logWarning : Effect.logDebug)(
        `${words} fails: it is left alone for ${inWholeUnits(DateTime.distance(at, move.until))}`
      )
  return Effect.andThen(
    Effect.annotateLogs(log, { account_id: name.accountId, ...(isOpen && { openings: move.openings }) }),
    WebhookMetrics.breakerChanged(isOpen ? "open" : "closed")
  )
}
