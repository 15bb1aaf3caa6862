import { assert, describe, it } from "vitest"
import { dayStart, weekOf } from "../../../src/views/schedules/WeekDays.ts"

const now = Date.parse("2026-11-26T21:30:00Z")

const created_at = "2026-11-21T12:00:00Z"

const schedule = { id: "s", created_at, name: "Bills of the night", next_at: ["2026-11-27T02:30:00Z"] }

const run = (id: string, at: string) =>
  ({ id, created_at: at, schedule_id: "s", status: "completed" }) as const

const ran = (runs: ReadonlyArray<ReturnType<typeof run>>, isMore = false) =>
  new Map([["s", { runs, isMore }]])

/** The days on which something was or is, as days after today. */
const found = (...given: Parameters<typeof weekOf>) =>
  weekOf(...given).flatMap(({ by, entries }) => entries.map(({ due, id, runs }) => ({ by, id, due, runs })))

describe("the week of schedules", () => {
  it("has today in its middle, six days behind it and six ahead", () => {
    const days = weekOf([], new Map(), { now, zone: "utc" })

    assert.deepStrictEqual(
      days.map(({ by }) => by),
      [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6]
    )
    assert.strictEqual(days[6]?.at.toISOString(), "2026-11-26T00:00:00.000Z")
    assert.isTrue(days.every(({ entries }) => entries.length === 0))
  })

  it("puts runs and due times on the days on which they are, the runs of a day oldest first", () => {
    const runs = [run("late", "2026-11-25T23:59:59.999Z"), run("early", "2026-11-25T00:00:00Z")]

    assert.deepStrictEqual(found([schedule], ran(runs), { now, zone: "utc" }), [
      { by: -1, id: "s", due: [], runs: runs.toReversed() },
      { by: 1, id: "s", due: schedule.next_at, runs: [] }
    ])
  })

  it("leaves out what is further away", () => {
    const runs = ran([run("before", "2026-11-19T23:59:59Z")])
    const later = { ...schedule, next_at: ["2026-12-03T00:00:00Z"] }

    assert.deepStrictEqual(found([later], runs, { now, zone: "utc" }), [])
  })

  it("says of each day since it was created whether it may have run more often than is known", () => {
    const runs = [run("late", "2026-11-26T00:00:00Z"), run("early", "2026-11-24T09:00:00Z")]
    const cutOn = (isMore: boolean) =>
      weekOf([{ ...schedule, next_at: [] }], ran(runs, isMore), { now, zone: "utc" }).flatMap(
        ({ by, entries }) => entries.map((entry) => [by, entry.runs.length, entry.isCut])
      )

    assert.deepStrictEqual(cutOn(false), [
      [-2, 1, false],
      [0, 1, false]
    ])
    assert.deepStrictEqual(cutOn(true), [
      [-5, 0, true],
      [-4, 0, true],
      [-3, 0, true],
      [-2, 1, true],
      [0, 1, false]
    ])
  })

  it("says on which day the due times end that are known", () => {
    const often = {
      ...schedule,
      next_at: [22, 23, 24, 25, 26].map((hour) => new Date(Date.UTC(2026, 10, 26, hour)).toISOString())
    }

    const days = weekOf([often], new Map(), { now, zone: "utc" }).filter(({ entries }) => entries.length > 0)

    assert.deepStrictEqual(
      days.map(({ by, entries }) => [by, entries[0]?.due.length, entries[0]?.goesOn]),
      [
        [0, 2, false],
        [1, 3, true]
      ]
    )
  })

  it("begins its days in the zone of the user, also where a clock change makes one longer", () => {
    const at = new Date(2026, 9, 20, 12).getTime()

    for (let by = 0; by < 10; by++)
      assert.deepStrictEqual(dayStart(at, "local", by), new Date(2026, 9, 20 + by))
  })
})
