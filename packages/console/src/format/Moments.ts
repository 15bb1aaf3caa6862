/** Points in time as words: short for today, longer for other days. */
import type { Zone } from "../time/Zone.ts"

export interface MomentStyle {
  readonly zone: Zone
  /** Milliseconds since 1970: decides what is today. */
  readonly now: number
  /** With seconds, wherever the time of day is shown at all. */
  readonly isExact?: boolean
}

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: Zone, name: keyof typeof shapes): Intl.DateTimeFormat => {
  const key = `${zone} ${name}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-GB", {
    ...shapes[name],
    hourCycle: "h23",
    ...(zone === "utc" ? { timeZone: "UTC" } : {})
  })
  formats.set(key, made)
  return made
}

const shapes = {
  day: { day: "numeric", month: "short" },
  weekday: { weekday: "short", day: "numeric", month: "short" },
  year: { day: "numeric", month: "short", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit" },
  exact: { hour: "2-digit", minute: "2-digit", second: "2-digit" }
} as const

/** `02:13:51` of today, `19 Nov 01:58` of this year, `19 Nov 2025` before, or with the time when exact. */
export const momentWords = (at: Date, { isExact = false, now, zone }: MomentStyle): string => {
  if (Number.isNaN(at.getTime())) return "unknown"
  const ofYear = formatOf(zone, "year")
  const today = new Date(now)
  if (ofYear.format(at) === ofYear.format(today)) return formatOf(zone, "exact").format(at)
  const time = formatOf(zone, isExact ? "exact" : "time").format(at)
  if (ofYear.format(at).slice(-4) === ofYear.format(today).slice(-4)) {
    return `${formatOf(zone, "day").format(at)} ${time}`
  }
  return isExact ? `${ofYear.format(at)} ${time}` : ofYear.format(at)
}

/** `Mon, 16 Nov` */
export const weekdayWords = (at: Date, zone: Zone): string => formatOf(zone, "weekday").format(at)

/** `16 Nov`, or `12:00`. */
export const shortWords = (
  at: Date,
  { isTime, zone }: { readonly zone: Zone; readonly isTime: boolean }
): string => formatOf(zone, isTime ? "time" : "day").format(at)

/** The instant in UTC, as titles show it: `2026-11-22 01:13:51 UTC`. */
export const utcWords = (at: Date): string =>
  Number.isNaN(at.getTime())
    ? "unknown"
    : at
        .toISOString()
        .replace("T", " ")
        .replace(/(?:\.000)?Z$/, " UTC")

/** An instant as the value of an input, in the user's zone. */
export const localInput = (instant: string | null): string => {
  const at = new Date(instant ?? "")
  if (Number.isNaN(at.getTime())) return ""
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** A text, as from an address typed by hand, if it is an instant. */
export const momentIn = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text
