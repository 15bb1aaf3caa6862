/** The stores with the statements that stand beside the usual ones where rows lie on several nodes. One node will do to try them. */
import { IsDistributed } from "@runhook/store-pg/accounts/Buckets"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as AccountRemovalSuite from "@runhook/store-testing/accounts/AccountRemovalSuite"
import * as AccountStoreSuite from "@runhook/store-testing/accounts/AccountStoreSuite"
import * as AuditRetentionSuite from "@runhook/store-testing/audit/AuditRetentionSuite"
import * as CancelStoreSuite from "@runhook/store-testing/cancels/CancelStoreSuite"
import * as AgentStoreSuite from "@runhook/store-testing/catalog/AgentStoreSuite"
import * as CallbackSuite from "@runhook/store-testing/deliveries/CallbackSuite"
import * as DeliveryClaimSuite from "@runhook/store-testing/deliveries/DeliveryClaimSuite"
import * as DeliveryHistorySuite from "@runhook/store-testing/deliveries/DeliveryHistorySuite"
import * as HandOverSuite from "@runhook/store-testing/deliveries/queue/HandOverSuite"
import * as MailboxSuite from "@runhook/store-testing/endpoints/MailboxSuite"
import * as ExecutionListSuite from "@runhook/store-testing/executions/ExecutionListSuite"
import * as ExecutionStoreSuite from "@runhook/store-testing/executions/ExecutionStoreSuite"
import * as HistorySuite from "@runhook/store-testing/executions/HistorySuite"
import * as ClaimSuite from "@runhook/store-testing/runs/ClaimSuite"
import * as RunStoreSuite from "@runhook/store-testing/runs/RunStoreSuite"
import * as SeatSuite from "@runhook/store-testing/runs/SeatSuite"
import * as ScheduleFiringSuite from "@runhook/store-testing/schedules/ScheduleFiringSuite"
import * as ExecutionRetentionSuite from "@runhook/store-testing/sweeps/ExecutionRetentionSuite"
import * as SweepStoreSuite from "@runhook/store-testing/sweeps/SweepStoreSuite"
import * as StandingSuite from "@runhook/store-testing/usage/StandingSuite"
import * as UsageStoreSuite from "@runhook/store-testing/usage/UsageStoreSuite"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import { storedRows } from "./StoredRows.ts"
import * as TestDatabase from "./TestDatabase.ts"

const layer = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provide(Layer.succeed(IsDistributed, true)),
  Layer.provideMerge(Layer.merge(TestDatabase.layerShared(), SecureRandom.layerWebCrypto))
)

const suites = [
  AccountStoreSuite,
  AgentStoreSuite,
  AuditRetentionSuite,
  CallbackSuite,
  CancelStoreSuite,
  ClaimSuite,
  DeliveryClaimSuite,
  DeliveryHistorySuite,
  ExecutionListSuite,
  ExecutionStoreSuite,
  HandOverSuite,
  HistorySuite,
  MailboxSuite,
  RunStoreSuite,
  ScheduleFiringSuite,
  SeatSuite,
  StandingSuite,
  SweepStoreSuite,
  UsageStoreSuite
]

const name = "PostgreSQL, with the statements of Citus"

ExecutionRetentionSuite.suite(name, layer, { storedRows })
AccountRemovalSuite.suite(name, layer, { storedRows })
for (const { suite } of suites) suite(name, layer)
