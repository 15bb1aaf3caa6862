import { assert, describe, it } from "@effect/vitest"
import { ScheduleId } from "@runhook/core/shared/Ids"
import { dueStep } from "@runhook/core/schedules/DueStep"
import {
  afterDue,
  changeSchedule,
  firesAt,
  type Missed,
  nextDueTimes,
  type Schedule,
  type ScheduleChange
} from "@runhook/core/schedules/Schedule"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { makeSchedule, second } from "./ScheduleFixtures.ts"

/** The seconds at which something is due. */
const seconds = (times: ReadonlyArray<DateTime.Utc>) =>
  times.map((time) => (time.epochMilliseconds - second(0).epochMilliseconds) / 1_000)

interface CarriedOut {
  readonly made: ReadonlyArray<number>
  readonly missed: ReadonlyArray<number>
  readonly next: number | null | undefined
}

/** What comes of a schedule at a moment: the due times that get an execution, and the last that is missed. */
const carriedOut = (schedule: Schedule, at: DateTime.Utc): CarriedOut => {
  const made: Array<DateTime.Utc> = []
  const missed: Array<DateTime.Utc> = []
  let left = schedule
  for (let step = dueStep(left, at); step !== null; step = dueStep(left, at)) {
    ;(step.isMissed ? missed : made).push(step.due)
    left = afterDue(left, { ...step, came: { outcome: step.isMissed ? "missed" : "skipped" } })
  }
  return { made: seconds(made), missed: seconds(missed), next: left.nextAt && seconds([left.nextAt])[0] }
}

describe("the due times of a schedule", () => {
  it("are counted from its beginning, or from when it was made, until its end", () => {
    const [plain, begun, ended] = [
      makeSchedule(),
      makeSchedule({ startsAt: second(90), endsAt: second(210) }),
      makeSchedule({ endsAt: second(59) })
    ]

    const times = [plain, begun, ended].map((schedule) => seconds(nextDueTimes(schedule, 5)))

    assert.deepStrictEqual(times, [[60, 120, 180, 240, 300], [90, 150, 210], []])
    assert.isNull(ended.wakeAt)
  })

  it("end with the years that four digits can show, whatever their jitter", () => {
    const startsAt = DateTime.makeUnsafe("9999-12-31T20:00:00Z")
    const hourly = makeSchedule({ everySeconds: 3_600, jitterSeconds: 3_599, startsAt })

    const times = nextDueTimes(hourly, 5).map(DateTime.formatIso)

    assert.deepStrictEqual(times, [
      "9999-12-31T20:00:00.000Z",
      "9999-12-31T21:00:00.000Z",
      "9999-12-31T22:00:00.000Z"
    ])
    assert.isNull(makeSchedule({ startsAt: DateTime.makeUnsafe("9999-12-31T23:59:59Z") }).nextAt)
  })

  it("go on from now when they are changed or resumed, and stay when anything else is", () => {
    const schedule = makeSchedule()
    const paused = changeSchedule(schedule, { isEnabled: false }, second(61))

    const after = [
      changeSchedule(schedule, { name: "Other" }, second(70)),
      changeSchedule(schedule, { everySeconds: 100 }, second(70)),
      paused,
      changeSchedule(paused, { isEnabled: true }, second(1_000))
    ].map(({ nextAt, wakeAt }) => [nextAt, wakeAt].map((time) => time && seconds([time])[0]))

    assert.deepStrictEqual(after, [
      [60, 60],
      [170, 170],
      [null, null],
      [1_020, 1_020]
    ])
  })
})

