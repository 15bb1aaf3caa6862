import { assert, describe, it } from "@effect/vitest"
import { concurrencyMax, concurrencyStart } from "../../src/receivers/AdaptiveConcurrency.ts"
import { aheadMax, answerMsAfter, lowWaterOf, type Pace, windowOf } from "../../src/receivers/LeaseWindow.ts"

const pace = (given: Partial<Pace> & { readonly limit?: number }): Pace => ({
  concurrency: { limit: given.limit ?? concurrencyStart, successes: 0 },
  failures: 0,
  answerMs: 10,
  ...given
})

describe("LeaseWindow", () => {
  it("is what is sent at once until the receiver has answered, and after a failure", () => {
    assert.deepStrictEqual(
      [pace({ answerMs: null }), pace({ failures: 1 }), pace({ limit: 1, failures: 3 })].map(windowOf),
      [concurrencyStart, concurrencyStart, 1]
    )
  })

  it("is what a receiver answers within five seconds, and no more than so many lines", () => {
    const windows = [10, 625, 1_000, 2_500, 5_000, 11_000].map((answerMs) =>
      windowOf(pace({ limit: concurrencyMax, answerMs }))
    )

    assert.deepStrictEqual(windows, [concurrencyMax * aheadMax, 128, 80, 32, 16, 16])
  })

  it("is filled again at half, or as soon as a place stays empty", () => {
    assert.deepStrictEqual(
      [pace({ limit: 16 }), pace({ limit: 16, answerMs: 4_000 }), pace({ answerMs: null })].map(lowWaterOf),
      [(16 * aheadMax) / 2, 15, 3]
    )
  })

  it("goes by the answers of late", () => {
    const average = Array.from({ length: 50 }, () => 100).reduce(answerMsAfter, 10_000)

    assert.deepStrictEqual([answerMsAfter(null, 800), Math.round(average / 100)], [800, 1])
  })
})
