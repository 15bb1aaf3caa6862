import { assert, describe, it } from "@effect/vitest"
import { RunStore } from "@runhook/core/runs/RunStore"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { Draining } from "@runhook/core/engine/Draining"
import { lastLookMax, lookEvery } from "@runhook/core/engine/LongPoll"
import { adapters, stores, useCases } from "@runhook/test-support/engine/Engine"
import { makeRunner, parked, poll } from "@runhook/test-support/engine/Runner"
import { makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

/** An engine whose store hears no more of sessions as long as the gate is closed. */
const engineBehind = (gate: Latch.Latch) => {
  const behind = Layer.effect(
    RunStore,
    Effect.map(RunStore, (store) =>
      RunStore.of({ ...store, beat: (beat) => Effect.andThen(gate.await, store.beat(beat)) })
    )
  )
  return useCases.pipe(Layer.provideMerge(adapters), Layer.provideMerge(behind), Layer.provideMerge(stores))
}

/** How a poll ends that looks while the store stands still and the service is told to stop. */
const endOf = (freeSlots: number) => {
  const gate = Latch.makeUnsafe(true)
  return Effect.gen(function* () {
    const waiting = yield* parked(poll(yield* makeRunner(yield* makeTenant()), { freeSlots }))
    yield* gate.close
    yield* TestClock.adjust(lookEvery)

    yield* (yield* Draining).begin
    yield* TestClock.adjust(lastLookMax)

    return yield* Fiber.await(waiting)
  }).pipe(Effect.provide(engineBehind(gate)))
}

describe("a poll whose service stops while its store stands still", () => {
  it.effect("is answered by what was last read when it takes no work", () =>
    Effect.gen(function* () {
      const exit = yield* endOf(0)

      assert.deepStrictEqual(Exit.isSuccess(exit) && exit.value.claims, [])
    })
  )

  it.effect("is to be repeated under its claim when it may just have taken work", () =>
    Effect.gen(function* () {
      const exit = yield* endOf(1)

      assert.isTrue(Exit.isFailure(exit) && isStoreUnavailable(Cause.squash(exit.cause)))
    })
  )
})
