/** When a schedule is due, and what came of it, in words. Pure. */
import type { LastDue, Schedule } from "@runhook/sdk/admin"
import { durationWords } from "../../format/Amounts.ts"

type Timing = Pick<Schedule, "cron" | "every_seconds">

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

const dayWords = (of: string): string | undefined => {
  if (of === "*") return "every day"
  if (/^(?:1-5|MON-FRI)$/i.test(of)) return "Monday to Friday"
  return /^[0-7]$/.test(of) ? days[Number(of) % 7] : undefined
}

/** `every 5 min`, `every day at 02:30`, `Monday to Friday at 09:00`; any other expression as it is. */
export const timingWords = ({ cron, every_seconds }: Timing): string => {
  if (cron === null) return `every ${durationWords((every_seconds ?? 0) * 1_000)}`
  const [minute = "", hour = "", date, month, day = ""] = cron.trim().split(/\s+/)
  const isMinute = /^[0-5]?\d$/.test(minute)
  if (date !== "*" || month !== "*") return cron
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (hour === "*" && day === "*") {
    if (minute === "*") return "every minute"
    if (step !== undefined && 60 % Number(step) === 0) return `every ${step} min`
    return isMinute ? `every hour at :${minute.padStart(2, "0")}` : cron
  }
  const on = dayWords(day)
  return on !== undefined && isMinute && /^(?:[01]?\d|2[0-3])$/.test(hour)
    ? `${on} at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`
    : cron
}

/** A status whose look an outcome has, and its word. */
export const outcomeOf = (outcome: LastDue["outcome"]): readonly [look: string, word: string] =>
  outcomes[outcome] ?? ["untried", outcome]

const outcomes: { readonly [outcome: string]: readonly [look: string, word: string] } = {
  created: ["completed", "Created"],
  skipped: ["paused", "Skipped"],
  missed: ["open", "Missed"],
  refused: ["failed", "Refused"]
}

export const overlaps = [
  ["allow", "Begin another beside it"],
  ["skip", "Skip this due time"],
  ["cancel_running", "Cancel the earlier one"]
] as const

export const missedPolicies = [
  ["last", "Make up for the last one"],
  ["all", "Make up for all, the last 100 at most"],
  ["skip", "Leave them out"]
] as const

export const wordOf = (of: string, choices: ReadonlyArray<readonly [value: string, words: string]>): string =>
  choices.find(([value]) => value === of)?.[1] ?? of

/** Due times by the day that they are on, in a time zone. */
export const byDay = (
  times: ReadonlyArray<string>,
  timeZone: string
): ReadonlyArray<readonly [day: string, times: ReadonlyArray<string>]> => {
  const found = new Map<string, Array<string>>()
  const dayOf = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone
  })
  const timeOf = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone })
  for (const at of times.map((time) => new Date(time))) {
    const day = dayOf.format(at)
    found.set(day, [...(found.get(day) ?? []), timeOf.format(at)])
  }
  return [...found]
}
