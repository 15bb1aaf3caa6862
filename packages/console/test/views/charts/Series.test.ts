import { assert, describe, it } from "vitest"
import { arrivedShare, backlog, isSparse, newDead } from "../../../src/views/charts/Series.ts"

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

  it("show their points while there are few", () => {
    assert.isTrue(isSparse([null, 0.5, null]))
    assert.isFalse(isSparse(Array.from({ length: 25 }, () => 1)))
  })
})
