/**
 * Instants on the wire. In: ISO 8601 with seconds and an offset, nothing looser,
 * because a guessed time zone is a wrong one. Out: UTC with milliseconds.
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

const iso8601 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u

/** The years 0001 to 9999 in UTC: every instant that four digits can show. */
const isShowable = Schema.makeIsBetween({ order: DateTime.Order, formatter: DateTime.formatIso })({
  minimum: DateTime.makeUnsafe("0001-01-01T00:00:00.000Z"),
  maximum: DateTime.makeUnsafe("9999-12-31T23:59:59.999Z")
})

/** Digits of a fraction past the third are dropped. */
export const Timestamp = Schema.String.check(
  Schema.isPattern(iso8601, {
    expected: "an ISO 8601 timestamp with seconds and offset, such as 2026-03-07T09:30:00Z",
    toJsonSchema: () => ({ format: "date-time" })
  })
).pipe(
  Schema.decodeTo(
    Schema.DateTimeUtc.check(isShowable),
    SchemaTransformation.transformEffect({
      decode: (text: string, options) => {
        const instant = isOnCalendar(text) ? DateTime.make(text) : Option.none()
        return Option.match(instant, {
          onNone: () =>
            Effect.fail(new SchemaIssue.InvalidValue({ expected: "a date that exists" }, text, options)),
          onSome: (dateTime) => Effect.succeed(DateTime.toUtc(dateTime))
        })
      },
      encode: (instant) => Effect.succeed(DateTime.formatIso(instant))
    })
  )
)

/** Whether the day exists. The runtime's parser reads February 30 as March 2, so the day is written back and compared. */
const isOnCalendar = (text: string): boolean => {
  const day = text.slice(0, 10)
  return Option.exists(DateTime.make(`${day}T00:00:00Z`), (instant) =>
    DateTime.formatIso(instant).startsWith(day)
  )
}
