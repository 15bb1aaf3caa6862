/** Days of the calendar, as inputs have them, as moments of the API. Pure. */
import type { Zone } from "../../time/Zone.ts"

/** The first moment of a day such as `2026-11-22`; undefined when there is no such day. */
export const startOfDay = (day: string | undefined, zone: Zone): string | undefined =>
  momentOf(day, "T00:00:00.000", zone)

/** The last moment of a day. */
export const endOfDay = (day: string | undefined, zone: Zone): string | undefined =>
  momentOf(day, "T23:59:59.999", zone)

const momentOf = (day: string | undefined, time: string, zone: Zone): string | undefined => {
  const date = new Date(`${day}${time}${zone === "utc" ? "Z" : ""}`)
  return day === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
