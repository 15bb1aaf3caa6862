/** The five fields of a cron expression, as Vixie cron reads them. */
import * as Cron from "effect/Cron"
import * as Result from "effect/Result"

/** First and last value of each, as numbers and by name: a range that goes backwards is written as two that meet there. */
const fields = [
  { name: "minute", numbers: ["0", "59"] },
  { name: "hour", numbers: ["0", "23"] },
  { name: "day of month", numbers: ["1", "31"] },
  { name: "month", numbers: ["1", "12"], names: ["jan", "dec"] },
  { name: "day of week", numbers: ["0", "6"], names: ["sun", "sat"] }
] as const

const weekday = fields.length - 1

type Field = (typeof fields)[number]

/** Sunday is 7 where a range ends, and 0 where one begins: `sat-sun` are two days, and so are `7-1`. */
const withSundays = (weekdays: string): string =>
  weekdays
    .replaceAll(/(?<=^|,)(?!(?:sun|0)-)([^,/-]+)-(?:sun|0)(?=[,/]|$)/gi, "$1-7")
    .replaceAll(/(?<=^|,)7-(?!7)/g, "0-")

/** Reads an expression; or answers why it cannot be read. */
export const parseFields = (expression: string): Result.Result<Cron.Cron, string> => {
  const texts = expression.trim().split(/\s+/)
  if (texts.length !== fields.length) {
    return Result.fail("must have five fields: minute, hour, day of month, month, day of week")
  }
  return Result.mapError(parse(texts), () => problemOf(texts))
}

const parse = (texts: ReadonlyArray<string>) =>
  Cron.parse(texts.map((text, place) => (place === weekday ? withSundays(text) : text)).join(" "), "UTC")

const problemOf = (texts: ReadonlyArray<string>): string => {
  for (const [place, field] of fields.entries()) {
    for (const part of (texts[place] ?? "").split(",")) {
      const parsed = parse(fields.map((_, other) => (other === place ? part : "*")))
      if (Result.isFailure(parsed)) return `${field.name} ${whyNot(field, part, parsed.failure.message)}`
    }
  }
  return "cannot be read"
}

const whyNot = (field: Field, part: string, said: string): string => {
  const [, from, to, step = ""] = /^([^/-]+)-([^/]+)(\/.*)?$/.exec(part) ?? []
  if (said !== "Invalid value range" || from === undefined || to === undefined) {
    return `cannot be read: ${said.toLowerCase()}, got ${part}`
  }
  const isNamed = "names" in field && /[a-z]/i.test(part)
  const [first, last] = isNamed ? field.names : field.numbers
  return `has a range that goes backwards: write ${from}-${last}${step},${first}-${to}${step} in place of ${part}`
}
