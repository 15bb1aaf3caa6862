/**
 * Instants as the service shows them: `2026-03-07T09:30:00.000Z`, the text of
 * `DateTime.formatIso`. A page of a list shows hundreds of them, mostly of one day,
 * and this takes a quarter of the time.
 */
import * as DateTime from "effect/DateTime"

const dayMillis = 86_400_000

/** Between these two, a year has four digits. */
const earliest = Date.parse("0000-01-01T00:00:00.000Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")

const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))
const three = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"))

/** The last day that was asked for, counted from 1970-01-01, and its text. */
let last = { day: Number.NaN, text: "" }

export const instantText = (instant: DateTime.Utc): string => {
  const millis = instant.epochMilliseconds
  if (!Number.isInteger(millis) || millis < earliest || millis > latest) return DateTime.formatIso(instant)
  const day = Math.floor(millis / dayMillis)
  if (day !== last.day) last = { day, text: DateTime.formatIso(instant).slice(0, "0000-00-00T".length) }
  const ofDay = millis - day * dayMillis
  const seconds = Math.trunc(ofDay / 1000)
  const minutes = Math.trunc(seconds / 60)
  const hours = Math.trunc(minutes / 60)
  return `${last.text}${two[hours]}:${two[minutes - hours * 60]}:${two[seconds - minutes * 60]}.${three[ofDay - seconds * 1000]}Z`
}
