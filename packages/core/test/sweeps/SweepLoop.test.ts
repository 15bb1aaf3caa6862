import { assert, describe, it } from "@effect/vitest"
import { Sweeps } from "@runhook/core/sweeps/Sweeps"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { second } from "@runhook/store-testing/Fixtures"
import { adapters, stores, useCases } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { current, executionsOf, makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"

/** What a store is asked, and how many times more each of its verbs fails. */
class Asked extends Context.Service<
  Asked,
  { readonly verbs: Array<keyof SweepStore["Service"]>; readonly failures: Map<string, number> }
>()("@runhook/core/test/sweeps/Asked") {
  static readonly layer = Layer.sync(Asked, () => ({ verbs: [], failures: new Map() }))
}

const watchedStore = Layer.effect(
  SweepStore,
  Effect.gen(function* () {
    const store = yield* SweepStore
    const { failures, verbs } = yield* Asked

    const watched = <A>(verb: keyof SweepStore["Service"], answer: Effect.Effect<A>) =>
      Effect.suspend(() => {
        verbs.push(verb)
        const left = failures.get(verb) ?? 0
        failures.set(verb, left - 1)
        return left > 0 ? Effect.die(new Error("the database is away")) : answer
      })

    return SweepStore.of({
      nextDueAt: (at) => watched("nextDueAt", store.nextDueAt(at)),
      expireLeases: (round) => watched("expireLeases", store.expireLeases(round)),
      timeOutRuns: (round) => watched("timeOutRuns", store.timeOutRuns(round)),
      expireInputs: (round) => watched("expireInputs", store.expireInputs(round)),
      expireExecutions: (round) => watched("expireExecutions", store.expireExecutions(round)),
      giveSeats: (round) => watched("giveSeats", store.giveSeats(round)),
      nextSeatAt: (at) => watched("nextSeatAt", store.nextSeatAt(at)),
      prune: (of, round) => watched("prune", store.prune(of, round)),
      leftOvers: (limit) => watched("leftOvers", store.leftOvers(limit)),
      strays: (names) => watched("strays", store.strays(names)),
      dropLeftOvers: (leftOvers) => watched("dropLeftOvers", store.dropLeftOvers(leftOvers))
    })
  })
)

const watchedEngine = useCases.pipe(
  Layer.provideMerge(watchedStore),
  Layer.provideMerge(adapters),
  Layer.provideMerge(Layer.merge(stores, Asked.layer))
)

describe("Sweeps.layerLoop", () => {
  test("sweeps when something falls due", function* () {
    const execution = yield* makeExecution(yield* makeTenant(), { expiresAt: second(7) })
    yield* Layer.build(Sweeps.layerLoop)

    yield* TestClock.adjust("6999 millis")
    const before = yield* current(execution)
    yield* TestClock.adjust("1 millis")

    assert.strictEqual(before.status, "queued")
    assert.strictEqual((yield* current(execution)).status, "cancelled")
  })

  test.each([1, 5, 6, 60])(
    "sweeps in time what came to be while it waits, and is due %d s later",
    function* (seconds) {
      const tenant = yield* makeTenant()
      yield* Layer.build(Sweeps.layerLoop)
      yield* TestClock.adjust("1 seconds")
      const execution = yield* makeExecution(tenant, { expiresAt: second(1 + seconds) })

      yield* TestClock.adjust(Duration.seconds(seconds))

      assert.strictEqual((yield* current(execution)).status, "cancelled")
    }
  )

  it.effect("asks an idle store once in five seconds, and for nothing else", () =>
    Effect.gen(function* () {
      const { verbs } = yield* Asked
      yield* makeExecution(yield* makeTenant())
      yield* Layer.build(Sweeps.layerLoop)

      yield* TestClock.adjust("100 seconds")

      assert.deepStrictEqual(verbs, Array.replicate("nextDueAt", 21))
    }).pipe(Effect.provide(watchedEngine))
  )

  it.effect("sweeps once a second at most, however much falls due", () =>
    Effect.gen(function* () {
      const { verbs } = yield* Asked
      const tenant = yield* makeTenant()
      yield* Layer.build(Sweeps.layerLoop)
      yield* Effect.forEach(Array.range(1, 100), (tenth) =>
        makeExecution(tenant, { expiresAt: DateTime.add(second(0), { milliseconds: 100 * tenth }) })
      )

      yield* TestClock.adjust("11 seconds")

      const statuses = (yield* executionsOf(tenant)).map(({ status }) => status)
      assert.deepStrictEqual(statuses, Array.replicate("cancelled", 100))
      assert.isAtMost(verbs.filter((verb) => verb === "expireExecutions").length, 12)
    }).pipe(Effect.provide(watchedEngine))
  )

  it.effect("goes on after a sweep that failed, with the other sweeps and with the next rounds", () =>
    Effect.gen(function* () {
      const { failures, verbs } = yield* Asked
      failures.set("expireLeases", 1)
      const tenant = yield* makeTenant()
      const execution = yield* makeExecution(tenant, { expiresAt: second(1) })
      const later = yield* makeExecution(tenant, { expiresAt: second(3) })
      yield* Layer.build(Sweeps.layerLoop)

      yield* TestClock.adjust("1 seconds")
      const swept = yield* current(execution)
      yield* TestClock.adjust("2 seconds")

      assert.strictEqual(swept.status, "cancelled")
      assert.strictEqual((yield* current(later)).status, "cancelled")
      assert.strictEqual(verbs.filter((verb) => verb === "expireLeases").length, 2)
    }).pipe(Effect.provide(watchedEngine))
  )

  it.effect("asks again when the store could not say what is due", () =>
    Effect.gen(function* () {
      const { failures } = yield* Asked
      failures.set("nextDueAt", 1)
      const execution = yield* makeExecution(yield* makeTenant(), { expiresAt: second(1) })
      yield* Layer.build(Sweeps.layerLoop)

      yield* TestClock.adjust("5 seconds")

      assert.strictEqual((yield* current(execution)).status, "cancelled")
    }).pipe(Effect.provide(watchedEngine))
  )

  test("ends with its scope", function* () {
    const execution = yield* makeExecution(yield* makeTenant(), { expiresAt: second(5) })
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(Sweeps.layerLoop, scope)
    yield* TestClock.adjust("4 seconds")

    yield* Scope.close(scope, Exit.void)
    yield* TestClock.adjust("1 minute")

    assert.strictEqual((yield* current(execution)).status, "queued")
  })
})
