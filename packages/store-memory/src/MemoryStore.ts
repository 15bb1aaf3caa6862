/** Every store port in memory, over one database. */
import { DeliveryInlets } from "@runhook/core/DeliveryInlets"
import * as Layer from "effect/Layer"
import * as MemoryAccountStore from "./MemoryAccountStore.ts"
import * as MemoryAgentStore from "./MemoryAgentStore.ts"
import * as MemoryApiKeyStore from "./MemoryApiKeyStore.ts"
import * as MemoryArtifactStore from "./MemoryArtifactStore.ts"
import * as MemoryAuditStore from "./MemoryAuditStore.ts"
import * as MemoryConsoleStore from "./MemoryConsoleStore.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryDeliveryStore from "./MemoryDeliveryStore.ts"
import * as MemoryExecutionStore from "./MemoryExecutionStore.ts"
import * as MemoryHistoryStore from "./MemoryHistoryStore.ts"
import * as MemoryPepperStore from "./MemoryPepperStore.ts"
import * as MemoryReplayStore from "./MemoryReplayStore.ts"
import * as MemoryRunnerKeyStore from "./MemoryRunnerKeyStore.ts"
import * as MemoryRunStore from "./MemoryRunStore.ts"
import * as MemorySweepStore from "./MemorySweepStore.ts"
import * as MemoryTaskStore from "./MemoryTaskStore.ts"
import * as MemoryUsageStore from "./MemoryUsageStore.ts"

/** Keeps nothing: what it holds is gone with its scope. Needs `SecureRandom` for the ids of events. */
export const layer = Layer.mergeAll(
  MemoryAccountStore.layer,
  MemoryAgentStore.layer,
  MemoryApiKeyStore.layer,
  MemoryArtifactStore.layer,
  MemoryAuditStore.layer,
  MemoryConsoleStore.layer,
  MemoryDeliveryStore.layer,
  MemoryExecutionStore.layer,
  MemoryHistoryStore.layer,
  MemoryPepperStore.layer,
  MemoryReplayStore.layer,
  MemoryRunStore.layer,
  MemoryRunnerKeyStore.layer,
  MemorySweepStore.layer,
  MemoryTaskStore.layer,
  MemoryUsageStore.layer
).pipe(Layer.provide([DeliveryInlets.layer, MemoryDatabase.layer]))
