import { assert, describe, it } from "@effect/vitest"
import * as Forgetting from "@runhook/core/Forgetting"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

const retention = { delivered: Duration.days(30), dead: Duration.days(90) }

/** A store whose walks end after so many turns, the first of which fails; it counts them. */
const aStore = Effect.gen(function* () {
  const store = yield* SweepStore
  const turns: Array<number> = []
  const forgetDeliveries: SweepStore["Service"]["forgetDeliveries"] = (round) =>
    Effect.suspend(() => {
      turns.push(round.limit)
      return turns.length === 1
        ? Effect.die(new Error("the database is away"))
        : Effect.as(store.forgetDeliveries(round), { forgotten: 0, hasMore: turns.length % 3 !== 0 })
    })
  return { turns, store: SweepStore.of({ ...store, forgetDeliveries }) }
}).pipe(Effect.provide(Layer.provide(MemoryStore.layer, layerWebCrypto)))

describe("Forgetting", () => {
  it.effect("walks on while there is more, then rests for an hour, and so it does when the store fails", () =>
    Effect.gen(function* () {
      const { store, turns } = yield* aStore
      yield* Layer.build(Layer.provide(Forgetting.layerLoop(retention), Layer.succeed(SweepStore, store)))
      const countAfter = (time: Duration.Input) => Effect.map(TestClock.adjust(time), () => turns.length)

      const counts = [
        yield* countAfter("59 minutes"),
        yield* countAfter("2 minutes"),
        yield* countAfter("58 minutes"),
        yield* countAfter("2 minutes")
      ]

      assert.deepStrictEqual(counts, [1, 3, 3, 6])
      assert.deepStrictEqual(new Set(turns), new Set([1_000]))
    })
  )
})
