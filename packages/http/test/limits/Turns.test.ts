import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Turns } from "../../src/limits/Turns.ts"

describe("turns", () => {
  it("make an owner wait for what it has had, and nobody else", () => {
    const turns = new Turns<string>({ perSecond: 100, burst: 0 })

    turns.take("a", 50, 0)

    assert.deepStrictEqual(
      [turns.waitOf("a", 0), turns.waitOf("a", 400), turns.waitOf("a", 500)],
      [500, 100, 0]
    )
    assert.strictEqual(turns.waitOf("b", 0), 0)
  })

  it("let who has had none lately have some at once", () => {
    const turns = new Turns<string>({ perSecond: 100, burst: 100 })

    turns.take("a", 100, 0)
    assert.strictEqual(turns.waitOf("a", 0), 0)
    turns.take("a", 100, 0)

    assert.strictEqual(turns.waitOf("a", 0), 1_000)
    assert.strictEqual(turns.waitOf("a", 10_000), 0)
  })

  const Step = Schema.Struct({
    bytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
    pause: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000 }))
  })

  it.prop("never give more than the burst and what the time allows", [Schema.Array(Step)], ([steps]) => {
    const turns = new Turns<string>({ perSecond: 100, burst: 200 })
    let now = 0
    let given = 0
    for (const { bytes, pause } of steps) {
      now += turns.waitOf("a", now)
      // What is taken at a turn may go beyond the burst once; the next turn waits for it.
      assert.isAtMost(given, 200 + (now / 1_000) * 100 + 0.001)
      turns.take("a", bytes, now)
      given += bytes
      now += pause
    }
  })
})
