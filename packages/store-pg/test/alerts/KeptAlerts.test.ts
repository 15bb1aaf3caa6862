import { assert, describe, it } from "@effect/vitest"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeAlert, makeTarget } from "@runhook/store-testing/alerts/AlertFixtures"
import { makeAccount } from "@runhook/store-testing/catalog/CatalogFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestDatabase from "../TestDatabase.ts"

const stores = Layer.provideMerge(PgStore.layerStores, [
  TestDatabase.layerMigrated,
  Layer.succeed(StoreClock, "caller"),
  SecureRandom.layerWebCrypto
])

/** The versions of the rows of alerts, and who has locked them. */
const versions = SqlClient.use(
  (sql) => sql`SELECT subject, xmin::text, xmax::text, ctid::text FROM alerts ORDER BY subject`
)

describe("alerts in PostgreSQL", () => {
  it.effect("are written only when they have changed, although all are given at each look", () =>
    Effect.gen(function* () {
      const store = yield* AlertStore
      const { id } = yield* makeAccount()
      yield* makeTarget()
      const turn = (yield* store.takeTurn({ at: second(0), until: second(50) })) ?? 0
      const [lasting, growing] = [
        makeAlert(id, { subject: "a", missedAt: null }),
        makeAlert(id, { subject: "b", closedAt: second(9), missedAt: second(4) })
      ]
      yield* store.replaceAlerts({ turn, alerts: [lasting, growing] })
      const before = yield* versions

      yield* store.replaceAlerts({ turn, alerts: [lasting, growing] })
      const same = yield* versions
      yield* store.replaceAlerts({ turn, alerts: [lasting, { ...growing, count: 9 }] })
      const grown = yield* versions

      assert.deepStrictEqual(same, before)
      assert.deepStrictEqual(grown[0], before[0])
      assert.notDeepEqual(grown[1], before[1])
    }).pipe(Effect.provide(stores))
  )
})
