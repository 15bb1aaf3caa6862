/** How long what is over is kept. Pure functions. */
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type { Delivery } from "./Delivery.ts"

/** How long deliveries are kept after they were settled. */
export interface Retention {
  /** Delivered ones, and those that an operator has cancelled. */
  readonly delivered: Duration.Duration
  readonly dead: Duration.Duration
}

/** When a delivery is forgotten; null while it is pending. */
export const forgottenAt = (
  { settledAt, state }: Pick<Delivery, "settledAt" | "state">,
  { dead, delivered }: Retention
): DateTime.Utc | null => settledAt && DateTime.addDuration(settledAt, state === "dead" ? dead : delivered)
