import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { instantText } from "../../src/domain/InstantText.ts"

const dayMillis = 86_400_000
const isUsual = (instant: DateTime.Utc): boolean => instantText(instant) === DateTime.formatIso(instant)

describe("instantText", () => {
  it.prop("is the text that is usual for instants", [Schema.DateTimeUtc], ([instant]) => isUsual(instant))

  it("knows every day of a round of the calendar", () => {
    const first = Date.UTC(1900, 0, 1)
    const days = Array.from({ length: 146_098 }, (_, day) => first + day * dayMillis + day * 591)

    assert.deepStrictEqual(
      days.filter((millis) => !isUsual(DateTime.makeUnsafe(millis))),
      []
    )
  })

  it("knows every year of four digits, and leaves others to the runtime", () => {
    const years = Array.from({ length: 10_000 }, (_, year) => String(year).padStart(4, "0"))
    const texts = [...years, "-000001", "+010000"].flatMap((year) =>
      ["01-01T00:00:00.000Z", "02-28T12:34:56.789Z", "03-01T00:00:00.001Z", "12-31T23:59:59.999Z"].map(
        (rest) => `${year}-${rest}`
      )
    )

    assert.deepStrictEqual(
      texts.filter((text) => instantText(DateTime.makeUnsafe(text)) !== text),
      []
    )
  })
})
