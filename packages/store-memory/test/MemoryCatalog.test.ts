import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as AccountStoreSuite from "@runhook/store-testing/AccountStoreSuite"
import * as AgentStoreSuite from "@runhook/store-testing/AgentStoreSuite"
import * as ApiKeyStoreSuite from "@runhook/store-testing/ApiKeyStoreSuite"
import * as ConsoleStoreSuite from "@runhook/store-testing/ConsoleStoreSuite"
import * as DeliveryBoundSuite from "@runhook/store-testing/DeliveryBoundSuite"
import * as DeliveryClaimSuite from "@runhook/store-testing/DeliveryClaimSuite"
import * as DeliveryDetailSuite from "@runhook/store-testing/DeliveryDetailSuite"
import * as DeliveryHistorySuite from "@runhook/store-testing/DeliveryHistorySuite"
import * as DeliveryIsolationSuite from "@runhook/store-testing/DeliveryIsolationSuite"
import * as DeliveryOrderSuite from "@runhook/store-testing/DeliveryOrderSuite"
import * as DeliveryReturnSuite from "@runhook/store-testing/DeliveryReturnSuite"
import * as DeliverySettleSuite from "@runhook/store-testing/DeliverySettleSuite"
import * as PepperStoreSuite from "@runhook/store-testing/PepperStoreSuite"
import * as RunnerKeyStoreSuite from "@runhook/store-testing/RunnerKeyStoreSuite"
import * as SigningSecretSuite from "@runhook/store-testing/SigningSecretSuite"
import * as TaskSelectorSuite from "@runhook/store-testing/TaskSelectorSuite"
import * as TaskStoreSuite from "@runhook/store-testing/TaskStoreSuite"
import * as TaskVersionSuite from "@runhook/store-testing/TaskVersionSuite"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"

const layer = Layer.provideMerge(MemoryStore.layer, SecureRandom.layerWebCrypto)

AccountStoreSuite.suite("memory", layer)
AgentStoreSuite.suite("memory", layer)
ApiKeyStoreSuite.suite("memory", layer)
ConsoleStoreSuite.suite("memory", layer)
DeliveryBoundSuite.suite("memory", layer)
DeliveryClaimSuite.suite("memory", layer)
DeliveryDetailSuite.suite("memory", layer)
DeliveryHistorySuite.suite("memory", layer)
DeliveryIsolationSuite.suite("memory", layer)
DeliveryOrderSuite.suite("memory", layer)
DeliveryReturnSuite.suite("memory", layer)
DeliverySettleSuite.suite("memory", layer)
PepperStoreSuite.suite("memory", layer)
RunnerKeyStoreSuite.suite("memory", layer)
SigningSecretSuite.suite("memory", layer)
TaskSelectorSuite.suite("memory", layer)
TaskStoreSuite.suite("memory", layer)
TaskVersionSuite.suite("memory", layer)
