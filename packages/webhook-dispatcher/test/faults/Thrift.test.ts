import { assert, describe } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Effect from "effect/Effect"
import { optionsDefault } from "../../src/DispatcherOptions.ts"
import { Sender } from "../../src/Sender.ts"
import { current, makeDelivery, makeDispatcher, makeKey, test } from "../World.ts"
import { answered, passing, scripted } from "./Scripted.ts"

/** The store, and how often it was asked for deliveries or to keep results. */
const countedStore = Effect.map(DeliveryStore, (store) => {
  const asked = { times: 0 }
  const counted = <A>(work: Effect.Effect<A>) =>
    Effect.suspend(() => {
      asked.times += 1
      return work
    })
  return {
    asked,
    store: DeliveryStore.of({
      ...store,
      claimDue: (options) => counted(store.claimDue(options)),
      settle: (settlements, at) => counted(store.settle(settlements, at))
    })
  }
})

describe("A dispatcher", () => {
  test("asks the store at most once for five deliveries when there are many", function* () {
    const { record } = yield* makeKey()
    const { asked, store } = yield* countedStore
    const { sender } = scripted(() => Effect.succeed(answered(200)))
    const deliveries = yield* Effect.forEach(Array.from({ length: 1_000 }).keys(), (each) =>
      makeDelivery(record, `https://${each % 50}.example.com/hook`)
    )
    yield* makeDispatcher({ pace: optionsDefault.pace }).pipe(
      Effect.provideService(Sender, sender),
      Effect.provideService(DeliveryStore, store)
    )

    yield* passing(20)

    const states = yield* Effect.forEach(deliveries, current)
    assert.isTrue(states.every(({ delivery }) => delivery.state === "delivered"))
    assert.isAtMost(asked.times, deliveries.length / 5)
  })

  test("asks the store at most five times a second when there is nothing to do", function* () {
    yield* makeKey()
    const { asked, store } = yield* countedStore
    yield* makeDispatcher({ pace: optionsDefault.pace }).pipe(Effect.provideService(DeliveryStore, store))

    yield* passing(60)

    assert.isAtMost(asked.times, 60)
  })
})
