/** What is stored in parts, each by itself in one transaction, where rows lie on several nodes. One node will do to try it. */
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import { IsDistributed } from "@runhook/store-pg/database/Nodes"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as CallbackSuite from "@runhook/store-testing/deliveries/CallbackSuite"
import * as HandOverSuite from "@runhook/store-testing/deliveries/HandOverSuite"
import * as ExecutionCreateSuite from "@runhook/store-testing/executions/ExecutionCreateSuite"
import * as ExecutionStoreSuite from "@runhook/store-testing/executions/ExecutionStoreSuite"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import * as TestDatabase from "./TestDatabase.ts"

const layer = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provide(Layer.succeed(IsDistributed, true)),
  Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, SecureRandom.layerWebCrypto))
)

for (const { suite } of [ExecutionCreateSuite, ExecutionStoreSuite, CallbackSuite, HandOverSuite]) {
  suite("PostgreSQL, in parts", layer)
}
