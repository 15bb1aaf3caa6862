import { assert, describe, it } from "@effect/vitest"
import { Stopwatch } from "@runhook/guarded-http/Stopwatch"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

const make = Effect.map(Clock.Clock, (clock) => new Stopwatch<"first" | "second">(clock))

describe("Stopwatch", () => {
  it.effect("measures each part until the next begins, and the last until it is stopped", () =>
    Effect.gen(function* () {
      const stopwatch = yield* make
      stopwatch.begin("first")
      yield* TestClock.adjust(10)
      stopwatch.begin("second")
      yield* TestClock.adjust(20)
      stopwatch.stop()
      yield* TestClock.adjust(40)

      assert.deepStrictEqual([stopwatch.millis("first"), stopwatch.millis("second")], [10, 20])
    })
  )

  it.effect("goes on counting a part that begins again", () =>
    Effect.gen(function* () {
      const stopwatch = yield* make
      stopwatch.begin("first")
      yield* TestClock.adjust(10)
      stopwatch.begin("second")
      stopwatch.begin("first")
      yield* TestClock.adjust(5)

      assert.strictEqual(stopwatch.millis("first"), 15)
    })
  )

  it.effect("knows nothing of a part that never began", () =>
    Effect.gen(function* () {
      assert.isNull((yield* make).millis("first"))
    })
  )

  it.effect("takes a clock that is set back for one that stood still", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const stopwatch = yield* make
      stopwatch.begin("first")

      yield* TestClock.setTime(0)

      assert.strictEqual(stopwatch.millis("first"), 0)
    })
  )
})
