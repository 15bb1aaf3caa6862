/**
 * In which order the events of one execution reach its receiver: each waits
 * until those before it are settled. Pure functions; a store holds back what
 * is about to be claimed for the first time, and releases it when it settles
 * what that waited for.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { Delivery } from "./Delivery.ts"

/** `bounded`: for `orderWaitMax` at most; `strict`: however long that takes; `none`: not at all. */
export type DeliveryOrder = "bounded" | "strict" | "none"

/** In `bounded` order, from then after its change an event waits for no other. */
export const orderWaitMax = Duration.seconds(30)

/** In `strict` order, what waits is looked at again no sooner. */
export const orderRecheck = Duration.seconds(1)

/** Whether a delivery waits its turn, and others wait for it. A replay does neither: its turn has been. */
export const hasTurn = ({ executionId, round, state }: Delivery): boolean =>
  executionId !== null && round === 1 && state === "pending"

/** Whether a delivery may still be held back. */
export const isUnsent = (delivery: Delivery): boolean => hasTurn(delivery) && delivery.attempts === 0

/** Until when a delivery is held back by the pending one before it; null when it is not. */
export const heldBackUntil = (
  delivery: Delivery,
  options: {
    readonly order: DeliveryOrder
    readonly earlier: Delivery | undefined
    readonly at: DateTime.Utc
  }
): DateTime.Utc | null => {
  const { at, earlier, order } = options
  if (order === "none" || earlier === undefined || !isUnsent(delivery)) return null
  if (order === "strict") {
    return DateTime.max(DateTime.addDuration(at, orderRecheck), earlier.nextAttemptAt ?? at)
  }
  const end = DateTime.addDuration(delivery.createdAt, orderWaitMax)
  return DateTime.isGreaterThan(end, at) ? end : null
}
