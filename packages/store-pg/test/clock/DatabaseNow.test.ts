import { assert, describe, it } from "@effect/vitest"
import { countsFor, DatabaseNow } from "@runhook/store-pg/clock/DatabaseNow"

/** The database's now, as a process counts it whose steady clock a test moves. */
const makeClock = () => {
  const steady = { millis: 7_000 }
  const now = new DatabaseNow(() => steady.millis)
  return {
    now,
    pass: (millis: number) => (steady.millis += millis),
    current: () => now.current?.epochMilliseconds
  }
}

describe("DatabaseNow", () => {
  it("counts on from the last answer, in whole milliseconds, and no further than it is trusted", () => {
    const { current, now, pass } = makeClock()
    const unheard = current()
    now.note(1_000_000)

    const counted = [0, 250.7, countsFor - 251, 1].map((millis) => {
      pass(millis)
      return current()
    })

    assert.isUndefined(unheard)
    assert.deepStrictEqual(counted, [1_000_000, 1_000_250, 1_009_999, undefined])
  })

  it("goes on by an answer that is further", () => {
    const { current, now, pass } = makeClock()
    now.note(1_000_000)
    pass(100)

    now.note(1_000_101)

    pass(9)
    assert.strictEqual(current(), 1_000_110)
  })

  it("is not put back by an answer that took its time, until it has counted for long", () => {
    const { current, now, pass } = makeClock()
    now.note(1_000_000)
    pass(4_999)
    now.note(1_004_000)
    const trusted = current()

    pass(1)
    now.note(1_004_001)

    assert.deepStrictEqual([trusted, current()], [1_004_999, 1_004_001])
  })
})
