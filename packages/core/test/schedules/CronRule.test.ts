import { assert, describe, it } from "@effect/vitest"
import { cronAfter, cronRule } from "@runhook/core/schedules/CronRule"
import * as Result from "effect/Result"

describe("cron expressions", () => {
  it.each([
    ["* * * *", "UTC", "cron", "must have five fields"],
    ["0 * * * * *", "UTC", "cron", "must have five fields"],
    ["61 * * * *", "UTC", "cron", "expected a value between 0 and 59"],
    ["0 0 * * funday", "UTC", "cron", "day of week cannot be read: expected a positive integer, got funday"],
    ["0 0 L * *", "UTC", "cron", "day of month cannot be read"],
    ["0 0 * * 1,8", "UTC", "cron", "day of week cannot be read: expected a value between 0 and 7, got 8"],
    ["0 */0 * * *", "UTC", "cron", "hour cannot be read: expected step value to be greater than 0, got */0"],
    [
      "0 0 * * fri-mon",
      "UTC",
      "cron",
      "day of week has a range that goes backwards: write fri-sat,sun-mon in"
    ],
    ["0 0 * * 5-1/2", "UTC", "cron", "day of week has a range that goes backwards: write 5-6/2,0-1/2 in"],
    ["0 22-2 * * *", "UTC", "cron", "hour has a range that goes backwards: write 22-23,0-2 in"],
    ["0 0 1 nov-feb *", "UTC", "cron", "month has a range that goes backwards: write nov-dec,jan-feb in"],
    ["0 0 30 2 *", "UTC", "cron", "names a day that no month has"],
    ["0 0 * * *", "Europe/Atlantis", "time_zone", "must be a time zone"],
    ["0 0 * * *", "+02:00", "time_zone", "must be a time zone"],
    ["0 0 * * *", "", "time_zone", "must be a time zone"]
  ])("are not made of %s in %s", (expression, zone, field, said) => {
    const problem = Result.flip(cronRule(expression, zone))

    assert.isTrue(Result.isSuccess(problem))
    if (Result.isSuccess(problem)) {
      assert.strictEqual(problem.success.field, field)
      assert.include(problem.success.rule, said)
    }
  })

  it("take a zone by any of its names", () => {
    const at = Date.UTC(2026, 5, 1)
    const names = ["Asia/Kolkata", "Asia/Calcutta", "asia/kolkata"]

    assert.deepStrictEqual(
      names.map((name) => cronAfter(Result.getOrThrow(cronRule("0 9 * * *", name)), at)),
      names.map(() => Date.parse("2026-06-01T03:30:00Z"))
    )
  })
})
