import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  type AdaptiveConcurrency,
  concurrencyAfter,
  concurrencyMax,
  concurrencyStart,
  initialConcurrency
} from "../../src/receivers/AdaptiveConcurrency.ts"
import type { AttemptSignal } from "../../src/receivers/AttemptSignal.ts"

const after = (signs: ReadonlyArray<AttemptSignal>, from: AdaptiveConcurrency = initialConcurrency): number =>
  signs.reduce(concurrencyAfter, from).limit

const times = (count: number, signal: AttemptSignal): ReadonlyArray<AttemptSignal> =>
  Arr.replicate(signal, count)

describe("AdaptiveConcurrency", () => {
  it("starts at four and grows by one with each twenty successes", () => {
    assert.deepStrictEqual(
      [0, 19, 20, 39, 40].map((count) => after(times(count, "accepted"))),
      [concurrencyStart, 4, 5, 5, 6]
    )
  })

  it("stops growing at sixteen", () => {
    assert.strictEqual(after(times(1_000, "accepted")), concurrencyMax)
  })

  it("is halved each time the receiver is overloaded, down to one", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map((count) => after(times(count, "overloaded"), { limit: 16, successes: 0 })),
      [8, 4, 2, 1, 1]
    )
  })

  it("counts successes anew after it was halved", () => {
    assert.strictEqual(after([...times(19, "accepted"), "overloaded", "accepted"]), 2)
  })

  it("stays as it is when the receiver refuses, fails or was not asked", () => {
    assert.strictEqual(after(["rejected", "broken", "unreached"]), concurrencyStart)
  })

  it.effect.prop(
    "is between one and sixteen, whatever happens",
    { signs: Schema.Array(Schema.Literals(["accepted", "rejected", "broken", "overloaded", "unreached"])) },
    ({ signs }) =>
      Effect.sync(() => {
        const limit = after(signs)

        assert.isTrue(limit >= 1 && limit <= concurrencyMax)
      })
  )
})
