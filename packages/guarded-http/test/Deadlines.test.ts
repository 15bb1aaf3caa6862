import { assert, describe, it } from "@effect/vitest"
import { Deadlines } from "@runhook/guarded-http/Deadlines"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

/** Notes which expire. */
const noting = Effect.gen(function* () {
  const deadlines = yield* Deadlines.make(Duration.seconds(12))
  const expired: Array<string> = []
  return { deadlines, expired, begin: (name: string) => deadlines.begin(() => expired.push(name)) }
})

describe("Deadlines", () => {
  it.effect("expire each after the limit, to the millisecond", () =>
    Effect.gen(function* () {
      const { begin, expired } = yield* noting
      begin("first")
      yield* TestClock.adjust("5 seconds")
      begin("second")

      yield* TestClock.adjust("6999 millis")
      const early = [...expired]
      yield* TestClock.adjust("1 millis")
      const first = [...expired]
      yield* TestClock.adjust("4999 millis")
      const between = [...expired]
      yield* TestClock.adjust("1 millis")

      assert.deepStrictEqual(
        [early, first, between, expired],
        [[], ["first"], ["first"], ["first", "second"]]
      )
    })
  )

  it.effect("do not expire once they are over, and let others expire that began later", () =>
    Effect.gen(function* () {
      const { begin, deadlines, expired } = yield* noting
      const first = begin("first")
      yield* TestClock.adjust("5 seconds")
      begin("second")
      deadlines.over(first)

      yield* TestClock.adjust("12 seconds")

      assert.deepStrictEqual(expired, ["second"])
    })
  )

  it.effect("expire after a time in which there were none", () =>
    Effect.gen(function* () {
      const { begin, deadlines, expired } = yield* noting
      deadlines.over(begin("over"))
      yield* TestClock.adjust("1 hour")

      begin("late")
      yield* TestClock.adjust("12 seconds")

      assert.deepStrictEqual(expired, ["late"])
    })
  )

  it.effect("expire together when they began together", () =>
    Effect.gen(function* () {
      const { begin, expired } = yield* noting
      begin("one")
      begin("other")

      yield* TestClock.adjust("12 seconds")

      assert.deepStrictEqual(expired, ["one", "other"])
    })
  )
})
