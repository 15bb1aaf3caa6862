import { assert, describe, it } from "@effect/vitest"
import { inWholeUnits } from "@runhook/core/engine/WholeDuration"
import * as Duration from "effect/Duration"

describe("a duration in the log", () => {
  it.each([
    [0, "0"],
    [0.4, "0"],
    [3.7, "4ms"],
    [999, "999ms"],
    [3_417.204_377, "3s"],
    [31_500, "32s"],
    [125_499, "2m 5s"],
    [3_601_234, "1h"],
    [93_784_321, "1d 2h 3m"]
  ])("of %d ms is %s", (millis, text) => {
    assert.strictEqual(inWholeUnits(Duration.millis(millis)), text)
  })
})
