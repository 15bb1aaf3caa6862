/** The week behind and the week ahead of all schedules, by day. Pure. */
import type { AdminExecution, Schedule } from "@runhook/sdk/admin"
import type { Zone } from "../../time/Zone.ts"

export type Run = Pick<AdminExecution, "created_at" | "id" | "schedule_id" | "status">

type DueSchedule = Pick<Schedule, "id" | "name" | "next_at">

/** What one schedule does on one day. */
export interface DayEntry {
  readonly id: string
  readonly name: string
  /** What it created, oldest first. */
  readonly runs: ReadonlyArray<Run>
  readonly due: ReadonlyArray<string>
  /** Whether its due times go on: only the next ones are known. */
  readonly goesOn: boolean
}

export interface WeekDay {
  /** When it begins. */
  readonly at: Date
  /** 0 is today. */
  readonly by: number
  readonly entries: ReadonlyArray<DayEntry>
}

/** Days behind today and ahead of it. */
export const daysAround = 6

/** Due times that the service tells of a schedule. */
export const toldMax = 5

/** When the day begins that is so many days after today. */
export const dayStart = (now: number, zone: Zone, by: number): Date => {
  const at = new Date(now)
  return zone === "utc"
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + by))
    : new Date(at.getFullYear(), at.getMonth(), at.getDate() + by)
}

export interface WeekOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly zone: Zone
}

/** Days on which nothing was done and nothing is due have no entries. */
export const weekOf = (
  schedules: ReadonlyArray<DueSchedule>,
  runs: ReadonlyArray<Run>,
  { now, zone }: WeekOptions
): ReadonlyArray<WeekDay> =>
  Array.from({ length: 2 * daysAround + 1 }, (_, place) => {
    const by = place - daysAround
    const [at, end] = [dayStart(now, zone, by), dayStart(now, zone, by + 1)]
    const isOn = (instant: string) =>
      Date.parse(instant) >= at.getTime() && Date.parse(instant) < end.getTime()
    const entries = schedules.map(({ id, name, next_at }): DayEntry => ({
      id,
      name,
      runs: runs.filter((run) => run.schedule_id === id && isOn(run.created_at)).toReversed(),
      due: next_at.filter(isOn),
      goesOn: next_at.slice(toldMax - 1).some(isOn)
    }))
    return { at, by, entries: entries.filter((entry) => entry.due.length + entry.runs.length > 0) }
  })
