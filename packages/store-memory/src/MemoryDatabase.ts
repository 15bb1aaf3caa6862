/**
 * The tables of the memory store. One JavaScript turn is one transaction: each
 * port method reads and writes them in a single `Effect.sync`, so that no other
 * caller ever sees half a change.
 */
import type { Account } from "@runhook/core/accounts/Account"
import type { Alert } from "@runhook/core/alerts/Alert"
import type { AlertTarget } from "@runhook/core/alerts/AlertTarget"
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import type { AuditEntry } from "@runhook/core/audit/AuditEntry"
import type { Agent } from "@runhook/core/catalog/Agent"
import type { Task, TaskVersion } from "@runhook/core/catalog/Task"
import type { SignInLink } from "@runhook/core/people/SignInLink"
import type { PersonSession } from "@runhook/core/people/PersonSession"
import type { DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import type { WebhookEndpoint } from "@runhook/core/endpoints/WebhookEndpoint"
import type { ReceiverState } from "@runhook/core/deliveries/claim/Receiver"
import type { CancelJob } from "@runhook/core/cancels/CancelJob"
import type { ReplayJob } from "@runhook/core/replays/ReplayJob"
import type {
  AccountId,
  AgentId,
  AlertTargetId,
  ApiKeyId,
  ArtifactId,
  AuditEntryId,
  PersonSessionId,
  DispatcherId,
  EndpointId,
  EventId,
  ExecutionId,
  JobId,
  ReplayId,
  RunnerKeyId,
  ScheduleId,
  SessionId,
  TaskId,
  TaskVersionId
} from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import type { SigningSecretRecord } from "@runhook/core/keys/SigningSecretRecord"
import type { Change } from "@runhook/core/runs/Run"
import type { LogLine } from "@runhook/core/runs/LogLine"
import type { Progress } from "@runhook/core/runs/Progress"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import type { Schedule } from "@runhook/core/schedules/Schedule"
import type { UsageSum } from "@runhook/core/usage/UsageCounts"
import type { Idempotency } from "@runhook/core/executions/ExecutionStore"
import type { LeftOver } from "@runhook/core/sweeps/SweepStore"
import type { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { KeyUse, LastAttempts, ReceiverSum } from "@runhook/core/usage/UsageIncrement"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Layer from "effect/Layer"
import { DeliveryTable } from "./deliveries/DeliveryTable.ts"
import { RunTable } from "./runs/moves/RunTable.ts"

/** A task with what names its versions. */
export interface TaskRow {
  readonly task: Task
  readonly currentVersionId: TaskVersionId | null
  readonly tags: ReadonlyMap<string, TaskVersionId>
  /** The version with number n is at index n - 1. */
  readonly versionIds: ReadonlyArray<TaskVersionId>
}

/** What an idempotency key made. */
export interface IdempotencyRow extends Idempotency {
  readonly executionId: ExecutionId
}

/** An artifact that is not ready. */
export interface AwaitedUpload {
  readonly artifact: Artifact
  readonly until: DateTime.Utc
}

/** A line, with what tells whether it was sent before. */
export interface StoredLine extends LogLine {
  readonly epoch: number
  readonly number: number | null
}

/** A change, and the endpoints of its account that were enabled when it was stored. */
export interface EndpointNote {
  readonly change: Change
  readonly endpoints: ReadonlySet<EndpointId>
}

/** What was counted. */
export class UsageTables {
  *entries() {
    for (const table of [this.sums, this.keyUses, this.receiverSums, this.lastAttempts]) yield* table
  }

  /** By span, beginning and subject. */
  readonly sums = new Map<string, UsageSum>()
  readonly keyUses = new Map<ApiKeyId, KeyUse>()
  /** By receiver and hour. */
  readonly receiverSums = new Map<string, ReceiverSum>()
  /** By `receiverKey`. */
  readonly lastAttempts = new Map<string, LastAttempts>()
}

const emptyTables = () => ({
  accounts: new Map<AccountId, Account>(),
  /** When they were removed; null when nothing is left of them. */
  removedAccounts: new Map<AccountId, DateTime.Utc | null>(),
  /** Sealed, by what they are for. */
  secrets: new Map<"pepper", string>(),
  apiKeys: new Map<ApiKeyId, ApiKeyRecord>(),
  /** By the public prefix of the key. */
  apiKeyIds: new Map<string, ApiKeyId>(),
  /** By the key they belong to, oldest first. */
  signingSecrets: new Map<ApiKeyId, ReadonlyArray<SigningSecretRecord>>(),
  runnerKeys: new Map<RunnerKeyId, RunnerKeyRecord>(),
  /** By the public prefix of the key. */
  runnerKeyIds: new Map<string, RunnerKeyId>(),
  /** By the hash of the token. */
  consoleLinks: new Map<string, SignInLink>(),
  consoleSessions: new Map<PersonSessionId, PersonSession>(),
  tasks: new Map<TaskId, TaskRow>(),
  taskVersions: new Map<TaskVersionId, TaskVersion>(),
  agents: new Map<AgentId, Agent>(),
  runs: new RunTable(),
  /** The latest progress of started work. */
  progress: new Map<ExecutionId, Progress>(),
  /** By the execution they belong to, oldest first. */
  logs: new Map<ExecutionId, ReadonlyArray<StoredLine>>(),
  /** The latest checkpoints of claimed work. */
  checkpoints: new Map<ExecutionId, StoredJson>(),
  /** By API key id and key. */
  idempotency: new Map<string, IdempotencyRow>(),
  sessions: new Map<SessionId, RunnerSession>(),
  /** By the execution they belong to, oldest first. */
  artifacts: new Map<ExecutionId, ReadonlyArray<Artifact>>(),
  /** Bytes of all artifacts of an account. */
  artifactBytes: new Map<AccountId, number>(),
  awaitedUploads: new Map<ArtifactId, AwaitedUpload>(),
  leftOvers: new Map<ArtifactId, LeftOver>(),
  deliveries: new DeliveryTable(),
  /** Those that have or had trouble, by `receiverKey`. */
  receivers: new Map<string, ReceiverState>(),
  /** The dispatcher of each delivery that is being sent. */
  claimers: new Map<EventId, DispatcherId>(),
  /** Deliveries that a person wants tried now, until an attempt is settled. */
  tries: new Set<EventId>(),
  /** Signs of life of dispatchers. */
  beats: new Map<DispatcherId, number>(),
  attempts: new Map<EventId, ReadonlyArray<DeliveryAttempt>>(),
  endpoints: new Map<EndpointId, WebhookEndpoint>(),
  /** Changes of which endpoints are yet to be told, in their order. */
  endpointNotes: new Set<EndpointNote>(),
  cancels: new Map<JobId, CancelJob>(),
  replays: new Map<ReplayId, ReplayJob>(),
  schedules: new Map<ScheduleId, Schedule>(),
  alertTargets: new Map<AlertTargetId, AlertTarget>(),
  /** By subject. */
  alertAllowances: new Map<string, { readonly since: DateTime.Utc; readonly remaining: number }>(),
  /** By `alertKey`. */
  alerts: new Map<string, Alert>(),
  audit: new Map<AuditEntryId, AuditEntry>(),
  usage: new UsageTables()
})

export type Tables = ReturnType<typeof emptyTables>

export class MemoryDatabase extends Context.Service<MemoryDatabase, Tables>()(
  "@runhook/store-memory/MemoryDatabase"
) {
  static readonly layer = Layer.sync(MemoryDatabase, emptyTables)
}
