/**
 * The tables of the memory store. One JavaScript turn is one transaction: each
 * port method reads and writes them in a single `Effect.sync`, so that no other
 * caller ever sees half a change.
 */
import type { Account } from "@runhook/core/domain/account/Account"
import type { Artifact } from "@runhook/core/domain/artifact/Artifact"
import type { AuditEntry } from "@runhook/core/domain/audit/AuditEntry"
import type { Agent } from "@runhook/core/domain/catalog/Agent"
import type { Task, TaskVersion } from "@runhook/core/domain/catalog/Task"
import type { SignInLink } from "@runhook/core/domain/people/SignInLink"
import type { PersonSession } from "@runhook/core/domain/people/PersonSession"
import type { DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"
import type { ReceiverState } from "@runhook/core/domain/delivery/Receiver"
import type { ReplayJob } from "@runhook/core/domain/delivery/ReplayJob"
import type {
  AccountId,
  AgentId,
  ApiKeyId,
  ArtifactId,
  AuditEntryId,
  PersonSessionId,
  DispatcherId,
  EventId,
  ExecutionId,
  ReplayId,
  RunnerKeyId,
  SessionId,
  TaskId,
  TaskVersionId
} from "@runhook/core/domain/Ids"
import type { ApiKeyRecord } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/domain/keys/RunnerKeyRecord"
import type { SigningSecretRecord } from "@runhook/core/domain/keys/SigningSecretRecord"
import type { Progress } from "@runhook/core/domain/run/Progress"
import type { RunnerSession } from "@runhook/core/domain/run/RunnerSession"
import type { UsageSum } from "@runhook/core/domain/usage/UsageCounts"
import type { Idempotency } from "@runhook/core/ports/ExecutionStore"
import type { LeftOver } from "@runhook/core/ports/SweepStore"
import type { KeyUse, LastAttempts, ReceiverSum } from "@runhook/core/ports/UsageStore"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Layer from "effect/Layer"
import { DeliveryTable } from "./deliveries/DeliveryTable.ts"
import { RunTable } from "./moves/RunTable.ts"

/** A task with what names its versions. */
export interface TaskRow {
  readonly task: Task
  readonly currentVersionId: TaskVersionId | null
  readonly tags: ReadonlyMap<string, TaskVersionId>
  /** The version of number n stands at place n - 1. */
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

export interface Tables {
  readonly accounts: Map<AccountId, Account>
  readonly apiKeys: Map<ApiKeyId, ApiKeyRecord>
  /** By the public prefix of the key. */
  readonly apiKeyIds: Map<string, ApiKeyId>
  /** By the key they belong to, oldest first. */
  readonly signingSecrets: Map<ApiKeyId, ReadonlyArray<SigningSecretRecord>>
  readonly runnerKeys: Map<RunnerKeyId, RunnerKeyRecord>
  /** By the public prefix of the key. */
  readonly runnerKeyIds: Map<string, RunnerKeyId>
  /** By the hash of the token. */
  readonly consoleLinks: Map<string, SignInLink>
  readonly consoleSessions: Map<PersonSessionId, PersonSession>
  readonly tasks: Map<TaskId, TaskRow>
  readonly taskVersions: Map<TaskVersionId, TaskVersion>
  readonly agents: Map<AgentId, Agent>
  readonly runs: RunTable
  /** What was last said of started work. */
  readonly progress: Map<ExecutionId, Progress>
  /** By API key id and key. */
  readonly idempotency: Map<string, IdempotencyRow>
  readonly sessions: Map<SessionId, RunnerSession>
  /** By the execution they belong to, oldest first. */
  readonly artifacts: Map<ExecutionId, ReadonlyArray<Artifact>>
  /** Bytes of all artifacts of an account. */
  readonly artifactBytes: Map<AccountId, number>
  readonly awaitedUploads: Map<ArtifactId, AwaitedUpload>
  readonly leftOvers: Map<ArtifactId, LeftOver>
  readonly deliveries: DeliveryTable
  /** Those that have or had trouble, by `receiverKey`. */
  readonly receivers: Map<string, ReceiverState>
  /** Who has claimed what is being sent. */
  readonly claimers: Map<EventId, DispatcherId>
  /** What somebody wants tried, until an attempt of it is settled. */
  readonly tries: Set<EventId>
  /** Signs of life of dispatchers. */
  readonly beats: Map<DispatcherId, number>
  readonly attempts: Map<EventId, ReadonlyArray<DeliveryAttempt>>
  readonly replays: Map<ReplayId, ReplayJob>
  readonly audit: Map<AuditEntryId, AuditEntry>
  readonly usage: UsageTables
}

export class MemoryDatabase extends Context.Service<MemoryDatabase, Tables>()(
  "@runhook/store-memory/MemoryDatabase"
) {
  static readonly layer = Layer.sync(MemoryDatabase, () =>
    MemoryDatabase.of({
      accounts: new Map(),
      apiKeys: new Map(),
      apiKeyIds: new Map(),
      signingSecrets: new Map(),
      runnerKeys: new Map(),
      runnerKeyIds: new Map(),
      consoleLinks: new Map(),
      consoleSessions: new Map(),
      tasks: new Map(),
      taskVersions: new Map(),
      agents: new Map(),
      runs: new RunTable(),
      progress: new Map(),
      idempotency: new Map(),
      sessions: new Map(),
      artifacts: new Map(),
      artifactBytes: new Map(),
      awaitedUploads: new Map(),
      leftOvers: new Map(),
      deliveries: new DeliveryTable(),
      receivers: new Map(),
      claimers: new Map(),
      tries: new Set(),
      beats: new Map(),
      attempts: new Map(),
      replays: new Map(),
      audit: new Map(),
      usage: new UsageTables()
    })
  )
}
