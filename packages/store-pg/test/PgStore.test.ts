import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as AccountStoreSuite from "@runhook/store-testing/AccountStoreSuite"
import * as AgentStoreSuite from "@runhook/store-testing/AgentStoreSuite"
import * as ApiKeyStoreSuite from "@runhook/store-testing/ApiKeyStoreSuite"
import * as ArtifactQuotaSuite from "@runhook/store-testing/ArtifactQuotaSuite"
import * as ArtifactStoreSuite from "@runhook/store-testing/ArtifactStoreSuite"
import * as AuditListSuite from "@runhook/store-testing/AuditListSuite"
import * as AuditRetentionSuite from "@runhook/store-testing/AuditRetentionSuite"
import * as AuditSuite from "@runhook/store-testing/AuditSuite"
import * as BeatSuite from "@runhook/store-testing/BeatSuite"
import * as CallbackSuite from "@runhook/store-testing/CallbackSuite"
import * as ClaimSuite from "@runhook/store-testing/ClaimSuite"
import * as ConsoleStoreSuite from "@runhook/store-testing/ConsoleStoreSuite"
import * as DeliveryBoundSuite from "@runhook/store-testing/DeliveryBoundSuite"
import * as DeadLetterSuite from "@runhook/store-testing/DeadLetterSuite"
import * as DeliveryCauseSuite from "@runhook/store-testing/DeliveryCauseSuite"
import * as DeliveryClaimSuite from "@runhook/store-testing/DeliveryClaimSuite"
import * as DeliveryIsolationSuite from "@runhook/store-testing/DeliveryIsolationSuite"
import * as DeliveryDetailSuite from "@runhook/store-testing/DeliveryDetailSuite"
import * as DeliveryHistorySuite from "@runhook/store-testing/DeliveryHistorySuite"
import * as DeliveryOrderSuite from "@runhook/store-testing/DeliveryOrderSuite"
import * as DeliveryReturnSuite from "@runhook/store-testing/DeliveryReturnSuite"
import * as DeliverySettleSuite from "@runhook/store-testing/DeliverySettleSuite"
import * as DeliveryTrySuite from "@runhook/store-testing/DeliveryTrySuite"
import * as DueTimesSuite from "@runhook/store-testing/DueTimesSuite"
import * as ExecutionCreateSuite from "@runhook/store-testing/ExecutionCreateSuite"
import * as ExecutionInputSuite from "@runhook/store-testing/ExecutionInputSuite"
import * as ExecutionListSuite from "@runhook/store-testing/ExecutionListSuite"
import * as ExecutionStoreSuite from "@runhook/store-testing/ExecutionStoreSuite"
import * as HandedOverSuite from "@runhook/store-testing/HandedOverSuite"
import * as HandOverSuite from "@runhook/store-testing/HandOverSuite"
import * as FencingSuite from "@runhook/store-testing/FencingSuite"
import * as ForgetSuite from "@runhook/store-testing/ForgetSuite"
import * as IsolationSuite from "@runhook/store-testing/IsolationSuite"
import * as ReplayChoiceSuite from "@runhook/store-testing/ReplayChoiceSuite"
import * as ReplayEndSuite from "@runhook/store-testing/ReplayEndSuite"
import * as ReplayOutcomeSuite from "@runhook/store-testing/ReplayOutcomeSuite"
import * as ReplayStoreSuite from "@runhook/store-testing/ReplayStoreSuite"
import * as RetentionSuite from "@runhook/store-testing/RetentionSuite"
import * as RetrySuite from "@runhook/store-testing/RetrySuite"
import * as RunStoreSuite from "@runhook/store-testing/RunStoreSuite"
import * as HistorySuite from "@runhook/store-testing/HistorySuite"
import * as ReschedulingSuite from "@runhook/store-testing/ReschedulingSuite"
import * as MoveTimesSuite from "@runhook/store-testing/MoveTimesSuite"
import * as PageBytesSuite from "@runhook/store-testing/PageBytesSuite"
import * as PepperStoreSuite from "@runhook/store-testing/PepperStoreSuite"
import * as RunnerKeyStoreSuite from "@runhook/store-testing/RunnerKeyStoreSuite"
import * as RunnerOversightSuite from "@runhook/store-testing/RunnerOversightSuite"
import * as SessionSuite from "@runhook/store-testing/SessionSuite"
import * as SigningSecretSuite from "@runhook/store-testing/SigningSecretSuite"
import * as SweepStoreSuite from "@runhook/store-testing/SweepStoreSuite"
import * as TaskSelectorSuite from "@runhook/store-testing/TaskSelectorSuite"
import * as TaskStoreSuite from "@runhook/store-testing/TaskStoreSuite"
import * as TaskVersionSuite from "@runhook/store-testing/TaskVersionSuite"
import * as StandingSuite from "@runhook/store-testing/StandingSuite"
import * as StatusListSuite from "@runhook/store-testing/StatusListSuite"
import * as UploadForgettingSuite from "@runhook/store-testing/UploadForgettingSuite"
import * as UsageStoreSuite from "@runhook/store-testing/UsageStoreSuite"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import * as CheckedRows from "./rows/CheckedRows.ts"
import { storedRows } from "./StoredRows.ts"
import * as TestDatabase from "./TestDatabase.ts"

