/** Where alerts are sent: to a URL or to a mailbox, of an account or of the operator. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { AccountId, AlertTargetId } from "../shared/Ids.ts"
import { type Alert, AlertKind } from "./Alert.ts"

/** Targets of an account, and of the operator. */
export const targetsMax = 10

/** At most one message goes to a target in this time. */
export const messageEvery = Duration.minutes(5)

/** What is still wrong is said again after this time. */
export const remindEvery = Duration.hours(12)

export const AlertChannel = Schema.Literals(["webhook", "email"])
export type AlertChannel = typeof AlertChannel.Type

/** What a target was told of an open alert, by `alertKey`: when that was opened, and when it was last named. In milliseconds. */
export const ToldAlerts = Schema.Record(Schema.String, Schema.Struct({ opened: Schema.Int, at: Schema.Int }))
export type ToldAlerts = typeof ToldAlerts.Type

export const AlertTarget = Schema.Struct({
  id: AlertTargetId,
  /** Null: the operator's, for the alerts of all accounts. */
  accountId: Schema.NullOr(AccountId),
  channel: AlertChannel,
  /** The URL, or the mailbox. */
  address: Schema.String,
  kinds: Schema.Array(AlertKind),
  pausedUntil: Schema.NullOr(Schema.DateTimeUtc),
  /** The sealed signing secret; null for a mailbox. */
  ciphertext: Schema.NullOr(Schema.String),
  told: ToldAlerts,
  /** Rises with each attempt. */
  attempts: Schema.Int,
  /** Attempts in a row that failed. */
  failures: Schema.Int,
  /** Nothing is sent before. */
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  lastSentAt: Schema.NullOr(Schema.DateTimeUtc),
  lastError: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type AlertTarget = typeof AlertTarget.Type

/** A target that nothing was sent to. */
export const newTarget = (
  given: Pick<
    AlertTarget,
    "accountId" | "address" | "channel" | "ciphertext" | "createdAt" | "id" | "kinds" | "pausedUntil"
  >
): AlertTarget => ({
  ...given,
  told: {},
  attempts: 0,
  failures: 0,
  nextAttemptAt: null,
  lastSentAt: null,
  lastError: null,
  updatedAt: given.createdAt
})

/** What can be changed about a target. */
export type AlertTargetChange = Partial<Pick<AlertTarget, "kinds" | "pausedUntil">>

const isAt = (at: DateTime.Utc, moment: DateTime.Utc | null): boolean =>
  moment === null || DateTime.isGreaterThanOrEqualTo(at, moment)

/** Whether something may be sent to it now. */
export const isReady = ({ nextAttemptAt, pausedUntil }: AlertTarget, at: DateTime.Utc): boolean =>
  isAt(at, pausedUntil) && isAt(at, nextAttemptAt)

/** Those that something may be sent to now. First those that took the last message: the others may use up all time. */
export const readyAt = (targets: ReadonlyArray<AlertTarget>, at: DateTime.Utc): ReadonlyArray<AlertTarget> =>
  targets.filter((target) => isReady(target, at)).toSorted((one, other) => one.failures - other.failures)

/** Whether it wants to know of an alert. */
export const concerns = (target: Pick<AlertTarget, "accountId" | "kinds">, alert: Alert): boolean =>
  (target.accountId === null || target.accountId === alert.accountId) && target.kinds.includes(alert.kind)

/** Failed attempts are made again after one minute, then two, and so on; at least once an hour. */
const retryAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.minutes(2 ** Math.min(failures - 1, 10)), Duration.hours(1))

/** The outcome of an attempt. */
export type Sent = Pick<AlertTarget, "failures" | "lastError" | "lastSentAt" | "nextAttemptAt" | "told">

/** What an attempt leaves: `error` says why it failed, null that it was taken. */
export const afterAttempt = (
  target: AlertTarget,
  { at, error, told }: { readonly told: ToldAlerts; readonly error: string | null; readonly at: DateTime.Utc }
): Sent => {
  if (error === null) {
    const nextAttemptAt = DateTime.addDuration(at, messageEvery)
    return { told, failures: 0, lastError: null, lastSentAt: at, nextAttemptAt }
  }
  const failures = target.failures + 1
  const nextAttemptAt = DateTime.addDuration(at, retryAfter(failures))
  return { told: target.told, failures, lastError: error, lastSentAt: target.lastSentAt, nextAttemptAt }
}
