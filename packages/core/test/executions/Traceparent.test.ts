import { assert, describe, it } from "@effect/vitest"
import { spanOf, traceparentIn, traceparentOf } from "../../src/executions/Traceparent.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"
const given = `00-${traceId}-${spanId}-01`

describe("a traceparent", () => {
  it("is taken as it came", () => {
    for (const header of [given, `00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-ff`])
      assert.strictEqual(traceparentIn(header), header)
  })

  it("of a later version is what version 00 knows of it", () => {
    for (const header of [`cc-${traceId}-${spanId}-01`, `01-${traceId}-${spanId}-03-and-more`])
      assert.strictEqual(traceparentIn(header), given)
    assert.strictEqual(traceparentIn(`cc-${traceId}-${spanId}-02-${"x".repeat(9_000)}`)?.length, 55)
  })

  it("is ignored when it has no valid form", () => {
    const malformed = [
      undefined,
      "",
      `${given}-more`,
      `${given}.more`,
      `cc-${traceId}-${spanId}-01.more`,
      ` ${given}`,
      `${given}, ${given}`,
      `${given}\n`,
      given.slice(0, -1),
      given.toUpperCase(),
      given.replaceAll("-", ""),
      `ff-${traceId}-${spanId}-01`,
      `0-${traceId}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.slice(1)}-${spanId}0-01`,
      `00-${traceId}-${spanId}-0g`
    ]
    assert.deepStrictEqual(
      malformed.filter((header) => traceparentIn(header) !== null),
      []
    )
  })

  it("names a span, and whether it is recorded", () => {
    const { sampled, ...span } = spanOf(given)
    assert.deepStrictEqual([span.traceId, span.spanId, sampled], [traceId, spanId, true])
    assert.isFalse(spanOf(`00-${traceId}-${spanId}-02`).sampled)
    assert.strictEqual(traceparentOf(spanOf(given)), given)
  })
})
