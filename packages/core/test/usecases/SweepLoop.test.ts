import { assert, describe, it } from "@effect/vitest"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import { Sweeps } from "@runhook/core/Sweeps"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { adapters, engine, stores, useCases } from "./Engine.ts"
import { anExecution, aTenant, current, second } from "./Tenant.ts"

/** How many more rounds the store fails in. */
class RoundsToFail extends Context.Service<RoundsToFail, Ref.Ref<number>>()(
  "@runhook/core/test/usecases/RoundsToFail"
) {
  static readonly layer = Layer.effect(RoundsToFail, Ref.make(0))
}

const failingStore = Layer.effect(
  SweepStore,
  Effect.gen(function* () {
    const store = yield* SweepStore
    const roundsToFail = yield* RoundsToFail
    return SweepStore.of({
      ...store,
      expireLeases: Effect.fnUntraced(function* (round) {
        const left = yield* Ref.getAndUpdate(roundsToFail, (count) => Math.max(0, count - 1))
        return left === 0
          ? yield* store.expireLeases(round)
          : yield* Effect.die(new Error("the database is away"))
      })
    })
  })
)

const engineOnFailingStore = useCases.pipe(
  Layer.provideMerge(failingStore),
  Layer.provideMerge(adapters),
  Layer.provideMerge(Layer.merge(stores, RoundsToFail.layer))
)

describe("Sweeps.layerLoop", () => {
  it.effect("sweeps every second", () =>
    Effect.gen(function* () {
      const execution = yield* anExecution(yield* aTenant(), { expiresAt: second(7) })
      yield* Layer.build(Sweeps.layerLoop)

      yield* TestClock.adjust("6 seconds")
      const before = yield* current(execution)
      yield* TestClock.adjust("1 seconds")

      assert.strictEqual(before.status, "queued")
      assert.strictEqual((yield* current(execution)).status, "cancelled")
    }).pipe(Effect.provide(engine))
  )

  it.effect("goes on after a sweep that failed, with the other sweeps and with the next rounds", () =>
    Effect.gen(function* () {
      const execution = yield* anExecution(yield* aTenant(), { expiresAt: second(1) })
      const roundsToFail = yield* RoundsToFail
      yield* Ref.set(roundsToFail, 3)
      yield* Layer.build(Sweeps.layerLoop)

      yield* TestClock.adjust("1 seconds")
      const swept = yield* current(execution)
      yield* TestClock.adjust("1 seconds")

      assert.strictEqual(swept.status, "cancelled")
      assert.strictEqual(yield* Ref.get(roundsToFail), 0)
    }).pipe(Effect.provide(engineOnFailingStore))
  )

  it.effect("ends with its scope", () =>
    Effect.gen(function* () {
      const execution = yield* anExecution(yield* aTenant(), { expiresAt: second(5) })
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Sweeps.layerLoop, scope)
      yield* TestClock.adjust("4 seconds")

      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 minute")

      assert.strictEqual((yield* current(execution)).status, "queued")
    }).pipe(Effect.provide(engine))
  )
})
