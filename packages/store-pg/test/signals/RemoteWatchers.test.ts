import { assert, describe, it } from "@effect/vitest"
import { RemoteWatchers } from "@runhook/store-pg/signals/RemoteWatchers"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

const watchedElsewhere = Effect.map(Clock.Clock, (clock) => new RemoteWatchers(clock))

describe("RemoteWatchers", () => {
  it.effect("takes every account for watched until others could say so", () =>
    Effect.gen(function* () {
      const watched = yield* watchedElsewhere
      yield* TestClock.adjust("1 hour")
      const beforeListening = watched.has("acme")

      watched.listens()

      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual([beforeListening, watched.has("acme")], [true, true])
      yield* TestClock.adjust("1 second")
      assert.isFalse(watched.has("acme"))
    })
  )

  it.effect("takes an account for watched for a minute after it was said, and no other", () =>
    Effect.gen(function* () {
      const watched = yield* watchedElsewhere
      watched.listens()
      yield* TestClock.adjust("2 minutes")

      watched.heard("acme")

      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual([watched.has("acme"), watched.has("other")], [true, false])
      yield* TestClock.adjust("1 second")
      assert.isFalse(watched.has("acme"))
    })
  )
})
