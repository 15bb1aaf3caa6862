/** The whole engine as two lists: what answers calls, and what a process does by itself. Every host is made of them. */
import * as Layer from "effect/Layer"
import { Accounts } from "./Accounts.ts"
import { Admission } from "./Admission.ts"
import { Agents } from "./Agents.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Artifacts } from "./Artifacts.ts"
import { AuditLog } from "./AuditLog.ts"
import { Authentication } from "./Authentication.ts"
import { ConsoleSessions } from "./ConsoleSessions.ts"
import { Changes } from "./Changes.ts"
import { CurlCommands } from "./CurlCommands.ts"
import { Deliveries } from "./Deliveries.ts"
import * as Counting from "./Counting.ts"
import type { Retention } from "./domain/Retention.ts"
import { Executions } from "./Executions.ts"
import * as Forgetting from "./Forgetting.ts"
import { History } from "./History.ts"
import { Inputs } from "./Inputs.ts"
import { KnownWork } from "./KnownWork.ts"
import { Polling } from "./Polling.ts"
import { Replays } from "./Replays.ts"
import { Resealing } from "./Resealing.ts"
import { RunnerKeys } from "./RunnerKeys.ts"
import { RunnerSessions } from "./RunnerSessions.ts"
import { Runs } from "./Runs.ts"
import { Sweeps } from "./Sweeps.ts"
import { Tasks } from "./Tasks.ts"
import { Usage } from "./Usage.ts"
import * as UsageForgetting from "./UsageForgetting.ts"

/** Every use case. */
export const layer = Layer.mergeAll(
  Accounts.layer,
  Agents.layer,
  ApiKeys.layer,
  Artifacts.layer,
  AuditLog.layer,
  Authentication.layer,
  ConsoleSessions.layer,
  Changes.layer,
  CurlCommands.layer,
  Deliveries.layer,
  Executions.layer,
  History.layer,
  Inputs.layer,
  Polling.layer,
  Replays.layer,
  Resealing.layer,
  RunnerKeys.layer,
  RunnerSessions.layer,
  Runs.layer,
  Sweeps.layer,
  Tasks.layer,
  Usage.layer
).pipe(Layer.provideMerge(Admission.layer), Layer.provide([Counting.layer, KnownWork.layer]))

export interface LoopOptions {
  /** How long settled deliveries are kept. */
  readonly retention: Retention
}

/** What every process does beside its calls: ends what has run out of time, forgets, seals anew. */
export const upkeep = ({ retention }: LoopOptions) =>
  Layer.mergeAll(
    Forgetting.layerLoop(retention),
    Forgetting.layerConsole,
    Resealing.layerAtStart.pipe(Layer.provide(Resealing.layer)),
    Sweeps.layerLoop.pipe(Layer.provide(Sweeps.layer), Layer.provide(Counting.layer)),
    UsageForgetting.layerLoop
  )

/**
 * Everything that a process does by itself, beside a dispatcher of callbacks.
 * Any number of processes may, on one store.
 */
export const loops = (options: LoopOptions) => Layer.merge(upkeep(options), Replays.layerLoop)
