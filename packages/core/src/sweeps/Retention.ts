/** How long finished things are kept. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { Account } from "../accounts/Account.ts"
import type { Delivery, DeliveryState } from "../deliveries/Delivery.ts"
import { lowestIdAt } from "../shared/Ids.ts"

/** How long deliveries are kept after they were settled, entries of the audit log after they were made, and executions after their end. */
export interface Retention {
  /** For ever unless given, or unless the account has its own `retentionDays`. Not shorter than idempotency keys are remembered. */
  readonly executions?: Duration.Duration | undefined
  /** Delivered ones, and those that an operator has cancelled. */
  readonly delivered: Duration.Duration
  readonly dead: Duration.Duration
  /** `auditKept` unless given. */
  readonly audit?: Duration.Duration
  /** Counts of usage: `countsKept` unless given. */
  readonly counts?: Duration.Duration
  /** How long after its end an attempt may still deliver artifacts: not at all unless given. */
  readonly finalize?: Duration.Duration
}

/** A month for what arrived, and a quarter for what may still be replayed. */
export const retentionDefault: Retention = { delivered: Duration.days(30), dead: Duration.days(90) }

/** As long as idempotency keys are remembered. */
export const retentionDaysMin = 7
export const retentionDaysMax = 36_500

/** Executions of an account that ended by then are pruned at `at`; null when it keeps all. */
export const executionsKeptSince = (
  { executions }: Retention,
  { retentionDays }: Pick<Account, "retentionDays">,
  at: DateTime.Utc
): DateTime.Utc | null => {
  const kept = retentionDays === null ? executions : Duration.days(retentionDays)
  return kept === undefined ? null : DateTime.subtractDuration(at, kept)
}

/** All callbacks of an execution have to be in one of these before it is pruned: what is dead may still be replayed. */
export const prunableWith: ReadonlyArray<DeliveryState> = ["cancelled", "delivered"]

/**
 * How long after its removal an account is erased. Processes remember accounts and keys for two seconds, and requests
 * that they let in meanwhile have long ended by then: so nothing is created of what was erased.
 */
export const erasedAfter = Duration.minutes(10)

/** A year and a month: what happened at last year's close can be looked up at this year's. */
export const auditKept = Duration.days(400)

/** Entries of the audit log before this id are pruned at `at`. */
export const auditKeptSince = ({ audit = auditKept }: Retention, at: DateTime.Utc): string =>
  lowestIdAt(DateTime.add(DateTime.subtractDuration(at, audit), { milliseconds: 1 }))

/** As long as entries of the audit log. */
export const countsKept = Duration.days(400)

/** Hourly counts of usage, of which only the last month is ever shown, unless daily ones are kept for less. */
export const hoursKept = ({ counts = countsKept }: Retention): Duration.Duration =>
  Duration.min(Duration.days(32), counts)

/** Counts of receivers: only a day is ever shown. */
export const receiversKept = Duration.hours(26)

/** When a delivery is pruned; null while it is pending. */
export const forgottenAt = (
  { settledAt, state }: Pick<Delivery, "settledAt" | "state">,
  { dead, delivered }: Retention
): DateTime.Utc | null => settledAt && DateTime.addDuration(settledAt, state === "dead" ? dead : delivered)
