import { assert, describe, it } from "@effect/vitest"
import { parseFields } from "@runhook/core/schedules/CronFields"
import * as Arbitrary from "effect/Arbitrary"
import * as Cron from "effect/Cron"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const day = 86_400_000

/** Days of two years, one of them a leap year, at midnight. */
const days = Array.from({ length: 731 }, (_, place) => Date.UTC(2027, 0, 1) + place * day)

const dueDays = (expression: string): ReadonlyArray<number> => {
  const cron = Result.getOrThrow(parseFields(expression))
  const found: Array<number> = []
  const end = days.at(-1) ?? 0
  for (let at = Cron.next(cron, (days[0] ?? 0) - 1).getTime(); at <= end; at = Cron.next(cron, at).getTime())
    found.push(at)
  return found
}

/** A part of a field, as text, and as the values that it stands for. */
interface Part {
  readonly text: string
  readonly values: ReadonlyArray<number>
}

const between = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, place) => from + place * step)

const partOf = (last: number) =>
  Arbitrary.map(
    Arbitrary.schema(
      Schema.Struct({
        from: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: last })),
        to: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: last })),
        step: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
        form: Schema.Literals(["one", "range", "stepped", "any", "every"])
      })
    ),
    ({ form, step, ...ends }): Part => {
      const [from, to] = [Math.min(ends.from, ends.to), Math.max(ends.from, ends.to)]
      switch (form) {
        case "one":
          return { text: `${from}`, values: [from] }
        case "range":
          return { text: `${from}-${to}`, values: between(from, to) }
        case "stepped":
          return { text: `${from}-${to}/${step}`, values: between(from, to, step) }
        case "any":
          return { text: "*", values: between(0, last) }
        case "every":
          return { text: `*/${step}`, values: between(last === 31 ? 1 : 0, last, step) }
      }
    }
  )

const isStar = ({ text }: Part) => text.startsWith("*")

const vixie = (dates: Part, weekdays: Part) =>
  days.filter((at) => {
    const [isDate, isWeekday] = [
      dates.values.includes(new Date(at).getUTCDate()),
      weekdays.values.some((value) => value % 7 === new Date(at).getUTCDay())
    ]
    return isStar(dates) || isStar(weekdays) ? isDate && isWeekday : isDate || isWeekday
  })

const weekdaysOf = (field: string): ReadonlyArray<number> =>
  [...new Set(dueDays(`0 0 * * ${field}`).map((at) => new Date(at).getUTCDay()))].toSorted()

describe("the fields of a cron expression", () => {
  it.prop(
    "are due on the days of Vixie cron, whichever of both begins with *",
    [partOf(31), partOf(7)],
    ([dates, weekdays]) => {
      assert.deepStrictEqual(
        dueDays(`0 0 ${dates.text} * ${weekdays.text}`),
        vixie(dates, weekdays),
        `0 0 ${dates.text} * ${weekdays.text}`
      )
    }
  )

  it("are due on odd days that are Mondays, since */2 begins with *", () => {
    const due = dueDays("0 0 */2 * 1").slice(0, 3)

    assert.deepStrictEqual(
      due.map((at) => new Date(at).toISOString().slice(0, 10)),
      ["2027-01-11", "2027-01-25", "2027-02-01"]
    )
  })

  it.each([
    ["sat-sun", [0, 6]],
    ["SAT-SUN", [0, 6]],
    ["6-0", [0, 6]],
    ["mon-sun", [0, 1, 2, 3, 4, 5, 6]],
    ["wed-sun/2", [0, 3, 5]],
    ["wed,fri-sun", [0, 3, 5, 6]],
    ["fri-sun,wed", [0, 3, 5, 6]],
    ["sun-tue", [0, 1, 2]],
    ["7-2", [0, 1, 2]],
    ["7-mon", [0, 1]],
    ["sun-sun", [0]],
    ["sun", [0]],
    ["7", [0]],
    ["0-7", [0, 1, 2, 3, 4, 5, 6]],
    ["5-7", [0, 5, 6]]
  ])("mean by %s the weekdays %j", (field, weekdays) => {
    assert.deepStrictEqual(weekdaysOf(field), weekdays)
  })
})
