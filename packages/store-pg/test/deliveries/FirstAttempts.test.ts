/** Which attempts have rows of their own: most do not, and that is most of what a delivery would write. */
import { assert, describe, it } from "@effect/vitest"
import type { EventId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import {
  attemptOf,
  claimAll,
  makeClaimedDelivery,
  stored
} from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, "caller")))
)

const rowsOf = Effect.fnUntraced(function* (id: EventId) {
  const sql = yield* SqlClient
  return yield* sql`
    SELECT round, number FROM webhook_attempts WHERE delivery_id = ${id}::uuid ORDER BY round, number`
})

/** A delivery that was made at once, and then once more as somebody asked. */
const makeReplayedDelivery = Effect.fnUntraced(function* () {
  const store = yield* DeliveryStore
  const { claimed, sender } = yield* makeClaimedDelivery()
  const { accountId } = sender
  const made = { status: 204, error: null, responseBody: null }
  const first = attemptOf(claimed, made)
  yield* store.settle([{ accountId, attempt: first, verdict: { _tag: "Delivered" } }], second(2))
  const before = yield* rowsOf(claimed.id)
  yield* store.replay({ accountId, id: claimed.id, at: second(3) })
  const [again] = yield* claimAll(sender, { at: second(3) })
  assert(again)
  const repeated = attemptOf(again, { ...made, startedAt: second(3) })
  yield* store.settle([{ accountId, attempt: repeated, verdict: { _tag: "Delivered" } }], second(4))
  return { sender, id: claimed.id, before, attempts: [first, repeated] }
})

describe("the first attempt of a delivery", () => {
  it.layer(stores)((it) => {
    it.effect("is in the row of the delivery when it made it, and stays there when it is replayed", () =>
      Effect.gen(function* () {
        const { attempts, before, id, sender } = yield* makeReplayedDelivery()

        assert.deepStrictEqual(before, [])
        assert.deepStrictEqual(yield* rowsOf(id), [{ round: 2, number: 1 }])
        assert.deepStrictEqual((yield* stored(sender, id)).attempts, attempts)
      })
    )

    it.effect("has a row of its own when it failed, as those after it have", () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const { claimed, sender } = yield* makeClaimedDelivery()
        const { accountId } = sender
        const retry = { _tag: "Retry", nextAttemptAt: second(3) } as const
        yield* store.settle([{ accountId, attempt: attemptOf(claimed), verdict: retry }], second(2))
        const [again] = yield* claimAll(sender, { at: second(3) })
        assert(again)
        const last = attemptOf(again, { status: 200, error: null })
        yield* store.settle([{ accountId, attempt: last, verdict: { _tag: "Delivered" } }], second(4))

        assert.deepStrictEqual(yield* rowsOf(claimed.id), [
          { round: 1, number: 1 },
          { round: 1, number: 2 }
        ])
      })
    )
  })
})
