/**
 * The whole engine as two lists: what answers calls, and what a process does by itself. Every host consists of them.
 */
import * as Layer from "effect/Layer"
import type { Retention } from "./sweeps/Retention.ts"
import * as AlertWatch from "./alerts/AlertWatch.ts"
import * as Pruning from "./sweeps/Pruning.ts"
import * as DueSchedules from "./schedules/DueSchedules.ts"
import * as EndpointEvents from "./endpoints/EndpointEvents.ts"
import { SecretKeyRotation } from "./keys/sealing/SecretKeyRotation.ts"
import * as ServiceWatch from "./usage/ServiceWatch.ts"
import * as Seats from "./runs/seats/Seats.ts"
import { Sweeps } from "./sweeps/Sweeps.ts"
import * as UsageCountingStores from "./usage/UsageCountingStores.ts"
import { KnownWork } from "./runs/claim/KnownWork.ts"
import { Accounts } from "./accounts/Accounts.ts"
import { Admission } from "./executions/create/Admission.ts"
import { Agents } from "./catalog/Agents.ts"
import { Alerts } from "./alerts/Alerts.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { Artifacts } from "./artifacts/Artifacts.ts"
import { AuditLog } from "./audit/AuditLog.ts"
import { Authentication } from "./keys/Authentication.ts"
import { Cancels } from "./cancels/Cancels.ts"
import { Changes } from "./accounts/Changes.ts"
import { PersonSessions } from "./people/PersonSessions.ts"
import { CurlCommands } from "./deliveries/CurlCommands.ts"
import { Deliveries } from "./deliveries/Deliveries.ts"
import { EndpointMessages } from "./endpoints/EndpointMessages.ts"
import { Evidence } from "./evidence/Evidence.ts"
import { Executions } from "./executions/Executions.ts"
import { History } from "./executions/history/History.ts"
import { Inputs } from "./runs/Inputs.ts"
import { Polling } from "./runs/claim/Polling.ts"
import { Replays } from "./replays/Replays.ts"
import { RunnerKeys } from "./keys/RunnerKeys.ts"
import { RunnerSessions } from "./runs/sessions/RunnerSessions.ts"
import { Runs } from "./runs/Runs.ts"
import { Schedules } from "./schedules/Schedules.ts"
import { Tasks } from "./catalog/Tasks.ts"
import { Usage } from "./usage/Usage.ts"
import { WebhookEndpoints } from "./endpoints/WebhookEndpoints.ts"

/** Every use case. */
export const layer = Layer.mergeAll(
  Accounts.layer,
  Agents.layer,
  Alerts.layer,
  ApiKeys.layer,
  Artifacts.layer,
  AuditLog.layer,
  Authentication.layer,
  PersonSessions.layer,
  Cancels.layer,
  Changes.layer,
  CurlCommands.layer,
  Deliveries.layer,
  EndpointMessages.layer,
  Evidence.layer,
  Executions.layer,
  History.layer,
  Inputs.layer,
  Polling.layer,
  Replays.layer,
  SecretKeyRotation.layer,
  RunnerKeys.layer,
  RunnerSessions.layer,
  Runs.layer,
  Schedules.layer,
  Sweeps.layer,
  Tasks.layer,
  Usage.layer,
  WebhookEndpoints.layer
).pipe(Layer.provideMerge(Admission.layer), Layer.provide([UsageCountingStores.layer, KnownWork.layer]))

export interface LoopOptions {
  /** How long settled deliveries are kept. */
  readonly retention: Retention
}

/** What every process does besides answering calls: tells endpoints, sweeps, prunes, re-seals secrets. */
export const upkeep = ({ retention }: LoopOptions) =>
  Layer.mergeAll(
    EndpointEvents.layerLoop,
    Pruning.layerLoop(retention),
    Pruning.layerEndpoints,
    SecretKeyRotation.layerAtStart.pipe(Layer.provide(SecretKeyRotation.layer)),
    Layer.mergeAll(
      DueSchedules.layerLoop,
      Seats.layerLoop,
      Sweeps.layerLoop.pipe(Layer.provide(Sweeps.layer))
    ).pipe(Layer.provide(UsageCountingStores.layer))
  )

/**
 * Everything that a process does by itself, besides a dispatcher. Any number of
 * processes may do so on one store.
 */
export const loops = (options: LoopOptions) =>
  Layer.mergeAll(
    upkeep(options),
    Cancels.layerLoop.pipe(Layer.provide(UsageCountingStores.layer)),
    Replays.layerLoop,
    ServiceWatch.layerLoop,
    AlertWatch.layerLoop
  )