describe("a change of a schedule", () => {
  const dueThen = ({ nextAt }: Schedule) => nextAt && seconds([nextAt])[0]

  it("stores nothing when it gives what is there already", () => {
    const schedule = makeSchedule({ startsAt: second(10), endsAt: second(500), jitterSeconds: 5 })
    const { cron, endsAt, everySeconds, isEnabled, jitterSeconds, request, startsAt, timeZone } = schedule

    const after = changeSchedule(
      schedule,
      { cron, endsAt, everySeconds, isEnabled, jitterSeconds, request, startsAt, timeZone },
      second(30)
    )

    assert.strictEqual(after, schedule)
  })

  it("keeps its interval, however often the same one is given before it is due", () => {
    let schedule = makeSchedule()
    for (let at = 50; at < 60_000; at += 50) {
      schedule = changeSchedule(schedule, { everySeconds: 60, name: `Deployed at ${at}` }, second(at))
    }

    assert.strictEqual(dueThen(schedule), 60)
  })

  it.each<[string, ScheduleChange, number | null]>([
    ["another end", { endsAt: second(10_000) }, 60],
    ["no end", { endsAt: null }, 60],
    ["an end before it is due", { endsAt: second(59) }, null],
    ["jitter", { jitterSeconds: 30 }, 60],
    ["another interval", { everySeconds: 50 }, 140],
    ["a beginning", { startsAt: second(85) }, 145],
    ["a cron expression", { cron: "* * * * *", everySeconds: null, timeZone: "UTC" }, 120]
  ])("with %s leaves what is due only if its times are the same", (_, change, due) => {
    const schedule = makeSchedule({ endsAt: second(5_000) })

    // Its due time at 60 waits to be fired.
    assert.strictEqual(dueThen(changeSchedule(schedule, change, second(90))), due)
  })

  it("counts from when the interval was given, whatever else was changed since", () => {
    const schedule = makeSchedule({ startsAt: second(7) })

    const after = changeSchedule(schedule, { startsAt: null, overlap: "skip" }, second(70))

    assert.deepStrictEqual(seconds(nextDueTimes(after, 2)), [120, 180])
  })

  it("goes on when its end is put off after it was over", () => {
    const over = makeSchedule({ endsAt: second(59) })

    assert.strictEqual(dueThen(changeSchedule(over, { endsAt: null }, second(130))), 180)
  })
})

