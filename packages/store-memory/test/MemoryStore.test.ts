import * as ArtifactQuotaSuite from "@runhook/store-testing/ArtifactQuotaSuite"
import * as ArtifactStoreSuite from "@runhook/store-testing/ArtifactStoreSuite"
import * as AuditListSuite from "@runhook/store-testing/AuditListSuite"
import * as AuditRetentionSuite from "@runhook/store-testing/AuditRetentionSuite"
import * as AuditSuite from "@runhook/store-testing/AuditSuite"
import * as BeatSuite from "@runhook/store-testing/BeatSuite"
import * as CallbackSuite from "@runhook/store-testing/CallbackSuite"
import * as ClaimSuite from "@runhook/store-testing/ClaimSuite"
import * as DeadLetterSuite from "@runhook/store-testing/DeadLetterSuite"
import * as DeliveryCauseSuite from "@runhook/store-testing/DeliveryCauseSuite"
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
import * as ReplayChoiceSuite from "@runhook/store-testing/ReplayChoiceSuite"
import * as ReplayEndSuite from "@runhook/store-testing/ReplayEndSuite"
import * as HistorySuite from "@runhook/store-testing/HistorySuite"
import * as ReschedulingSuite from "@runhook/store-testing/ReschedulingSuite"
import * as MoveTimesSuite from "@runhook/store-testing/MoveTimesSuite"
import * as IsolationSuite from "@runhook/store-testing/IsolationSuite"
import * as PageBytesSuite from "@runhook/store-testing/PageBytesSuite"
import * as ReplayOutcomeSuite from "@runhook/store-testing/ReplayOutcomeSuite"
import * as ReplayStoreSuite from "@runhook/store-testing/ReplayStoreSuite"
import * as RetentionSuite from "@runhook/store-testing/RetentionSuite"
import * as RetrySuite from "@runhook/store-testing/RetrySuite"
import * as RunStoreSuite from "@runhook/store-testing/RunStoreSuite"
import * as RunnerOversightSuite from "@runhook/store-testing/RunnerOversightSuite"
import * as SessionSuite from "@runhook/store-testing/SessionSuite"
import * as SweepStoreSuite from "@runhook/store-testing/SweepStoreSuite"
import * as StandingSuite from "@runhook/store-testing/StandingSuite"
import * as StatusListSuite from "@runhook/store-testing/StatusListSuite"
import * as UploadForgettingSuite from "@runhook/store-testing/UploadForgettingSuite"
import * as UsageStoreSuite from "@runhook/store-testing/UsageStoreSuite"
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
ForgetSuite.suite("memory", stores)
HandOverSuite.suite("memory", stores)
HandedOverSuite.suite("memory", stores)
ArtifactQuotaSuite.suite("memory", stores)
ArtifactStoreSuite.suite("memory", stores)
UploadForgettingSuite.suite("memory", stores)
StandingSuite.suite("memory", stores)
StatusListSuite.suite("memory", stores)
UsageStoreSuite.suite("memory", stores)
