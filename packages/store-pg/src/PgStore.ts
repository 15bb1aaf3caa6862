/** Every store port on PostgreSQL, over one database. */
import * as DeliveryHandOver from "@runhook/core/deliveries/queue/DeliveryHandOver"
import { WorkInlets } from "@runhook/core/runs/claim/WorkInlets"
import * as Layer from "effect/Layer"
import * as PgEndpointStore from "./endpoints/PgEndpointStore.ts"
import { CredentialCaches } from "./accounts/CredentialCaches.ts"
import { Buckets } from "./accounts/Buckets.ts"
import * as PgAccountStore from "./accounts/PgAccountStore.ts"
import * as PgEvidenceKeyStore from "./evidence/PgEvidenceKeyStore.ts"
import * as PgPepperStore from "./keys/PgPepperStore.ts"
import * as PgAlertStore from "./alerts/PgAlertStore.ts"
import * as PgArtifactStore from "./artifacts/PgArtifactStore.ts"
import * as PgAuditStore from "./audit/PgAuditStore.ts"
import * as CachedCatalog from "./catalog/CachedCatalog.ts"
import * as PgAgentStore from "./catalog/PgAgentStore.ts"
import * as PgTaskStore from "./catalog/PgTaskStore.ts"
import * as CachedSessions from "./people/CachedSessions.ts"
import * as PgPeopleStore from "./people/PgPeopleStore.ts"
import * as DeliveryHistory from "./deliveries/history/DeliveryHistory.ts"
import * as PgDeliveryStore from "./deliveries/PgDeliveryStore.ts"
import * as StoreSteps from "./deliveries/steps/StoreSteps.ts"
import * as StoreCreates from "./executions/create/StoreCreates.ts"
import * as PgExecutionStore from "./executions/PgExecutionStore.ts"
import * as PgHistoryStore from "./executions/PgHistoryStore.ts"
import * as CachedKeys from "./keys/CachedKeys.ts"
import * as PgApiKeyStore from "./keys/PgApiKeyStore.ts"
import * as PgRunnerKeyStore from "./keys/PgRunnerKeyStore.ts"
import * as PgSealedValues from "./keys/PgSealedValues.ts"
import * as MoveRuns from "./runs/moves/MoveRuns.ts"
import * as PgDatabase from "./PgDatabase.ts"
import * as PgCancelStore from "./cancels/PgCancelStore.ts"
import * as PgReplayStore from "./replays/PgReplayStore.ts"
import * as RemoveExecutions from "./retention/RemoveExecutions.ts"
import * as PgRunStore from "./runs/PgRunStore.ts"
import * as PgScheduleStore from "./schedules/PgScheduleStore.ts"
import * as PgSweepStore from "./sweeps/PgSweepStore.ts"
import * as PgUsageStore from "./usage/PgUsageStore.ts"

/**
 * The stores over a client whose schema is up to date, and the inlets by which they hand over what this process stores.
 * Needs `SecureRandom` for the ids of events.
 */
export const layerStores = Layer.mergeAll(
  PgAccountStore.layer,
  PgAlertStore.layer,
  CachedCatalog.layerAgents.pipe(Layer.provide(PgAgentStore.layer)),
  CachedKeys.layerApiKeys.pipe(Layer.provide(PgApiKeyStore.layer)),
  PgArtifactStore.layer,
  PgAuditStore.layer,
  CachedSessions.layer.pipe(Layer.provide(PgPeopleStore.layer)),
  PgDeliveryStore.layer,
  PgEndpointStore.layer,
  PgExecutionStore.layer,
  PgHistoryStore.layer,
  PgEvidenceKeyStore.layer,
  PgPepperStore.layer,
  PgCancelStore.layer,
  PgReplayStore.layer,
  PgRunStore.layer,
  CachedKeys.layerRunnerKeys.pipe(Layer.provide(PgRunnerKeyStore.layer)),
  PgScheduleStore.layer,
  PgSealedValues.layer,
  PgSweepStore.layer,
  CachedCatalog.layerTasks.pipe(Layer.provide(PgTaskStore.layer)),
  PgUsageStore.layer
).pipe(
  Layer.provide(StoreCreates.layer),
  Layer.provide(MoveRuns.layer),
  Layer.provide([DeliveryHistory.layer, RemoveExecutions.layer, StoreSteps.layer]),
  Layer.provideMerge(Layer.merge(DeliveryHandOver.layer, WorkInlets.layer)),
  Layer.provide([Buckets.layer, CredentialCaches.layer])
)

/** The stores on the database that the options name, which is migrated first. */
export const layer = (options: PgDatabase.Options) => Layer.provide(layerStores, PgDatabase.layer(options))
