/** Whether somebody may have a delivery tried right now. A pure rule; stores apply it to the locked delivery. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Delivery } from "./Delivery.ts"
import { type DeliveryOrder, isUnsent } from "./DeliveryOrder.ts"
import type { Standing } from "./DeliveryWait.ts"

/** Why it is not tried: it has come to its end; it is being sent; an event goes first that tells of an earlier change. */
export const NotTried = Schema.Literals(["settled", "sending", "earlier_event"])
export type NotTried = typeof NotTried.Type

/** Null when it may be tried. */
export const whyNotTried = (
  delivery: Delivery,
  { hasEarlier, isAttempted }: Pick<Standing, "hasEarlier" | "isAttempted">,
  { at, order }: { readonly at: DateTime.Utc; readonly order: DeliveryOrder }
): NotTried | null => {
  if (delivery.nextAttemptAt === null) return "settled"
  if (isAttempted && DateTime.isGreaterThan(delivery.nextAttemptAt, at)) return "sending"
  return order !== "none" && hasEarlier && isUnsent(delivery) ? "earlier_event" : null
}
