/** The table of those that wait after a failure has them and no others, or it would grow for ever. */
import { assert, describe, it } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { attemptAll, type End, later, tried } from "@runhook/store-testing/deliveries/DeliveryCauseFixtures"
import { makeSender, type Sender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, "caller")))
)

const causesOf = Effect.fnUntraced(function* ({ accountId }: Sender) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly cause: string }>`
    SELECT cause FROM webhook_failing WHERE account_id = ${accountId}::uuid ORDER BY cause`
  return rows.map(({ cause }) => cause)
})

/** What is in the table after a delivery that failed once has come to this. */
const causesAfter = Effect.fnUntraced(function* (end: End, isLast: boolean) {
  const sender = yield* makeSender()
  const [id] = yield* tried(sender, [{ end: 401 }])
  if (id === undefined) return yield* Effect.die(new Error("nothing was made"))
  yield* attemptAll(sender, new Map([[id, { end, isLast }]]), later)
  return { sender, id, causes: yield* causesOf(sender) }
})

describe("the table of failing deliveries", () => {
  it.layer(stores)((it) => {
    it.effect("has one that is tried again with its latest cause, once", () =>
      Effect.gen(function* () {
        const { causes } = yield* causesAfter("dns", false)

        assert.deepStrictEqual(causes, ["dns"])
      })
    )

    it.effect("has none that was delivered at last, or at once", () =>
      Effect.gen(function* () {
        const { causes } = yield* causesAfter(200, false)
        const sender = yield* makeSender()
        yield* tried(sender, [{ end: 200 }])

        assert.deepStrictEqual(causes, [])
        assert.deepStrictEqual(yield* causesOf(sender), [])
      })
    )

    it.effect("has none that is dead, until it is replayed, and none that expired", () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const { causes, id, sender } = yield* causesAfter(503, true)
        yield* store.replay({ accountId: sender.accountId, id, at: later })
        const replayed = yield* causesOf(sender)
        yield* attemptAll(sender, new Map(), DateTime.add(second(0), { days: 30 }))

        assert.deepStrictEqual(causes, [])
        assert.deepStrictEqual(replayed, ["server_error"])
        assert.deepStrictEqual(yield* causesOf(sender), [])
      })
    )
  })
})
