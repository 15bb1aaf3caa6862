import * as ArtifactQuotaSuite from "@runhook/store-testing/artifacts/ArtifactQuotaSuite"
import * as ArtifactStoreSuite from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import * as AuditListSuite from "@runhook/store-testing/audit/AuditListSuite"
import * as AuditRetentionSuite from "@runhook/store-testing/audit/AuditRetentionSuite"
import * as AuditSuite from "@runhook/store-testing/audit/AuditSuite"
import * as BeatSuite from "@runhook/store-testing/runs/BeatSuite"
import * as CallbackSuite from "@runhook/store-testing/deliveries/CallbackSuite"
import * as ClaimSuite from "@runhook/store-testing/runs/ClaimSuite"
import * as DeadLetterSuite from "@runhook/store-testing/deliveries/DeadLetterSuite"
import * as DeliveryCauseSuite from "@runhook/store-testing/deliveries/DeliveryCauseSuite"
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
import * as ReplayChoiceSuite from "@runhook/store-testing/replays/ReplayChoiceSuite"
import * as ReplayEndSuite from "@runhook/store-testing/replays/ReplayEndSuite"
import * as HistorySuite from "@runhook/store-testing/executions/HistorySuite"
import * as ReschedulingSuite from "@runhook/store-testing/executions/ReschedulingSuite"
import * as MoveTimesSuite from "@runhook/store-testing/runs/MoveTimesSuite"
import * as IsolationSuite from "@runhook/store-testing/isolation/IsolationSuite"
import * as PageBytesSuite from "@runhook/store-testing/executions/PageBytesSuite"
import * as ReplayOutcomeSuite from "@runhook/store-testing/replays/ReplayOutcomeSuite"
import * as ReplayStoreSuite from "@runhook/store-testing/replays/ReplayStoreSuite"
import * as RetentionSuite from "@runhook/store-testing/sweeps/RetentionSuite"
import * as RetrySuite from "@runhook/store-testing/runs/RetrySuite"
import * as RunStoreSuite from "@runhook/store-testing/runs/RunStoreSuite"
import * as RunnerOversightSuite from "@runhook/store-testing/runs/RunnerOversightSuite"
import * as SessionSuite from "@runhook/store-testing/runs/SessionSuite"
import * as SweepStoreSuite from "@runhook/store-testing/sweeps/SweepStoreSuite"
import * as StandingSuite from "@runhook/store-testing/usage/StandingSuite"
import * as StatusListSuite from "@runhook/store-testing/executions/StatusListSuite"
import * as UploadPruneSuite from "@runhook/store-testing/artifacts/UploadPruneSuite"
import * as UsageStoreSuite from "@runhook/store-testing/usage/UsageStoreSuite"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import { MemoryDatabase } from "../src/MemoryDatabase.ts"
import * as MemoryStore from "../src/MemoryStore.ts"
import { storedTables } from "./StoredTables.ts"

const stores = MemoryStore.layer.pipe(Layer.provideMerge(layerWebCrypto))

ExecutionStoreSuite.suite("memory", stores)
ExecutionCreateSuite.suite("memory", stores)
ExecutionListSuite.suite("memory", stores)
ExecutionInputSuite.suite("memory", stores)
AuditListSuite.suite("memory", stores)
AuditRetentionSuite.suite("memory", stores)
AuditSuite.suite("memory", stores)
BeatSuite.suite("memory", stores)
CallbackSuite.suite("memory", stores)
DeadLetterSuite.suite("memory", stores)
DeliveryCauseSuite.suite("memory", stores)
RunnerOversightSuite.suite("memory", stores)
SessionSuite.suite("memory", stores)
ClaimSuite.suite("memory", stores)
ReplayChoiceSuite.suite("memory", stores)
DeliveryTrySuite.suite("memory", stores)
ReplayEndSuite.suite("memory", stores)
ReplayOutcomeSuite.suite("memory", stores)
MoveTimesSuite.suite("memory", stores)
PageBytesSuite.suite("memory", stores)
ReplayStoreSuite.suite("memory", stores)
RetentionSuite.suite("memory", stores)
HistorySuite.suite("memory", stores)
ReschedulingSuite.suite("memory", stores)
RetrySuite.suite("memory", stores)
RunStoreSuite.suite("memory", stores)
SweepStoreSuite.suite("memory", stores)
DueTimesSuite.suite("memory", stores)
FencingSuite.suite("memory", Layer.merge(stores, MemoryDatabase.layer), storedTables)
IsolationSuite.suite("memory", Layer.merge(stores, MemoryDatabase.layer), storedTables)
PruneSuite.suite("memory", stores)
HandOverSuite.suite("memory", stores)
HandedOverSuite.suite("memory", stores)
ArtifactQuotaSuite.suite("memory", stores)
ArtifactStoreSuite.suite("memory", stores)
UploadPruneSuite.suite("memory", stores)
StandingSuite.suite("memory", stores)
StatusListSuite.suite("memory", stores)
UsageStoreSuite.suite("memory", stores)
