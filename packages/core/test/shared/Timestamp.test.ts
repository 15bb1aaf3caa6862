import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as TestSchema from "effect/testing/TestSchema"
import { Timestamp } from "../../src/shared/Timestamp.ts"

const decode = Schema.decodeSync(Timestamp)
const encode = Schema.encodeSync(Timestamp)
const isTimestamp = (text: string) => Schema.decodeOption(Timestamp)(text)._tag === "Some"

describe("Timestamp", () => {
  it.each([
    ["2026-03-07T09:30:00Z", "2026-03-07T09:30:00.000Z"],
    ["2026-03-07T09:30:00.5Z", "2026-03-07T09:30:00.500Z"],
    ["2026-03-07T09:30:00.123456789Z", "2026-03-07T09:30:00.123Z"],
    ["2026-03-07T09:30:00.999999Z", "2026-03-07T09:30:00.999Z"],
    ["2026-03-07T09:30:00+05:30", "2026-03-07T04:00:00.000Z"],
    ["2026-03-07T23:30:00-01:00", "2026-03-08T00:30:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("reads %s as %s", (text, shown) => {
    assert.strictEqual(encode(decode(text)), shown)
  })

  it.each([
    "March 7",
    "2026-03-07",
    "2026-03-07T09:30Z",
    "2026-03-07T09:30:00",
    "2026-03-07 09:30:00Z",
    "2026-03-07t09:30:00z",
    "2026-03-07T09:30:00.Z",
    "2026-03-07T09:30:00.1234567890Z",
    "2026-03-07T09:30:00+0530",
    "2026-03-07T09:30:00+24:00",
    "2026-03-07T24:00:00Z",
    "2026-03-07T09:60:00Z",
    "2026-03-07T09:30:60Z",
    "2026-02-30T09:30:00Z",
    "2026-02-29T09:30:00Z",
    "2100-02-29T00:00:00Z",
    "2026-04-31T00:00:00+02:00",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "+012026-03-07T09:30:00Z",
    "-2026-03-07T09:30:00Z",
    "2026-03-07T09:30:00Z\n",
    "1772875800",
    ""
  ])("refuses %j", (text) => {
    assert.isFalse(isTimestamp(text))
  })

  it("says what it expects", async () => {
    const decoding = new TestSchema.Asserts(Timestamp).decoding()

    await decoding.fail(
      "March 7",
      "Expected an ISO 8601 timestamp with seconds and offset, such as 2026-03-07T09:30:00Z"
    )
    await decoding.fail("2026-02-30T09:30:00Z", "Expected a date that exists")
  })

  it("is a date-time in JSON Schema", () => {
    const { schema } = Schema.toJsonSchemaDocument(Timestamp)

    assert.deepInclude(schema, { type: "string", format: "date-time" })
  })

  it.prop("comes back from its text as the same instant", [Timestamp], ([instant]) => {
    assert.strictEqual(decode(encode(instant)).epochMilliseconds, instant.epochMilliseconds)
  })

  const offsets = Arbitrary.schema(
    Schema.Int.check(Schema.isBetween({ minimum: -23 * 60, maximum: 23 * 60 }))
  )
  const recent = Arbitrary.schema(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_102_444_800_000 }))
  )

  it.prop("reads every offset", [recent, offsets], ([millis, offset]) => {
    const local = DateTime.formatIso(DateTime.makeUnsafe(millis + offset * 60_000)).slice(0, -1)
    const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
    const zone = `${offset < 0 ? "-" : "+"}${`${hours}`.padStart(2, "0")}:${`${minutes}`.padStart(2, "0")}`

    assert.strictEqual(decode(local + zone).epochMilliseconds, millis)
  })
})