describe("a schedule that is due", () => {
  it("gets one execution for each due time that is in time", () => {
    assert.deepStrictEqual(carriedOut(makeSchedule(), second(59)), { made: [], missed: [], next: 60 })
    assert.deepStrictEqual(carriedOut(makeSchedule(), second(60)), { made: [60], missed: [], next: 120 })
    assert.deepStrictEqual(carriedOut(makeSchedule({ everySeconds: 20, missed: "skip" }), second(79)), {
      made: [20, 40, 60],
      missed: [],
      next: 80
    })
  })

  it.each([
    // An hour without a service: the due times at 60 to 3600 seconds, of which the last is in time.
    ["skip", 3_610, { made: [3_600], missed: [], next: 3_660 }],
    ["last", 3_610, { made: [3_600], missed: [], next: 3_660 }],
    ["skip", 3_400, { made: [3_360], missed: [], next: 3_420 }]
  ] as const)("makes up by %s at second %i", (missed, at, expected) => {
    assert.deepStrictEqual<CarriedOut>(carriedOut(makeSchedule({ missed }), second(at)), expected)
  })

  it.each([
    ["skip", { made: [], missed: [6_000], next: 7_000 }],
    ["last", { made: [6_000], missed: [], next: 7_000 }],
    ["all", { made: [1_000, 2_000, 3_000, 4_000, 5_000, 6_000], missed: [], next: 7_000 }]
  ] as const)("makes up by %s for what nothing else is in time for", (missed, expected) => {
    const schedule = makeSchedule({ everySeconds: 1_000, missed })

    assert.deepStrictEqual<CarriedOut>(carriedOut(schedule, second(6_500)), expected)
  })

  it("makes up for the last hundred at most, however many were missed", () => {
    const { made, missed, next } = carriedOut(
      makeSchedule({ everySeconds: 100, missed: "all" }),
      second(86_400 * 366)
    )

    assert.lengthOf(made, 100)
    assert.deepStrictEqual([made.at(-1), missed, next], [86_400 * 366, [], 86_400 * 366 + 100])
  })

  it("makes up for a cron expression as well, across a change of clocks", () => {
    const hourly = makeSchedule({
      cron: "0 * * * *",
      timeZone: "Europe/Berlin",
      everySeconds: null,
      missed: "all",
      createdAt: DateTime.makeUnsafe("2026-10-24T23:30:00Z")
    })

    const { made } = carriedOut(hourly, DateTime.makeUnsafe("2026-10-25T03:30:00Z"))

    assert.deepStrictEqual(
      made.map((at) => DateTime.formatIso(DateTime.addDuration(second(0), `${at} seconds`)).slice(11, 16)),
      ["00:00", "01:00", "02:00", "03:00"]
    )
  })

  it("gets the execution of the due time that it keeps, even if its rule no longer has it", () => {
    const schedule = { ...makeSchedule(), nextAt: second(59), wakeAt: second(59) }

    assert.deepStrictEqual(carriedOut(schedule, second(59)), { made: [59], missed: [], next: 60 })
  })

  it("is stopped by a refusal that would come again", () => {
    const schedule = makeSchedule()
    const refused = (isLast: boolean) =>
      afterDue(schedule, {
        due: second(60),
        nextAt: second(120),
        came: { outcome: "refused", error: { _tag: "Any" }, isLast }
      })

    assert.deepInclude(refused(false), { isEnabled: true, nextAt: second(120), wakeAt: second(120) })
    assert.deepInclude(refused(true), { isEnabled: false, nextAt: null, wakeAt: null })
  })

  const Case = Schema.Struct({
    every: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 900 })),
    jitter: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 899 })),
    missed: Schema.Literals(["skip", "last", "all"]),
    looks: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 }))).check(
      Schema.isMaxLength(20)
    )
  })

  it.prop(
    "is made for each due time at most once, in order, never early, and for each that somebody looks at in time",
    [Case],
    ([{ every, jitter, looks, missed }]) => {
      const jitterSeconds = Math.min(jitter, every - 1)
      let schedule = makeSchedule({
        everySeconds: every,
        missed: missed satisfies typeof Missed.Type,
        jitterSeconds
      })
      let at = 0
      const made: Array<number> = []
      for (const wait of looks) {
        at += wait
        const before = schedule
        for (let step = dueStep(schedule, second(at)); step !== null; step = dueStep(schedule, second(at))) {
          assert.isTrue(DateTime.isLessThanOrEqualTo(firesAt(schedule, step.due), second(at)), "early")
          if (!step.isMissed) made.push(...seconds([step.due]))
          schedule = afterDue(schedule, { ...step, came: { outcome: "missed" } })
        }
        const inTime = seconds(nextDueTimes(before, 400)).filter((due) => {
          const fires = seconds([firesAt(before, second(due))])[0] ?? 0
          return fires <= at && at - fires <= 60
        })
        assert.includeMembers(made, inTime.slice(-100))
      }
      assert.deepStrictEqual(
        made,
        [...new Set(made)].toSorted((one, other) => one - other)
      )
      for (const due of made) assert.strictEqual(due % every, 0)
    }
  )
})

describe("jitter", () => {
  it("is the same for a due time whoever asks, below its bound, and spread", () => {
    const parts = Array.from({ length: 1_000 }, (_, place) => {
      const id = ScheduleId.make(`019bb150-2c40-7a1f-9d3b-${place.toString(16).padStart(12, "0")}`)
      const schedule = { id, jitterSeconds: 60 }
      const at = firesAt(schedule, second(0))
      assert.deepStrictEqual(firesAt(schedule, second(0)), at)
      return seconds([at])[0] ?? 0
    })

    assert.isTrue(parts.every((part) => part >= 0 && part < 60))
    for (let from = 0; from < 60; from += 10) {
      const share = parts.filter((part) => part >= from && part < from + 10).length
      assert.isAbove(share, 100, `${from} to ${from + 10} seconds`)
    }
  })
})
