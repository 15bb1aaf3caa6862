/** How long finished things are kept. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { Delivery } from "./delivery/Delivery.ts"
import { lowestIdAt } from "./Ids.ts"

/** How long deliveries are kept after they were settled, and entries of the audit log after they were made. */
export interface Retention {
  /** Delivered ones, and those that an operator has cancelled. */
  readonly delivered: Duration.Duration
  readonly dead: Duration.Duration
  /** `auditKept` unless given. */
  readonly audit?: Duration.Duration
}

/** A year and a month: what happened at last year's close can be looked up at this year's. */
export const auditKept = Duration.days(400)

/** Entries of the audit log before this id are pruned at `at`. */
export const auditKeptSince = ({ audit = auditKept }: Retention, at: DateTime.Utc): string =>
  lowestIdAt(DateTime.add(DateTime.subtractDuration(at, audit), { milliseconds: 1 }))

/** When a delivery is pruned; null while it is pending. */
export const forgottenAt = (
  { settledAt, state }: Pick<Delivery, "settledAt" | "state">,
  { dead, delivered }: Retention
): DateTime.Utc | null => settledAt && DateTime.addDuration(settledAt, state === "dead" ? dead : delivered)
