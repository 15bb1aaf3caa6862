import { assert, describe, it } from "@effect/vitest"
import { AccountId, EventId } from "@runhook/core/domain/Ids"
import { DeliveryStore, type Settlement } from "@runhook/core/ports/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Settler from "../src/Settler.ts"
import { world } from "./World.ts"

const id = "0190a8f0-0000-7000-8000-000000000000"

const settlement: Settlement = {
  accountId: AccountId.make(id),
  attempt: {
    deliveryId: EventId.make(id),
    round: 1,
    number: 1,
    startedAt: DateTime.makeUnsafe(0),
    durationMs: 1,
    phase: "done",
    status: 200,
    error: null,
    remoteAddress: null,
    responseHeaders: {},
    responseBody: "",
    isTruncated: false
  },
  verdict: { _tag: "Delivered" }
}

describe("Settler", () => {
  it.effect("stores together what gathers while the store is busy", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const isIdle = yield* Latch.make()
      const sizes: Array<number> = []
      const busy = DeliveryStore.of({
        ...store,
        settle: (settlements, at) =>
          Effect.suspend(() => {
            sizes.push(settlements.length)
            return Effect.andThen(isIdle.await, store.settle(settlements, at))
          })
      })
      const settle = yield* Settler.make({ lease: Duration.seconds(45) }).pipe(
        Effect.provideService(DeliveryStore, busy)
      )
      const first = yield* Effect.forkChild(settle(settlement))
      yield* Effect.yieldNow
      const others = yield* Effect.forkChild(
        Effect.replicateEffect(settle(settlement), 300, { concurrency: "unbounded" })
      )
      yield* Effect.yieldNow

      yield* isIdle.open

      yield* Fiber.join(first)
      yield* Fiber.join(others)
      assert.deepStrictEqual(sizes, [1, 256, 44])
    }).pipe(Effect.provide(world))
  )
})
