import { assert, describe, it } from "@effect/vitest"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerMigrated } from "../../TestDatabase.ts"
import { queueMany, rows } from "../queue/Queued.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

const receivers = 20

/** So long that none runs out, however slow the machine is. */
const lease = Duration.days(1)

describe("Ten claimers at once", () => {
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect(
      "get each of many deliveries exactly once",
      () =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const count = yield* rows(2_000)
          const sender = yield* makeSender()
          for (let receiver = 0; receiver < receivers; receiver++) {
            const url = `https://receiver-${receiver}.example/hook`
            yield* queueMany(sender, { count: count / receivers, url })
          }
          const claimed: Array<string> = []
          const claimer = Effect.gen(function* () {
            // A claim that finds nothing was forestalled by others, who take some each time.
            for (let turn = 0; turn < count && claimed.length < count; turn++) {
              const room = { ...roomFor(100), receiver: 16 }
              const { deliveries } = yield* store.claimDue({ room, lease, at: yield* DateTime.now })
              claimed.push(...deliveries.map(({ delivery }) => delivery.id))
            }
          })

          yield* Effect.all(
            Array.from({ length: 10 }, () => claimer),
            { concurrency: "unbounded" }
          )

          assert.deepStrictEqual([claimed.length, new Set(claimed).size], [count, count])
        }),
      3_600_000
    )
  })
})
