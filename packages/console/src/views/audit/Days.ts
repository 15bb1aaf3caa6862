/** Calendar days of date inputs as instants of the API. Pure. */
import type { Zone } from "../../time/Zone.ts"

/** The start of a day such as `2026-11-22`; undefined if there is no such day. */
export const startOfDay = (day: string | undefined, zone: Zone): string | undefined =>
  momentOf(day, "T00:00:00.000", zone)

/** The end of a day. */
export const endOfDay = (day: string | undefined, zone: Zone): string | undefined =>
  momentOf(day, "T23:59:59.999", zone)

const momentOf = (day: string | undefined, time: string, zone: Zone): string | undefined => {
  const date = new Date(`${day}${time}${zone === "utc" ? "Z" : ""}`)
  return day === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
