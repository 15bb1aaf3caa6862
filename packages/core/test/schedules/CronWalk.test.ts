import { assert, describe, it } from "@effect/vitest"
import { cronAfter, cronBefore, type CronRule, cronRule } from "@runhook/core/schedules/CronRule"
import { offsetAt, zoneOf } from "@runhook/core/schedules/TimeZone"
import * as Cron from "effect/Cron"
import * as Result from "effect/Result"

/** How many time zones are tried, over two years. With `all` every one is, over ten: that takes minutes. */
const zonesTried = process.env["RUNHOOK_ZONES"] ?? "12"
const years = zonesTried === "all" ? 10 : 2

const hour = 3_600_000
const day = 24 * hour
const [begin, end] = [Date.UTC(2026, 0, 1), Date.UTC(2026 + years, 0, 1)]

/** The usual, half an hour, one that steps at midnight, one that goes back in winter, two that change by decree. */
const odd = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Europe/Dublin",
  "Africa/Casablanca",
  "Antarctica/Troll",
  "UTC"
]

const zones = (): ReadonlyArray<string> => {
  const every = Intl.supportedValuesOf("timeZone")
  if (zonesTried === "all") return every
  const step = Math.floor(every.length / Math.max(1, Number(zonesTried) - odd.length))
  return [...new Set([...odd, ...every.filter((_, place) => place % step === 7)])]
}

interface Span {
  readonly from: number
  readonly until: number
}

const rule = (expression: string, zone: string): CronRule => Result.getOrThrow(cronRule(expression, zone))

/** Every moment at which clocks are changed: its day, and then its second. */
const changesOf = (name: string): ReadonlyArray<number> => {
  const zone = zoneOf(name)
  assert.isDefined(zone)
  const changes: Array<number> = []
  for (let from = begin; from < end; from += day) {
    if (offsetAt(zone, from) === offsetAt(zone, from + day)) continue
    let [low, high] = [from, from + day]
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000
      if (offsetAt(zone, middle) === offsetAt(zone, from)) low = middle
      else high = middle
    }
    changes.push(high)
  }
  return changes
}

/** Expressions around the hours in which clocks are changed, and whether each goes by hours. */
const expressions: ReadonlyArray<readonly [expression: string, goesByHours: boolean]> = [
  ["*/10 * * * *", true],
  ["30 * * * *", true],
  ["30 2 * * *", false],
  ["0 0 * * *", false],
  ["0,15,45 0-3 * * *", false],
  ["0 */2 * * *", false],
  ["*/20 1,23 * * sun,mon", false]
]

/** What clocks show, minute by minute, from some hours before `from`. */
const clockOf = (zone: string, { from, until }: Span) => {
  const named = zoneOf(zone)
  assert.isDefined(named)
  const minutes: Array<{ readonly at: number; readonly wall: number }> = []
  for (let at = from - 4 * hour; at < until; at += 60_000)
    minutes.push({ at, wall: at + offsetAt(named, at) })
  return minutes
}

/**
 * What is due from `from`, found without the code under test, by what the clock shows. What it skips is due when it skips
 * it, and what it shows twice the first time; or not, and both times, if the expression goes by hours.
 */
const dueByTheClock = (
  clock: ReturnType<typeof clockOf>,
  {
    cron,
    from,
    goesByHours
  }: { readonly cron: Cron.Cron; readonly from: number; readonly goesByHours: boolean }
): ReadonlyArray<number> => {
  const isMeant = (wall: number) => Cron.match(cron, wall)
  const due: Array<number> = []
  let latest = clock[0]?.wall ?? 0
  for (const { at, wall } of clock) {
    const skipped = Array.from(
      { length: Math.max(0, (wall - latest) / 60_000 - 1) },
      (_, place) => latest + (place + 1) * 60_000
    )
    const isDue = goesByHours
      ? isMeant(wall)
      : (wall > latest && isMeant(wall)) || skipped.some((each) => isMeant(each))
    if (isDue && at >= from) due.push(at)
    latest = Math.max(latest, wall)
  }
  return due
}

const walked = (of: CronRule, { from, until }: Span) => {
  const forwards: Array<number> = []
  for (let at = cronAfter(of, from - 1); at < until; at = cronAfter(of, at)) forwards.push(at)
  const backwards: Array<number> = []
  for (let at = cronBefore(of, until); at >= from; at = cronBefore(of, at)) backwards.push(at)
  return { forwards, backwards: backwards.toReversed() }
}

describe("due times of cron expressions", () => {
  it.each(zones())("are those of the clocks of %s over the years, none twice and none left out", (zone) => {
    const changes = changesOf(zone)
    // A day without a change for comparison.
    for (const change of [...changes, begin + 40 * day]) {
      const minute = change - (change % 60_000)
      const [from, until] = [minute - 3 * hour, minute + 5 * hour]
      const clock = clockOf(zone, { from, until })
      for (const [expression, goesByHours] of expressions) {
        const of = rule(expression, zone)
        const expected = dueByTheClock(clock, { cron: of.cron, from, goesByHours })
        const { backwards, forwards } = walked(of, { from, until })
        const where = `${expression} at ${new Date(change).toISOString()}`
        assert.deepStrictEqual(forwards, expected, where)
        assert.deepStrictEqual(backwards, expected, `${where}, backwards`)
      }
    }
  })

  it("keep 02:30 in the nights of Berlin: at 03:00 where it is skipped, and once where it is shown twice", () => {
    const nightly = rule("30 2 * * *", "Europe/Berlin")
    const next = (from: string) => new Date(cronAfter(nightly, Date.parse(from))).toISOString()

    assert.strictEqual(next("2026-03-28T12:00:00Z"), "2026-03-29T01:00:00.000Z")
    assert.strictEqual(next("2026-03-29T01:00:00Z"), "2026-03-30T00:30:00.000Z")
    assert.strictEqual(next("2026-10-24T12:00:00Z"), "2026-10-25T00:30:00.000Z")
    assert.strictEqual(next("2026-10-25T00:30:00Z"), "2026-10-26T01:30:00.000Z")
  })

  it("keep the day of which a whole one was left out", () => {
    const noon = rule("0 12 * * *", "Pacific/Apia")
    const from = Date.parse("2011-12-29T12:00:00Z")

    const { backwards, forwards } = walked(noon, { from, until: from + 3 * day })

    assert.deepStrictEqual(
      forwards.map((at) => new Date(at).toISOString()),
      // Noon of the 29th, the first moment of the 31st for that of the 30th, and noon of the 31st.
      [
        "2011-12-29T22:00:00.000Z",
        "2011-12-30T10:00:00.000Z",
        "2011-12-30T22:00:00.000Z",
        "2011-12-31T22:00:00.000Z"
      ]
    )
    assert.deepStrictEqual(backwards, forwards)
  })
})
