/** Which times a schedule may have. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { InvalidField } from "../shared/Refusals.ts"
import { cronRule } from "./CronRule.ts"
import { dueAfter, type Schedule, type Timing } from "./Schedule.ts"

/** How many due times are compared with the shortest distance that they may have. */
const comparedMax = 10

const broken = (field: string, rule: string) => Result.fail(new InvalidField({ path: [field], rule }))

/** Whether all of it fits together, and is not closer than a service allows. */
export const checkTiming = (
  timing: Pick<Schedule, "jitterSeconds"> & Timing,
  { at, shortest }: { readonly at: DateTime.Utc; readonly shortest: Duration.Duration }
): Result.Result<void, InvalidField> => {
  const { cron, endsAt, everySeconds, jitterSeconds, startsAt, timeZone } = timing
  if (cron === null) {
    if (timeZone !== null) return broken("time_zone", "is for schedules with cron")
    if (everySeconds === null)
      return broken("cron", "is required with time_zone, or every_seconds in their place")
    if (jitterSeconds >= everySeconds) return broken("jitter_seconds", "must be less than every_seconds")
  } else {
    if (everySeconds !== null) return broken("every_seconds", "cannot be asked for together with cron")
    if (timeZone === null) return broken("time_zone", "is required with cron")
    const rule = cronRule(cron, timeZone)
    if (Result.isFailure(rule)) return broken(rule.failure.field, rule.failure.rule)
  }
  if (endsAt !== null && startsAt !== null && DateTime.isLessThanOrEqualTo(endsAt, startsAt)) {
    return broken("ends_at", "must be later than starts_at")
  }
  if (endsAt !== null && DateTime.isLessThanOrEqualTo(endsAt, at))
    return broken("ends_at", "must be in the future")
  return isCloserThan(timing, { at, shortest })
    ? broken(
        cron === null ? "every_seconds" : "cron",
        `must leave at least ${Duration.toSeconds(shortest)} seconds between due times on this service`
      )
    : Result.void
}

const isCloserThan = (
  timing: Timing,
  { at, shortest }: { readonly at: DateTime.Utc; readonly shortest: Duration.Duration }
): boolean => {
  let due = dueAfter(timing, at)
  for (let count = 0; due !== null && count < comparedMax; count++) {
    const next = dueAfter(timing, due)
    if (next !== null && Duration.isLessThan(DateTime.distance(due, next), shortest)) return true
    due = next
  }
  return false
}
