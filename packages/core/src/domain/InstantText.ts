/**
 * Instants as the service shows them: `2026-03-07T09:30:00.000Z`, the text that
 * `DateTime.formatIso` gives. A page of a list shows hundreds of them, and this
 * takes a fifth of the time.
 */
import * as DateTime from "effect/DateTime"

const dayMillis = 86_400_000

/** Between them a year is four digits. */
const earliest = Date.parse("0000-01-01T00:00:00.000Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")

const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))
const three = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"))

export const instantText = (instant: DateTime.Utc): string => {
  const millis = instant.epochMilliseconds
  if (!Number.isInteger(millis) || millis < earliest || millis > latest) return DateTime.formatIso(instant)
  const day = Math.floor(millis / dayMillis)
  const ofDay = millis - day * dayMillis
  const seconds = Math.floor(ofDay / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${dateText(day)}T${two[hours]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[ofDay % 1000]}Z`
}

/**
 * The date of a day counted from 1970-01-01. Years are counted from March, so that a leap day is the
 * last of its year, and in rounds of 400 years, after which the calendar repeats.
 */
const dateText = (day: number): string => {
  const shifted = day + 719_468
  const round = Math.floor(shifted / 146_097)
  const ofRound = shifted - round * 146_097
  const yearOfRound = Math.floor(
    (ofRound - Math.floor(ofRound / 1460) + Math.floor(ofRound / 36_524) - Math.floor(ofRound / 146_096)) /
      365
  )
  const ofYear = ofRound - (365 * yearOfRound + Math.floor(yearOfRound / 4) - Math.floor(yearOfRound / 100))
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153)
  const dayOfMonth = ofYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = round * 400 + yearOfRound + (month <= 2 ? 1 : 0)
  return `${two[Math.floor(year / 100)]}${two[year % 100]}-${two[month]}-${two[dayOfMonth]}`
}
