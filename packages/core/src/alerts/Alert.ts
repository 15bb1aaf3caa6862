/** Alerts: what is wrong in an account, from the moment it is reported until it is over. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { AccountId } from "../shared/Ids.ts"

/**
 * - `dead_letters`: callbacks were given up.
 * - `receiver_held`: a receiver has been left alone for an hour, and callbacks wait for it.
 * - `no_runner`: work waits for an agent that no runner serves.
 * - `failing_rate`: of a task's executions, at least half fail.
 */
export const AlertKind = Schema.Literals(["dead_letters", "receiver_held", "no_runner", "failing_rate"])
export type AlertKind = typeof AlertKind.Type

/** How long something must be wrong before somebody is told. */
export const heldFor = Duration.hours(1)

/** Work that has been due for this long should have been taken. */
export const unservedFor = Duration.minutes(5)

/** Fewer ends say nothing about a task. */
export const endsMin = 10

/** What is wrong is over when looks have not seen it for so long. Time without looks does not count. */
export const quietFor = Duration.minutes(5)

/** Alerts that are over are shown for so long. */
export const keptFor = Duration.days(7)

/** Things of one kind that a look names, in one account and in all: those that are cut off are not over. */
export const namedMax = { ofAccount: 20, ofAll: 500 }

/** Things of one kind are counted up to this in one look. */
export const troubleCountsTo = 1_000

/** What a look finds wrong. */
export interface Trouble {
  readonly accountId: AccountId
  readonly kind: AlertKind
  /** Of its kind in its account: an origin, or the id of an agent or a task; empty for the account itself. */
  readonly subject: string
  /** The subject as people call it. For dead letters: the receivers that have most of them. */
  readonly name: string
  /** Dead callbacks, waiting callbacks, waiting executions, or failed executions. */
  readonly count: number
  /** Since when, where the look can tell. */
  readonly since: DateTime.Utc | null
}

/** What a look found wrong. While a node of the database is away it is not whole: what is missing may still be wrong. */
export interface TroubleLook {
  readonly troubles: ReadonlyArray<Trouble>
  readonly isWhole: boolean
}

export const Alert = Schema.Struct({
  accountId: AccountId,
  kind: AlertKind,
  subject: Schema.String,
  name: Schema.String,
  count: Schema.Int,
  since: Schema.DateTimeUtc,
  /** When a look saw it first. */
  seenAt: Schema.DateTimeUtc,
  /** When a look missed it, and none has seen it since; null while it is seen. What lasts is not written at each look. */
  missedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Null while it is not certain yet. */
  openedAt: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type Alert = typeof Alert.Type

type Key = Pick<Alert, "accountId" | "kind" | "subject">

/** The same text for the same trouble. */
export const alertKey = ({ accountId, kind, subject }: Key): string => `${accountId} ${kind} ${subject}`

/** Whether it is reported. */
export const isOpen = ({ closedAt, openedAt }: Alert): boolean => openedAt !== null && closedAt === null

/** What of a task's executions ended in an hour. */
export interface Ends {
  readonly completed: number
  readonly failed: number
}

/** Whether at least half fail: of this hour's ends, or, while these are few, of those of the hour before as well. */
export const isFailing = (now: Ends, before: Ends): boolean => {
  const isMany = now.completed + now.failed >= endsMin
  const failed = now.failed + (isMany ? 0 : before.failed)
  const ends = failed + now.completed + (isMany ? 0 : before.completed)
  return ends >= endsMin && failed * 2 >= ends
}

const isPast = (at: DateTime.Utc, since: DateTime.Utc, by: Duration.Duration): boolean =>
  DateTime.isGreaterThanOrEqualTo(at, DateTime.addDuration(since, by))

const seen = (known: Alert | undefined, trouble: Trouble, at: DateTime.Utc): Alert => {
  const { since, ...told } = trouble
  const before = known?.closedAt === null ? known : undefined
  const seenAt = before?.seenAt ?? at
  const isCertain = trouble.kind !== "receiver_held" || isPast(at, seenAt, heldFor)
  return {
    ...told,
    since: before?.since ?? since ?? at,
    seenAt,
    missedAt: null,
    openedAt: before?.openedAt ?? (isCertain ? at : null),
    closedAt: null
  }
}

/** What is left of an alert that a look has not seen: null if it can be forgotten. */
const unseen = (alert: Alert, at: DateTime.Utc): Alert | null => {
  if (alert.closedAt !== null) return isPast(at, alert.closedAt, keptFor) ? null : alert
  const missed = alert.missedAt === null ? { ...alert, missedAt: at } : alert
  if (!isPast(at, missed.missedAt ?? at, quietFor)) return missed
  return alert.openedAt === null ? null : { ...missed, closedAt: at }
}

/** The alerts after a look. What a look had to cut off, or could not see, stays as it is. */
export const afterLook = (
  known: ReadonlyArray<Alert>,
  { isWhole, troubles }: TroubleLook,
  at: DateTime.Utc
): ReadonlyArray<Alert> => {
  const byKey = new Map(known.map((alert) => [alertKey(alert), alert]))
  const found = new Set(troubles.map(alertKey))
  const isCut = ({ accountId, kind }: Alert): boolean => {
    const ofKind = troubles.filter((trouble) => trouble.kind === kind)
    return (
      ofKind.length >= namedMax.ofAll ||
      ofKind.filter((trouble) => trouble.accountId === accountId).length >= namedMax.ofAccount
    )
  }
  const others = known.flatMap((alert) => {
    if (found.has(alertKey(alert))) return []
    const left = alert.closedAt === null && (!isWhole || isCut(alert)) ? alert : unseen(alert, at)
    return left === null ? [] : [left]
  })
  return [...troubles.map((trouble) => seen(byKey.get(alertKey(trouble)), trouble, at)), ...others]
}
