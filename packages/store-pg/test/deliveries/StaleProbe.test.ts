/** A probe that was judged by what a delivery was before others changed it. */
import { assert, describe, it } from "@effect/vitest"
import { claimDue } from "@runhook/core/deliveries/steps/DeliverySteps"
import { DispatcherId, newId } from "@runhook/core/shared/Ids"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import { DeliverySteps } from "@runhook/store-pg/deliveries/steps/DeliverySteps"
import * as StoreSteps from "@runhook/store-pg/deliveries/steps/StoreSteps"
import * as PgStore from "@runhook/store-pg/PgStore"
import { lease, makeDelivery, makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"

const layer = Layer.merge(PgStore.layerStores, StoreSteps.layer).pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(Layer.merge(layerMigrated, SecureRandom.layerWebCrypto))
)

describe("A probe of a delivery that others have changed", () => {
  it.layer(layer)((it) => {
    it.effect("is not claimed, and does not hold its receiver", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const steps = yield* DeliverySteps
        const sender = yield* makeSender()
        const delivery = yield* makeDelivery(sender)
        const dispatcher = yield* newId(DispatcherId)
        const [account] = yield* sql<{ readonly bucket: number }>`
          SELECT bucket FROM accounts WHERE id = ${sender.accountId}::uuid`
        const bucket = account?.bucket ?? 0
        yield* sql`
          INSERT INTO webhook_receivers (bucket, account_id, origin, openings)
          VALUES (${bucket}::smallint, ${sender.accountId}::uuid, ${new URL(delivery.url).origin}::text, 1)`
        const receiver = { openings: 1, heldUntil: null, closedAt: null }
        const probe = (before: typeof delivery) =>
          claimDue([{ delivery: before, isTried: false, receiver, turns: [] }], {
            at: second(1),
            dispatcher,
            lease,
            order: "none"
          })
        const held = sql`
          SELECT FROM webhook_receivers
          WHERE bucket = ${bucket}::smallint AND account_id = ${sender.accountId}::uuid AND held_until IS NOT NULL`

        const stale = yield* steps.store(bucket, probe({ ...delivery, attempts: 1 }), "skips")
        const heldByStale = yield* held
        const current = yield* steps.store(bucket, probe(delivery), "skips")
        const heldByCurrent = yield* held

        assert.deepStrictEqual([...stale], [])
        assert.lengthOf(heldByStale, 0)
        assert.deepStrictEqual([...current], [delivery.id])
        assert.lengthOf(heldByCurrent, 1)
      })
    )
  })
})