const stores = Layer.provideMerge(
  Layer.provide(PgStore.layerStores, [TestDatabase.layerMigrated, Layer.succeed(StoreClock, "caller")]),
  Layer.merge(SecureRandom.layerWebCrypto, CheckedRows.layer)
)

AccountStoreSuite.suite("PostgreSQL", stores)
AgentStoreSuite.suite("PostgreSQL", stores)
ApiKeyStoreSuite.suite("PostgreSQL", stores)
ArtifactQuotaSuite.suite("PostgreSQL", stores)
ArtifactStoreSuite.suite("PostgreSQL", stores)
AuditListSuite.suite("PostgreSQL", stores)
AuditRetentionSuite.suite("PostgreSQL", stores)
AuditSuite.suite("PostgreSQL", stores)
BeatSuite.suite("PostgreSQL", stores)
CallbackSuite.suite("PostgreSQL", stores)
ClaimSuite.suite("PostgreSQL", stores)
ConsoleStoreSuite.suite("PostgreSQL", stores)
DeliveryBoundSuite.suite("PostgreSQL", stores)
DeadLetterSuite.suite("PostgreSQL", stores)
DeliveryCauseSuite.suite("PostgreSQL", stores)
DeliveryClaimSuite.suite("PostgreSQL", stores)
DeliveryDetailSuite.suite("PostgreSQL", stores)
DeliveryHistorySuite.suite("PostgreSQL", stores)
DeliveryIsolationSuite.suite("PostgreSQL", stores)
DeliveryOrderSuite.suite("PostgreSQL", stores)
DeliveryReturnSuite.suite("PostgreSQL", stores)
DeliverySettleSuite.suite("PostgreSQL", stores)
DeliveryTrySuite.suite("PostgreSQL", stores)
ExecutionCreateSuite.suite("PostgreSQL", stores)
ExecutionInputSuite.suite("PostgreSQL", stores)
ExecutionListSuite.suite("PostgreSQL", stores)
ExecutionStoreSuite.suite("PostgreSQL", stores)
DueTimesSuite.suite("PostgreSQL", stores)
FencingSuite.suite("PostgreSQL", Layer.merge(stores, TestDatabase.layerMigrated), storedRows)
IsolationSuite.suite("PostgreSQL", Layer.merge(stores, TestDatabase.layerMigrated), storedRows)
ForgetSuite.suite("PostgreSQL", stores)
HandOverSuite.suite("PostgreSQL", stores)
HandedOverSuite.suite("PostgreSQL", stores)
ReplayChoiceSuite.suite("PostgreSQL", stores)
ReplayEndSuite.suite("PostgreSQL", stores)
ReplayOutcomeSuite.suite("PostgreSQL", stores)
ReplayStoreSuite.suite("PostgreSQL", stores)
RetentionSuite.suite("PostgreSQL", stores)
HistorySuite.suite("PostgreSQL", stores)
ReschedulingSuite.suite("PostgreSQL", stores)
RetrySuite.suite("PostgreSQL", stores)
RunStoreSuite.suite("PostgreSQL", stores)
MoveTimesSuite.suite("PostgreSQL", stores)
PageBytesSuite.suite("PostgreSQL", stores)
PepperStoreSuite.suite("PostgreSQL", stores)
RunnerKeyStoreSuite.suite("PostgreSQL", stores)
RunnerOversightSuite.suite("PostgreSQL", stores)
SessionSuite.suite("PostgreSQL", stores)
SigningSecretSuite.suite("PostgreSQL", stores)
SweepStoreSuite.suite("PostgreSQL", stores)
TaskSelectorSuite.suite("PostgreSQL", stores)
TaskStoreSuite.suite("PostgreSQL", stores)
TaskVersionSuite.suite("PostgreSQL", stores)
UploadForgettingSuite.suite("PostgreSQL", stores)
StandingSuite.suite("PostgreSQL", stores)
StatusListSuite.suite("PostgreSQL", stores)
UsageStoreSuite.suite("PostgreSQL", stores)
