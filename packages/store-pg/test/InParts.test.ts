/** What is stored in parts, each by itself in one transaction, where rows lie on several nodes. One node will do to try it. */
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import { IsDistributed } from "@runhook/store-pg/database/Nodes"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as ArtifactQuotaSuite from "@runhook/store-testing/artifacts/ArtifactQuotaSuite"
import * as ArtifactStoreSuite from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import * as AuditRetentionSuite from "@runhook/store-testing/audit/AuditRetentionSuite"
import * as AuditSuite from "@runhook/store-testing/audit/AuditSuite"
import * as CancelStoreSuite from "@runhook/store-testing/cancels/CancelStoreSuite"
import * as CallbackSuite from "@runhook/store-testing/deliveries/CallbackSuite"
import * as HandOverSuite from "@runhook/store-testing/deliveries/HandOverSuite"
import * as MailboxSuite from "@runhook/store-testing/endpoints/MailboxSuite"
import * as CreateOrderSuite from "@runhook/store-testing/executions/CreateOrderSuite"
import * as ExecutionCreateSuite from "@runhook/store-testing/executions/ExecutionCreateSuite"
import * as ExecutionInputSuite from "@runhook/store-testing/executions/ExecutionInputSuite"
import * as ExecutionStoreSuite from "@runhook/store-testing/executions/ExecutionStoreSuite"
import * as HistorySuite from "@runhook/store-testing/executions/HistorySuite"
import * as ClaimSuite from "@runhook/store-testing/runs/ClaimSuite"
import * as RetrySuite from "@runhook/store-testing/runs/RetrySuite"
import * as RunStoreSuite from "@runhook/store-testing/runs/RunStoreSuite"
import * as TakenAtOnceSuite from "@runhook/store-testing/runs/TakenAtOnceSuite"
import * as SweepStoreSuite from "@runhook/store-testing/sweeps/SweepStoreSuite"
import * as StandingSuite from "@runhook/store-testing/usage/StandingSuite"
import * as UsageStoreSuite from "@runhook/store-testing/usage/UsageStoreSuite"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import * as TestDatabase from "./TestDatabase.ts"

const layer = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provide(Layer.succeed(IsDistributed, true)),
  Layer.provideMerge(Layer.merge(TestDatabase.layerShared(), SecureRandom.layerWebCrypto))
)

const suites = [
  ArtifactQuotaSuite,
  ArtifactStoreSuite,
  AuditRetentionSuite,
  AuditSuite,
  CallbackSuite,
  CancelStoreSuite,
  ClaimSuite,
  CreateOrderSuite,
  ExecutionCreateSuite,
  ExecutionInputSuite,
  ExecutionStoreSuite,
  HandOverSuite,
  HistorySuite,
  MailboxSuite,
  RetrySuite,
  RunStoreSuite,
  StandingSuite,
  SweepStoreSuite,
  TakenAtOnceSuite,
  UsageStoreSuite
]

for (const { suite } of suites) suite("PostgreSQL, in parts", layer)
