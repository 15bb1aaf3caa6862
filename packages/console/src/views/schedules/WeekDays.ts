/** The week behind and the week ahead of all schedules, by day. Pure. */
import type { AdminExecution, Schedule } from "@runhook/sdk/admin"
import type { Zone } from "../../time/Zone.ts"

export type Run = Pick<AdminExecution, "created_at" | "id" | "schedule_id" | "status">

/** What a schedule created, newest first, as far as it was asked for. */
export interface Ran {
  readonly runs: ReadonlyArray<Run>
  /** Whether there are earlier ones. */
  readonly isMore: boolean
}

type DueSchedule = Pick<Schedule, "created_at" | "id" | "name" | "next_at">

/** What one schedule does on one day. */
export interface DayEntry {
  readonly id: string
  readonly name: string
  /** What it created, oldest first. */
  readonly runs: ReadonlyArray<Run>
  /** Whether there may be earlier ones on this day. */
  readonly isCut: boolean
  readonly due: ReadonlyArray<string>
  /** Whether its due times go on: only the next ones are known. */
  readonly goesOn: boolean
}

export interface WeekDay {
  /** When it begins. */
  readonly at: Date
  readonly end: Date
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
  ran: ReadonlyMap<string, Ran>,
  { now, zone }: WeekOptions
): ReadonlyArray<WeekDay> =>
  Array.from({ length: 2 * daysAround + 1 }, (_, place) => {
    const by = place - daysAround
    const [at, end] = [dayStart(now, zone, by), dayStart(now, zone, by + 1)]
    const isOn = (instant: string) =>
      Date.parse(instant) >= at.getTime() && Date.parse(instant) < end.getTime()
    const entries = schedules.map(({ created_at, id, name, next_at }): DayEntry => {
      const { isMore = false, runs = [] } = ran.get(id) ?? {}
      const first = Date.parse(runs.at(-1)?.created_at ?? "")
      return {
        id,
        name,
        runs: runs.filter((run) => isOn(run.created_at)).toReversed(),
        isCut: isMore && first > at.getTime() && Date.parse(created_at) < end.getTime() && by <= 0,
        due: next_at.filter(isOn),
        goesOn: next_at.slice(toldMax - 1).some(isOn)
      }
    })
    return {
      at,
      end,
      by,
      entries: entries.filter(({ due, isCut, runs }) => isCut || due.length + runs.length > 0)
    }
  })
