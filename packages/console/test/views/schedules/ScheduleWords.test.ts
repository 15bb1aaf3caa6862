import { assert, describe, it } from "vitest"
import { byDay, timingWords } from "../../../src/views/schedules/ScheduleWords.ts"

describe("when a schedule is due", () => {
  it.each([
    ["*/5 * * * *", "every 5 min"],
    ["* * * * *", "every minute"],
    ["7 * * * *", "every hour at :07"],
    ["30 2 * * *", "every day at 02:30"],
    ["0 9 * * MON-FRI", "Monday to Friday at 09:00"],
    ["0 9 * * 7", "Sunday at 09:00"]
  ])("is said in words for %s", (cron, words) => {
    assert.strictEqual(timingWords({ cron, every_seconds: null }), words)
  })

  it.each([
    "*/7 * * * *",
    "0 9 1 * *",
    "0 9,17 * * *",
    "0 9 * * 1#2",
    "* 9 * * *",
    "61 2 * * *",
    "0 24 * * *",
    "nonsense"
  ])("is left as it is where words would be long or wrong: %s", (cron) => {
    assert.strictEqual(timingWords({ cron, every_seconds: null }), cron)
  })

  it("is said as a duration if it is at a distance", () => {
    assert.strictEqual(timingWords({ cron: null, every_seconds: 5_400 }), "every 1 h 30 min")
  })

  it("is shown by the days of its own zone, each with all of its times", () => {
    assert.deepStrictEqual(
      byDay(["2026-11-26T22:30:00Z", "2026-11-26T23:30:00Z", "2026-11-27T00:30:00Z"], "Europe/Berlin"),
      [
        ["Thu 26 Nov", ["23:30"]],
        ["Fri 27 Nov", ["00:30", "01:30"]]
      ]
    )
  })
})
