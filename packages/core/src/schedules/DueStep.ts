/** What is to be done about a schedule at a moment. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { dueAfter, dueBetween, firesAt, jitterSecondsMax, type Schedule } from "./Schedule.ts"

/** A due time later than this is missed, and treated by policy. Any other gets its execution, only a little late. */
export const lateAfter = Duration.seconds(60)

/** How many due times are made up for at most: the latest. */
export const madeUpMax = 100

/** Those of the last due times that may still be waiting for their jitter: cron expressions are due at most once a minute. */
const waitingMax = jitterSecondsMax / 60

export interface DueStep {
  readonly due: DateTime.Utc
  /** The due time after it that something is to come of. */
  readonly nextAt: DateTime.Utc | null
  /** Whether nothing is to come of it, nor of those that were due before. */
  readonly isMissed: boolean
}

/** The next step of a schedule; null when it is not due. One at a time, so that none holds up the others. */
export const dueStep = (schedule: Schedule, at: DateTime.Utc): DueStep | null => {
  const { missed, nextAt } = schedule
  if (nextAt === null || DateTime.isLessThan(at, nextAt)) return null
  const from = DateTime.add(nextAt, { milliseconds: 1 })
  // The one that is kept counts, even if its rule no longer has it, since a zone has other rules by now.
  const passed = [nextAt, ...dueBetween(schedule, { from, until: at, limit: madeUpMax + waitingMax })]
  const waiting = passed.findIndex((due) => DateTime.isGreaterThan(firesAt(schedule, due), at))
  const pending = passed.slice(0, waiting === -1 ? passed.length : waiting).slice(-madeUpMax)
  const last = pending.at(-1)
  if (last === undefined) return null
  const isLate = (due: DateTime.Utc) =>
    DateTime.isGreaterThan(at, DateTime.addDuration(firesAt(schedule, due), lateAfter))
  const inTime = pending.filter((due) => !isLate(due))
  const wanted = missed === "all" ? pending : missed === "last" && inTime.length === 0 ? [last] : inTime
  const [due, next] = wanted
  return due === undefined
    ? { due: last, nextAt: dueAfter(schedule, last), isMissed: true }
    : { due, nextAt: next ?? dueAfter(schedule, due), isMissed: false }
}
