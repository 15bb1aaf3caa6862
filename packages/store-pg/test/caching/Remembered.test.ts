import { assert, describe, it } from "@effect/vitest"
import { remember, rememberAll, rememberedFor } from "@runhook/store-pg/caching/Remembered"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

/** A lookup that counts how often it was asked. */
const counting = <A, E>(answer: Effect.Effect<A, E>) => {
  const asked: Array<string> = []
  const lookup = (key: string) =>
    Effect.andThen(
      Effect.sync(() => asked.push(key)),
      answer
    )
  return { asked, lookup }
}

describe("Remembered", () => {
  it("lets a revoked key open nothing any more within five seconds", () => {
    assert.isAtMost(Duration.toSeconds(rememberedFor), 5)
  })

  it.effect("asks once in a while for what is there", () =>
    Effect.gen(function* () {
      const { asked, lookup } = counting(Effect.succeed("found"))
      const answers = yield* remember(lookup)

      yield* Effect.all([answers.get("key"), answers.get("key")], { concurrency: "unbounded" })
      yield* answers.get("key")
      yield* TestClock.adjust(rememberedFor)
      yield* answers.get("key")

      assert.deepStrictEqual(asked, ["key", "key"])
    })
  )

  it.effect("asks once in a while for what is not there, where that is remembered too", () =>
    Effect.gen(function* () {
      const { asked, lookup } = counting(Effect.succeed(undefined))
      const answers = yield* rememberAll(lookup)

      yield* answers.get("key")
      yield* answers.get("key")
      yield* answers.forget
      yield* answers.get("key")
      yield* TestClock.adjust(rememberedFor)
      yield* answers.get("key")

      assert.deepStrictEqual(asked, ["key", "key", "key"])
    })
  )

  it.effect("asks each time for what is not there, and after a failure", () =>
    Effect.gen(function* () {
      for (const answer of [Effect.succeed(undefined), Effect.fail("away")]) {
        const { asked, lookup } = counting<undefined, string>(answer)
        const answers = yield* remember(lookup)

        yield* Effect.exit(answers.get("key"))
        yield* Effect.exit(answers.get("key"))

        assert.deepStrictEqual(asked, ["key", "key"])
      }
    })
  )
})
