import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as AccountStoreSuite from "@runhook/store-testing/accounts/AccountStoreSuite"
import * as AgentStoreSuite from "@runhook/store-testing/catalog/AgentStoreSuite"
import * as ApiKeyStoreSuite from "@runhook/store-testing/keys/ApiKeyStoreSuite"
import * as ArtifactQuotaSuite from "@runhook/store-testing/artifacts/ArtifactQuotaSuite"
import * as ArtifactStoreSuite from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import * as AuditListSuite from "@runhook/store-testing/audit/AuditListSuite"
import * as AuditRetentionSuite from "@runhook/store-testing/audit/AuditRetentionSuite"
import * as AuditSuite from "@runhook/store-testing/audit/AuditSuite"
import * as BeatSuite from "@runhook/store-testing/runs/BeatSuite"
import * as CallbackSuite from "@runhook/store-testing/deliveries/CallbackSuite"
import * as ClaimSuite from "@runhook/store-testing/runs/ClaimSuite"
import * as ConsoleStoreSuite from "@runhook/store-testing/console/ConsoleStoreSuite"
import * as DeliveryBoundSuite from "@runhook/store-testing/deliveries/DeliveryBoundSuite"
import * as DeadLetterSuite from "@runhook/store-testing/deliveries/DeadLetterSuite"
import * as DeliveryCauseSuite from "@runhook/store-testing/deliveries/DeliveryCauseSuite"
import * as DeliveryClaimSuite from "@runhook/store-testing/deliveries/DeliveryClaimSuite"
import * as DeliveryIsolationSuite from "@runhook/store-testing/deliveries/DeliveryIsolationSuite"
import * as DeliveryDetailSuite from "@runhook/store-testing/deliveries/DeliveryDetailSuite"
import * as DeliveryHistorySuite from "@runhook/store-testing/deliveries/DeliveryHistorySuite"
import * as DeliveryOrderSuite from "@runhook/store-testing/deliveries/DeliveryOrderSuite"
import * as DeliveryReturnSuite from "@runhook/store-testing/deliveries/DeliveryReturnSuite"
import * as DeliverySettleSuite from "@runhook/store-testing/deliveries/DeliverySettleSuite"
import * as DeliveryTrySuite from "@runhook/store-testing/deliveries/DeliveryTrySuite"
import * as DueTimesSuite from "@runhook/store-testing/runs/DueTimesSuite"
import * as ExecutionCreateSuite from "@runhook/store-testing/executions/ExecutionCreateSuite"
import * as ExecutionInputSuite from "@runhook/store-testing/executions/ExecutionInputSuite"
import * as ExecutionListSuite from "@runhook/store-testing/executions/ExecutionListSuite"
import * as ExecutionStoreSuite from "@runhook/store-testing/executions/ExecutionStoreSuite"
import * as HandedOverSuite from "@runhook/store-testing/deliveries/HandedOverSuite"
import * as HandOverSuite from "@runhook/store-testing/deliveries/HandOverSuite"
import * as FencingSuite from "@runhook/store-testing/runs/FencingSuite"
import * as PruneSuite from "@runhook/store-testing/sweeps/PruneSuite"
import * as IsolationSuite from "@runhook/store-testing/isolation/IsolationSuite"
import * as ReplayChoiceSuite from "@runhook/store-testing/replays/ReplayChoiceSuite"
import * as ReplayEndSuite from "@runhook/store-testing/replays/ReplayEndSuite"
import * as ReplayOutcomeSuite from "@runhook/store-testing/replays/ReplayOutcomeSuite"
import * as ReplayStoreSuite from "@runhook/store-testing/replays/ReplayStoreSuite"
import * as RetentionSuite from "@runhook/store-testing/sweeps/RetentionSuite"
import * as RetrySuite from "@runhook/store-testing/runs/RetrySuite"
import * as RunStoreSuite from "@runhook/store-testing/runs/RunStoreSuite"
import * as HistorySuite from "@runhook/store-testing/executions/HistorySuite"
import * as ReschedulingSuite from "@runhook/store-testing/executions/ReschedulingSuite"
import * as MoveTimesSuite from "@runhook/store-testing/runs/MoveTimesSuite"
import * as PageBytesSuite from "@runhook/store-testing/executions/PageBytesSuite"
import * as PepperStoreSuite from "@runhook/store-testing/accounts/PepperStoreSuite"
import * as RunnerKeyStoreSuite from "@runhook/store-testing/keys/RunnerKeyStoreSuite"
import * as RunnerOversightSuite from "@runhook/store-testing/runs/RunnerOversightSuite"
import * as SessionSuite from "@runhook/store-testing/runs/SessionSuite"
import * as SigningSecretSuite from "@runhook/store-testing/keys/SigningSecretSuite"
import * as SweepStoreSuite from "@runhook/store-testing/sweeps/SweepStoreSuite"
import * as TaskSelectorSuite from "@runhook/store-testing/catalog/TaskSelectorSuite"
import * as TaskStoreSuite from "@runhook/store-testing/catalog/TaskStoreSuite"
import * as TaskVersionSuite from "@runhook/store-testing/catalog/TaskVersionSuite"
import * as StandingSuite from "@runhook/store-testing/usage/StandingSuite"
import * as StatusListSuite from "@runhook/store-testing/executions/StatusListSuite"
import * as UploadPruneSuite from "@runhook/store-testing/artifacts/UploadPruneSuite"
import * as UsageStoreSuite from "@runhook/store-testing/usage/UsageStoreSuite"
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
PruneSuite.suite("PostgreSQL", stores)
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
UploadPruneSuite.suite("PostgreSQL", stores)
StandingSuite.suite("PostgreSQL", stores)
StatusListSuite.suite("PostgreSQL", stores)
UsageStoreSuite.suite("PostgreSQL", stores)
