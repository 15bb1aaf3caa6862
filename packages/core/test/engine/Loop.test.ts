import { assert, describe, it } from "@effect/vitest"
import * as Loop from "@runhook/core/engine/Loop"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { TestClock } from "effect/testing"

/** Does as the script says, turn by turn, and counts the turns. */
const turning = <A>(script: ReadonlyArray<Effect.Effect<A>>, otherwise: Effect.Effect<A>) => {
  let turns = 0
  const turn = Effect.suspend(() => {
    turns += 1
    return script[turns - 1] ?? otherwise
  })
  return { turn, turns: () => turns }
}

describe("Loop", () => {
  it.effect("goes on after a round that failed, once it has waited", () =>
    Effect.gen(function* () {
      const { turn, turns } = turning([Effect.die("broken")], Effect.never)
      const loop = Loop.forever(turn, { failure: "It failed", afterFailure: Effect.sleep("3 seconds") })
      yield* Effect.forkChild(loop, { startImmediately: true })

      yield* TestClock.adjust("2999 millis")
      const early = turns()
      yield* TestClock.adjust("1 millis")

      assert.deepStrictEqual([early, turns()], [1, 2])
    })
  )

  it.effect("ends with a round that is interrupted", () =>
    Effect.gen(function* () {
      const { turn, turns } = turning([Effect.interrupt], Effect.never)

      const exit = yield* Effect.exit(Loop.forever(turn, { failure: "It failed", afterFailure: Effect.void }))

      assert.isTrue(Exit.hasInterrupts(exit))
      assert.strictEqual(turns(), 1)
    })
  )

  it.effect(
    "takes its next turn soon while there is more to do, and an hour after the last or a failure",
    () =>
      Effect.gen(function* () {
        const { turn, turns } = turning([Effect.succeed(true), Effect.die("broken")], Effect.succeed(false))
        yield* Loop.hourly(turn, "It failed")
        const counts: Array<number> = []
        for (const millis of [0, 99, 1, 3_599_999, 1, 3_599_999, 1]) {
          yield* TestClock.adjust(millis)
          counts.push(turns())
        }

        assert.deepStrictEqual(counts, [1, 1, 2, 2, 3, 3, 4])
      })
  )
})
