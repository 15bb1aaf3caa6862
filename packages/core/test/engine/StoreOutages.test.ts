import { assert, describe, it } from "@effect/vitest"
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as StoreOutages from "@runhook/core/engine/StoreOutages"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"

/** A store that can go away and come back, what is provided with its outages, and the log of the whole. */
const makeStore = Effect.gen(function* () {
  const lines: Array<string> = []
  const written = Logger.make<unknown, void>(({ logLevel, message }) => {
    lines.push(`${logLevel}: ${String(message)}`)
  })
  let isThere = false
  const check = Effect.suspend(() => (isThere ? Effect.void : Effect.fail("away")))
  const outages = StoreOutages.layer(check).pipe(Layer.provide(Logger.layer([written])))
  const context = yield* Layer.build(outages)
  return {
    lines,
    within: <A>(effect: Effect.Effect<A>) => Effect.provideContext(effect, context),
    comeBack: Effect.sync(() => (isThere = true)),
    goAway: Effect.sync(() => (isThere = false))
  }
})

const absence = new StoreUnavailable({ reason: "nobody listens" })
const refusedSince = new StoreUnavailable({ reason: "its disk is full" })
const refusal = Effect.logError("Request failed", Cause.die(absence))

const isAway = "Warn: The store is away, and requests are refused until it is back: nobody listens"

describe("the log of a service whose store goes away", () => {
  it.effect("says so once, however many requests fail for it", () =>
    Effect.gen(function* () {
      const { lines, within } = yield* makeStore

      yield* within(Effect.repeat(refusal, { times: 99 }))
      yield* TestClock.adjust("29 seconds")

      assert.deepStrictEqual(lines, [isAway])
    })
  )

  it.effect("says so again every 30 seconds, with what was refused last", () =>
    Effect.gen(function* () {
      const { lines, within } = yield* makeStore

      yield* within(refusal)
      yield* TestClock.adjust("30 seconds")
      yield* within(Effect.logWarning("Sweep failed", Cause.fail(refusedSince)))
      yield* TestClock.adjust("30 seconds")

      assert.deepStrictEqual(lines, [
        isAway,
        "Warn: The store is still away: 1 request or round failed for it so far: nobody listens",
        "Warn: The store is still away: 2 requests and rounds failed for it so far: its disk is full"
      ])
    })
  )

  it.effect("says once that it is back, and for how long it was away", () =>
    Effect.gen(function* () {
      const { comeBack, lines, within } = yield* makeStore
      yield* within(Effect.repeat(refusal, { times: 2 }))
      yield* TestClock.adjust("5500 millis")

      yield* comeBack
      yield* TestClock.adjust("10 minutes")

      assert.deepStrictEqual(lines, [
        isAway,
        "Info: The store is back after 6s: 3 requests and rounds failed for it"
      ])
    })
  )

  it.effect("begins anew when it goes away again", () =>
    Effect.gen(function* () {
      const { comeBack, goAway, lines, within } = yield* makeStore
      yield* within(refusal)
      yield* TestClock.adjust("1 second")
      yield* comeBack
      yield* TestClock.adjust("6 seconds")
      yield* goAway

      yield* within(refusal)
      yield* TestClock.adjust("1 second")

      const isBack = "Info: The store is back after 2s: 1 request or round failed for it"
      assert.deepStrictEqual(lines, [isAway, isBack, isAway])
    })
  )

  it.effect("tells one outage of what fails again and again beside a check that succeeds", () =>
    Effect.gen(function* () {
      const { comeBack, lines, within } = yield* makeStore
      yield* comeBack

      yield* within(Effect.andThen(refusal, Effect.sleep("4 seconds"))).pipe(
        Effect.repeat({ times: 5 }),
        Effect.forkChild
      )
      yield* TestClock.adjust("29 seconds")

      assert.deepStrictEqual(lines, [
        isAway,
        "Info: The store is back after 20s: 6 requests and rounds failed for it"
      ])
    })
  )

  it.effect("keeps everything else that is to be said", () =>
    Effect.gen(function* () {
      const { lines, within } = yield* makeStore

      yield* within(Effect.logInfo("Listening"))
      yield* within(Effect.logError("Request failed", Cause.die(new Error("a mistake of ours"))))

      assert.deepStrictEqual(lines, ["Info: Listening", "Error: Request failed"])
    })
  )
})
