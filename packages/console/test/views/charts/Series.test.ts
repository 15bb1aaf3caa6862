import { assert, describe, it } from "vitest"
import {
  arrivedShare,
  backlog,
  durationSplits,
  isSparse,
  newDead,
  tickWords
} from "../../../src/views/charts/Series.ts"

const callbacks = (delivered: number, failed_attempts: number, dead = 0) => ({
  callbacks: { delivered, failed_attempts, dead }
})

const moved = (created: number, started: number, never_started = 0) => ({ created, started, never_started })

describe("lines of charts", () => {
  it("have no share where nothing was sent", () => {
    assert.deepStrictEqual(
      arrivedShare([callbacks(3, 1), callbacks(0, 0), callbacks(0, 2), { callbacks: null }]),
      [0.75, null, 0, null]
    )
    assert.deepStrictEqual(newDead([callbacks(0, 0, 7), { callbacks: null }]), [7, 0])
  })

  it("tell backwards from now how many waited", () => {
    // 5 wait now. In the last hour 8 came, 4 began and 1 was stopped before: so 2 waited when it began.
    assert.deepStrictEqual(backlog([moved(2, 0), moved(8, 4, 1)], 5), [2, 5])
  })

  it("never tell that fewer than none waited", () => {
    assert.deepStrictEqual(backlog([moved(0, 0), moved(9, 0)], 2), [0, 2])
  })

  it("of durations are read at steps that people know, few of them", () => {
    assert.deepStrictEqual(durationSplits(50, 20_000), [100, 1_000, 10_000])
    assert.isAtMost(durationSplits(1, 90_000_000).length, 5)
  })

  it("show their points while there are few", () => {
    assert.isTrue(isSparse([null, 0.5, null]))
    assert.isFalse(isSparse(Array.from({ length: 25 }, () => 1)))
  })

  it("have days below them, or hours where they are of one", () => {
    const at = Date.parse("2026-11-16T12:00:00Z") / 1_000

    assert.strictEqual(tickWords(at, [at, at + 6 * 86_400], "utc"), "16 Nov")
    assert.strictEqual(tickWords(at, [at, at + 3_600], "utc"), "12:00")
  })
})
