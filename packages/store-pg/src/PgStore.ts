/** Every store port on PostgreSQL, over one database. */
import { DeliveryInlets } from "@runhook/core/DeliveryInlets"
import * as Layer from "effect/Layer"
import { Buckets } from "./Buckets.ts"
import * as RememberedCatalog from "./caching/RememberedCatalog.ts"
import * as RememberedKeys from "./caching/RememberedKeys.ts"
import * as RememberedSessions from "./caching/RememberedSessions.ts"
import { Creates } from "./creating/Creates.ts"
import * as PgAccountStore from "./PgAccountStore.ts"
import * as PgAgentStore from "./PgAgentStore.ts"
import * as PgApiKeyStore from "./PgApiKeyStore.ts"
import * as PgArtifactStore from "./PgArtifactStore.ts"
import * as PgAuditStore from "./PgAuditStore.ts"
import * as PgConsoleStore from "./PgConsoleStore.ts"
import * as PgDatabase from "./PgDatabase.ts"
import * as PgDeliveryStore from "./PgDeliveryStore.ts"
import * as PgExecutionStore from "./PgExecutionStore.ts"
import * as PgHistoryStore from "./PgHistoryStore.ts"
import * as PgReplayStore from "./PgReplayStore.ts"
import * as PgRunnerKeyStore from "./PgRunnerKeyStore.ts"
import * as PgPepperStore from "./PgPepperStore.ts"
import { PgRuns } from "./PgRuns.ts"
import * as PgRunStore from "./PgRunStore.ts"
import * as PgSweepStore from "./PgSweepStore.ts"
import * as PgTaskStore from "./PgTaskStore.ts"
import * as PgUsageStore from "./PgUsageStore.ts"

/** The stores over a client whose schema is up to date. Needs `SecureRandom` for the ids of events. */
export const layerStores = Layer.mergeAll(
  PgAccountStore.layer,
  RememberedCatalog.layerAgents.pipe(Layer.provide(PgAgentStore.layer)),
  RememberedKeys.layerApiKeys.pipe(Layer.provide(PgApiKeyStore.layer)),
  PgArtifactStore.layer,
  PgAuditStore.layer,
  RememberedSessions.layer.pipe(Layer.provide(PgConsoleStore.layer)),
  PgDeliveryStore.layer,
  PgExecutionStore.layer,
  PgHistoryStore.layer,
  PgPepperStore.layer,
  PgReplayStore.layer,
  PgRunStore.layer,
  RememberedKeys.layerRunnerKeys.pipe(Layer.provide(PgRunnerKeyStore.layer)),
  PgSweepStore.layer,
  RememberedCatalog.layerTasks.pipe(Layer.provide(PgTaskStore.layer)),
  PgUsageStore.layer
).pipe(Layer.provide([PgRuns.layer, Creates.layer]), Layer.provide([Buckets.layer, DeliveryInlets.layer]))

/** The stores on the database that the options name, which is migrated first. */
export const layer = (options: PgDatabase.Options) => Layer.provide(layerStores, PgDatabase.layer(options))
