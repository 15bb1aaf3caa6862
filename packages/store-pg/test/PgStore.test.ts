import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { suites } from "@runhook/store-testing/Suites"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import { storedRows } from "./StoredRows.ts"
import * as TestDatabase from "./TestDatabase.ts"

const layer = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(Layer.merge(TestDatabase.layerShared(), SecureRandom.layerWebCrypto))
)

suites("PostgreSQL", layer, { storedRows })
