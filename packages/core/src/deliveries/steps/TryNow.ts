/** Whether a delivery may be tried right now. A pure rule; stores apply it to the locked delivery. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { DeliverySummary } from "../Delivery.ts"
import type { WaitReasons } from "../claim/DeliveryWait.ts"

/** Why it may not: it is settled; it is being sent; an event of an earlier change goes first. */
export const NotTried = Schema.Literals(["settled", "sending", "earlier_event"])
export type NotTried = typeof NotTried.Type

/** Null if it may be tried. */
export const whyNotTried = (
  delivery: DeliverySummary,
  { hasEarlier, isAttempted }: Pick<WaitReasons, "hasEarlier" | "isAttempted">,
  at: DateTime.Utc
): NotTried | null => {
  if (delivery.nextAttemptAt === null) return "settled"
  if (hasEarlier) return "earlier_event"
  return isAttempted && DateTime.isGreaterThan(delivery.nextAttemptAt, at) ? "sending" : null
}

/** Why a delivery cannot be tried now, as the end of a sentence about it. */
export const notTriedWords: { readonly [Reason in NotTried]: string } = {
  settled: "is settled: a replay sends it again",
  sending: "is being sent at this moment",
  earlier_event: "waits for an earlier event of its execution, which goes first"
}
