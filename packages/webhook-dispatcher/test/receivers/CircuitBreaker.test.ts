import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AttemptSignal } from "../../src/receivers/AttemptSignal.ts"
import { failuresAfter, openFor } from "../../src/receivers/CircuitBreaker.ts"

const inARow = (...signs: ReadonlyArray<AttemptSignal>): number => signs.reduce(failuresAfter, 0)

describe("CircuitBreaker", () => {
  it("counts failures in a row", () => {
    assert.strictEqual(inARow("accepted", "broken", "overloaded", "broken"), 3)
  })

  it("begins anew once the receiver answers, be it that it refuses", () => {
    assert.deepStrictEqual([inARow("broken", "accepted"), inARow("broken", "broken", "rejected")], [0, 0])
  })

  it("counts nothing when the receiver was not asked", () => {
    assert.strictEqual(inARow("broken", "unreached", "broken"), 2)
  })

  it("stays open for ten seconds, and doubles up to five minutes", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5, 100].map((openings) => Duration.toSeconds(openFor({ openings, random: 0.5 }))),
      [10, 20, 40, 80, 160, 300, 300]
    )
  })

  it.effect.prop(
    "varies each time by up to a fifth, and no more",
    {
      openings: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
      random: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999 }))
    },
    ({ openings, random }) =>
      Effect.sync(() => {
        const middle = Duration.toSeconds(openFor({ openings, random: 0.5 }))

        const seconds = Duration.toSeconds(openFor({ openings, random }))

        assert.isTrue(seconds >= middle * 0.8 - 0.001 && seconds <= middle * 1.2 + 0.001)
      })
  )
})
