/** What an attempt tells about the receiver, whatever it means for the delivery. */
import type { DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"

/**
 * - `well`: it took the event.
 * - `refusing`: it answered that it does not want this event, so it is there.
 * - `failing`: it answered that it is broken.
 * - `overwhelmed`: it did not answer in full, or asked for less.
 * - `silent`: it was not asked.
 */
export type AttemptSignal = "well" | "refusing" | "failing" | "overwhelmed" | "silent"

/** Statuses by which a receiver asks for less. */
const pleasForLess = new Set([429, 503])

export const receiverSignOf = ({
  error,
  phase,
  status
}: Pick<DeliveryAttempt, "error" | "phase" | "status">): AttemptSignal => {
  if (error === null) return "well"
  if (phase === "policy") return "silent"
  if (phase !== "done" || status === null || pleasForLess.has(status)) return "overwhelmed"
  return status >= 500 ? "failing" : "refusing"
}
