import * as Tracer from "effect/Tracer"
import { assert, describe, it } from "vitest"
import { samplerOf } from "../../src/observability/Sampler.ts"

/** What a caller began; the id decides that it is among the lower half of all traces. */
const caller = Tracer.externalSpan({
  spanId: "1",
  traceId: "0af7651916cd43dd8448eb2100000001",
  sampled: false
})

describe("a span", () => {
  it.each([
    { sampler: "always_on", alone: true, below: true },
    { sampler: "always_off", alone: false, below: false },
    { sampler: "traceidratio", alone: false, below: true },
    { sampler: "parentbased_always_on", alone: true, below: undefined },
    { sampler: "parentbased_always_off", alone: false, below: undefined },
    { sampler: "parentbased_traceidratio", alone: false, below: undefined }
  ] as const)("is recorded as $sampler says", ({ alone, below, sampler }) => {
    const isSampled = samplerOf(sampler, 0.5, () => 0.7)

    assert.deepStrictEqual([isSampled(undefined), isSampled(caller)], [alone, below])
  })
})
