/** Every store port in memory, over one database. */
import * as DeliveryHandOver from "@runhook/core/deliveries/queue/DeliveryHandOver"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as Layer from "effect/Layer"
import * as MemoryAccountStore from "./accounts/MemoryAccountStore.ts"
import * as MemoryEvidenceKeyStore from "./evidence/MemoryEvidenceKeyStore.ts"
import * as MemoryAlertStore from "./alerts/MemoryAlertStore.ts"
import * as MemoryArtifactStore from "./artifacts/MemoryArtifactStore.ts"
import * as MemoryAuditStore from "./audit/MemoryAuditStore.ts"
import * as MemoryAgentStore from "./catalog/MemoryAgentStore.ts"
import * as MemoryTaskStore from "./catalog/MemoryTaskStore.ts"
import * as MemoryPeopleStore from "./people/MemoryPeopleStore.ts"
import * as MemoryEndpointStore from "./endpoints/MemoryEndpointStore.ts"
import * as MemoryDeliveryStore from "./deliveries/MemoryDeliveryStore.ts"
import * as MemoryExecutionStore from "./executions/MemoryExecutionStore.ts"
import * as MemoryHistoryStore from "./executions/MemoryHistoryStore.ts"
import * as MemoryApiKeyStore from "./keys/MemoryApiKeyStore.ts"
import * as MemoryRunnerKeyStore from "./keys/MemoryRunnerKeyStore.ts"
import * as MemorySealedValues from "./keys/MemorySealedValues.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryCancelStore from "./cancels/MemoryCancelStore.ts"
import * as MemoryReplayStore from "./replays/MemoryReplayStore.ts"
import * as MemoryRunStore from "./runs/MemoryRunStore.ts"
import * as MemoryScheduleStore from "./schedules/MemoryScheduleStore.ts"
import * as MemorySweepStore from "./sweeps/MemorySweepStore.ts"
import * as MemoryUsageStore from "./usage/MemoryUsageStore.ts"

/** Keeps nothing: what it holds is gone with its scope. Needs `SecureRandom` for the ids of events. */
export const layer = Layer.mergeAll(
  MemoryAccountStore.layer,
  MemoryAgentStore.layer,
  MemoryAlertStore.layer,
  MemoryApiKeyStore.layer,
  MemoryArtifactStore.layer,
  MemoryAuditStore.layer,
  MemoryPeopleStore.layer,
  MemoryDeliveryStore.layer,
  MemoryEndpointStore.layer,
  MemoryExecutionStore.layer,
  MemoryHistoryStore.layer,
  MemoryEvidenceKeyStore.layer,
  MemoryCancelStore.layer,
  MemoryReplayStore.layer,
  MemoryRunStore.layer,
  MemoryRunnerKeyStore.layer,
  MemoryScheduleStore.layer,
  MemorySealedValues.layer,
  MemorySealedValues.layerPepper,
  MemorySweepStore.layer,
  MemoryTaskStore.layer,
  MemoryUsageStore.layer
).pipe(
  Layer.provideMerge(Layer.merge(DeliveryHandOver.layer, WorkInlets.layer)),
  Layer.provide(MemoryDatabase.layer)
)
