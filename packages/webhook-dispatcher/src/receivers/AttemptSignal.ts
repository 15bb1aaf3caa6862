/** What an attempt says about its receiver, whatever it means for the delivery. */
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"

/**
 * - `accepted`: it took the event.
 * - `rejected`: it answered that it does not want this event, so it is up.
 * - `broken`: it answered that it is broken.
 * - `overloaded`: it did not answer in full, or asked for less.
 * - `unreached`: it was not asked.
 */
export type AttemptSignal = "accepted" | "rejected" | "broken" | "overloaded" | "unreached"

/** Statuses by which a receiver asks for less. */
const asksForLess = new Set([429, 503])

export const signalOf = ({
  error,
  phase,
  status
}: Pick<DeliveryAttempt, "error" | "phase" | "status">): AttemptSignal => {
  if (error === null) return "accepted"
  if (phase === "policy") return "unreached"
  if (phase !== "done" || status === null || asksForLess.has(status)) return "overloaded"
  return status >= 500 ? "broken" : "rejected"
}
