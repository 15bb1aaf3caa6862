import { assert, describe, it } from "vitest"
import { phasesOf } from "../../../src/views/deliveries/AttemptPhases.ts"

describe("the parts of an attempt", () => {
  it("stand one behind the other, to the scale of the slowest, without those there were not", () => {
    const phases = phasesOf({ dns: null, connect: 10, tls: 20, headers: 50, body: 0 }, 100)

    assert.deepStrictEqual(
      phases.map(({ name, from: begin, width }) => [name, begin, Number(width.toFixed(2))]),
      [
        ["connect", 0, 0.1],
        ["tls", 0.1, 0.2],
        ["headers", 0.1 + 0.2, 0.5],
        ["body", 0.1 + 0.2 + 0.5, 0.01]
      ]
    )
  })

  it("never stand out, whatever was measured", () => {
    const phases = phasesOf({ dns: 900, connect: 900, tls: 900, headers: 900, body: 900 }, 1_000)

    for (const { from: begin, width } of phases) assert.isAtMost(begin + width, 1.0001)
  })
})
