import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as AccountStoreSuite from "@runhook/store-testing/accounts/AccountStoreSuite"
import * as AgentStoreSuite from "@runhook/store-testing/catalog/AgentStoreSuite"
import * as ApiKeyStoreSuite from "@runhook/store-testing/keys/ApiKeyStoreSuite"
import * as ConsoleStoreSuite from "@runhook/store-testing/console/ConsoleStoreSuite"
import * as DeliveryBoundSuite from "@runhook/store-testing/deliveries/DeliveryBoundSuite"
import * as DeliveryClaimSuite from "@runhook/store-testing/deliveries/DeliveryClaimSuite"
import * as DeliveryDetailSuite from "@runhook/store-testing/deliveries/DeliveryDetailSuite"
import * as DeliveryHistorySuite from "@runhook/store-testing/deliveries/DeliveryHistorySuite"
import * as DeliveryIsolationSuite from "@runhook/store-testing/deliveries/DeliveryIsolationSuite"
import * as DeliveryOrderSuite from "@runhook/store-testing/deliveries/DeliveryOrderSuite"
import * as DeliveryReturnSuite from "@runhook/store-testing/deliveries/DeliveryReturnSuite"
import * as DeliverySettleSuite from "@runhook/store-testing/deliveries/DeliverySettleSuite"
import * as PepperStoreSuite from "@runhook/store-testing/accounts/PepperStoreSuite"
import * as RunnerKeyStoreSuite from "@runhook/store-testing/keys/RunnerKeyStoreSuite"
import * as SigningSecretSuite from "@runhook/store-testing/keys/SigningSecretSuite"
import * as TaskSelectorSuite from "@runhook/store-testing/catalog/TaskSelectorSuite"
import * as TaskStoreSuite from "@runhook/store-testing/catalog/TaskStoreSuite"
import * as TaskVersionSuite from "@runhook/store-testing/catalog/TaskVersionSuite"
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
