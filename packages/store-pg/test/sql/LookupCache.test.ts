import { assert, describe, it } from "@effect/vitest"
import { cacheAll, cachedFor, makeLookupCache } from "@runhook/core/engine/LookupCache"
import { cacheFound } from "@runhook/store-pg/sql/LookupCache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import { TransactionConnection } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"

/** A client whose caller has no transaction open. */
const outside = { transactionService: TransactionConnection(0) }

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

describe("LookupCache", () => {
  it("lets a revoked key open nothing any more within five seconds", () => {
    assert.isAtMost(Duration.toSeconds(cachedFor), 5)
  })

  it.effect("asks once in a while for what is there", () =>
    Effect.gen(function* () {
      const { asked, lookup } = counting(Effect.succeed("found"))
      const answers = cacheFound(outside, lookup)

      yield* Effect.all([answers.get("key"), answers.get("key")], { concurrency: "unbounded" })
      yield* answers.get("key")
      yield* TestClock.adjust(cachedFor)
      yield* answers.get("key")

      assert.deepStrictEqual(asked, ["key", "key"])
    })
  )

  it.effect("asks beside for what is asked again shortly before it ends, and lets nobody wait", () =>
    Effect.gen(function* () {
      const isThere = yield* Latch.make(true)
      const { asked, lookup } = counting(Effect.as(isThere.await, "found"))
      const answers = cacheFound(outside, lookup)
      yield* answers.get("key")
      yield* TestClock.adjust(Duration.times(cachedFor, 0.5))
      yield* answers.get("key")
      const counts = [asked.length]
      yield* isThere.close

      yield* TestClock.adjust(Duration.times(cachedFor, 0.25))
      const meanwhile = yield* Effect.all([answers.get("key"), answers.get("key")])
      yield* Effect.yieldNow
      counts.push(asked.length)
      yield* isThere.open
      yield* TestClock.adjust(Duration.times(cachedFor, 0.5))
      const after = yield* answers.get("key")

      assert.deepStrictEqual([...meanwhile, after], ["found", "found", "found"])
      assert.deepStrictEqual([...counts, asked.length], [1, 2, 2])
    })
  )

  it.effect("asks again when what it asked beside has failed, and remembers no longer for that", () =>
    Effect.gen(function* () {
      let isAway = false
      const { asked, lookup } = counting(
        Effect.suspend(() => (isAway ? Effect.fail("away") : Effect.succeed("found")))
      )
      const answers = cacheFound(outside, lookup)
      yield* answers.get("key")
      isAway = true

      yield* TestClock.adjust(Duration.times(cachedFor, 0.75))
      const meanwhile = yield* answers.get("key")
      yield* TestClock.adjust(Duration.times(cachedFor, 0.25))
      const after = yield* Effect.flip(answers.get("key"))

      assert.deepStrictEqual([meanwhile, after, asked.length], ["found", "away", 3])
    })
  )

  it.effect("asks once in a while for what is not there, where that is remembered too", () =>
    Effect.gen(function* () {
      const { asked, lookup } = counting(Effect.succeed(undefined))
      const answers = cacheAll(lookup)

      yield* answers.get("key")
      yield* answers.get("key")
      yield* answers.forget
      yield* answers.get("key")
      yield* TestClock.adjust(cachedFor)
      yield* answers.get("key")

      assert.deepStrictEqual(asked, ["key", "key", "key"])
    })
  )

  it.effect("asks each time for what is not there, and after a failure", () =>
    Effect.gen(function* () {
      for (const answer of [Effect.succeed(undefined), Effect.fail("away")]) {
        const { asked, lookup } = counting<undefined, string>(answer)
        const answers = cacheFound(outside, lookup)

        yield* Effect.exit(answers.get("key"))
        yield* Effect.exit(answers.get("key"))

        assert.deepStrictEqual(asked, ["key", "key"])
      }
    })
  )

  it.effect("gives those who ask the same at once one answer, or one failure", () =>
    Effect.gen(function* () {
      const isThere = yield* Latch.make()
      const { asked, lookup } = counting(Effect.andThen(isThere.await, Effect.fail("away")))
      const answers = cacheFound(outside, lookup)
      const asking = Effect.replicateEffect(Effect.flip(answers.get("key")), 3, { concurrency: "unbounded" })
      const told = yield* Effect.forkChild(asking, { startImmediately: true })

      yield* isThere.open

      assert.deepStrictEqual(yield* Fiber.join(told), ["away", "away", "away"])
      assert.deepStrictEqual(asked, ["key"])
    })
  )

  it.effect("asks for those who wait when the first to ask is called off", () =>
    Effect.gen(function* () {
      const isThere = yield* Latch.make()
      const { asked, lookup } = counting(Effect.as(isThere.await, "found"))
      const answers = cacheFound(outside, lookup)
      const first = yield* Effect.forkChild(answers.get("key"), { startImmediately: true })
      const second = yield* Effect.forkChild(answers.get("key"), { startImmediately: true })

      yield* Fiber.interrupt(first)
      yield* isThere.open

      assert.strictEqual(yield* Fiber.join(second), "found")
      assert.deepStrictEqual(asked, ["key", "key"])
    })
  )

  it.effect("does not remember what was asked before it had to forget", () =>
    Effect.gen(function* () {
      const isThere = yield* Latch.make()
      const { asked, lookup } = counting(Effect.as(isThere.await, "found"))
      const answers = cacheFound(outside, lookup)
      const before = yield* Effect.forkChild(answers.get("key"), { startImmediately: true })

      yield* answers.forget
      yield* isThere.open
      yield* Fiber.join(before)
      yield* answers.get("key")

      assert.deepStrictEqual(asked, ["key", "key"])
    })
  )

  it.effect("forgets the oldest of too many", () =>
    Effect.gen(function* () {
      const { asked, lookup } = counting(Effect.succeed("found"))
      const answers = makeLookupCache({ lookup, isKept: () => true, keptMax: 2 })

      for (const key of ["a", "b", "c", "b", "a"]) yield* answers.get(key)

      assert.deepStrictEqual(asked, ["a", "b", "c", "a"])
    })
  )
})
