/**
 * The due times of a cron expression in a time zone. They are moments, so no step of a clock repeats one.
 *
 * Where clocks are put forward, a time that they skip is due the moment after, once; where they are put back, a time
 * that they show twice is due the first time. With `*` as its hours, an expression goes by the hours that pass instead:
 * it is due in each of both hours, and not for the hour that is skipped.
 */
import * as Cron from "effect/Cron"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { parseFields } from "./CronFields.ts"
import { offsetsAround, shown, zoneOf } from "./TimeZone.ts"

export interface CronRule {
  /** In UTC, where it is a rule for walls. */
  readonly cron: Cron.Cron
  readonly zone: DateTime.TimeZone.Named
}

/** Longest expression in characters. */
export const cronLengthMax = 255

/** Which of both cannot be understood, and why. */
export interface CronProblem {
  readonly field: "cron" | "time_zone"
  readonly rule: string
}

export const cronRule = (expression: string, timeZone: string): Result.Result<CronRule, CronProblem> => {
  const zone = zoneOf(timeZone)
  if (zone === undefined) {
    return Result.fail({ field: "time_zone", rule: "must be a time zone, such as Europe/Berlin or UTC" })
  }
  return Result.match(parseFields(expression), {
    onFailure: (problem) => Result.fail<CronProblem>({ field: "cron", rule: problem }),
    onSuccess: (cron) =>
      isEverDue(cron)
        ? Result.succeed({ cron, zone })
        : Result.fail<CronProblem>({ field: "cron", rule: "names a day that no month has" })
  })
}

/** Its search gives up on a day such as February 30. */
const isEverDue = (cron: Cron.Cron): boolean => {
  try {
    Cron.next(cron, 0)
    return true
  } catch {
    return false
  }
}

/** When it is due by a wall, in order. */
const dueBy = ({ cron, zone }: CronRule, wall: number): ReadonlyArray<number> => {
  const goesByHours = cron.hours.size === 0
  const showing = shown(zone, wall)
  switch (showing._tag) {
    case "Once":
      return [showing.at]
    case "Twice":
      return goesByHours ? [showing.first, showing.second] : [showing.first]
    case "Never":
      return goesByHours ? [] : [showing.skippedAt]
  }
}

/** The first due time after a moment. */
export const cronAfter = (rule: CronRule, moment: number): number => {
  let wall = moment + Math.min(...offsetsAround(rule.zone, moment))
  let second: number | undefined
  for (;;) {
    wall = Cron.next(rule.cron, wall).getTime()
    const [first, ...again] = dueBy(rule, wall)
    // The first times that walls are shown rise with them, and so do the second times: the next is the first of either.
    second ??= again.find((at) => at > moment)
    if (first !== undefined && first > moment) return second === undefined ? first : Math.min(first, second)
  }
}

/** The last due time before a moment. */
export const cronBefore = (rule: CronRule, moment: number): number => {
  let wall = moment + Math.max(...offsetsAround(rule.zone, moment)) + 1_000
  let best: number | undefined
  for (;;) {
    wall = Cron.prev(rule.cron, wall).getTime()
    for (const at of dueBy(rule, wall)) if (at < moment) best = Math.max(best ?? at, at)
    // Nothing that an earlier wall is due by comes later than this.
    if (best !== undefined && wall - Math.min(...offsetsAround(rule.zone, wall)) <= best) return best
  }
}
