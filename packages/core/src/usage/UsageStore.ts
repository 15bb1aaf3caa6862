/**
 * Keeps what was counted as it happened, and answers from indexes what is going on
 * now. Nothing here reads an account's whole past.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { UsageIncrement } from "./UsageIncrement.ts"
import type { ReceiverRecord } from "../deliveries/claim/ReceiverStanding.ts"
import type { AccountId, AgentId, ApiKeyId } from "../shared/Ids.ts"
import type { UsageSpan, UsageSum, UsageOf } from "./UsageCounts.ts"

/** What is known of how a key was used. */
export interface KeyUsage {
  readonly lastUsedAt: DateTime.Utc | null
  readonly lastUsedFrom: string | null
  /** Since the given moment, by whole hours. */
  readonly requests: number
}

/** What depends on a key. Waiting deliveries are counted up to `countsTo`. */
export interface KeyLoad {
  readonly waitingDeliveries: number
  readonly liveExecutions: number
}

/** What is going on in an account now. Everything except slots and runners is counted up to `countsTo`. */
export interface AccountStanding {
  readonly running: number
  /** What its agents may run at once. */
  readonly slots: number
  readonly queued: number
  readonly needsInput: number
  /** Since when the oldest execution that waits for a runner has been due. */
  readonly oldestQueuedAt: DateTime.Utc | null
  /** Runner processes that are present. */
  readonly runners: number
  /** Those of them that take no more work. */
  readonly draining: number
  readonly waitingDeliveries: number
  readonly deadLetters: number
}

/** The work of an agent that is due and that no runner has. */
export interface WaitingWork {
  readonly agentId: AgentId
  readonly executions: number
  /** Since when the oldest of them has been due. */
  readonly oldestDueAt: DateTime.Utc
}

/** What is going on in all accounts together. Each number but the bytes is counted up to `serviceCountsTo`. */
export interface ServiceStanding {
  /** The agents whose work has waited longest, and of each as much as is claimed first. */
  readonly waiting: ReadonlyArray<WaitingWork>
  /** Runner processes that are present. */
  readonly runners: number
  readonly waitingDeliveries: number
  /** Those of them that have failed before. */
  readonly failingDeliveries: number
  readonly deadLetters: number
  /** Receivers that are left alone because they fail. */
  readonly heldReceivers: number
  readonly artifactBytes: number
  /** Artifacts that are registered and not uploaded. */
  readonly awaitedUploads: number
}

export class UsageStore extends Context.Service<
  UsageStore,
  {
    /**
     * Adds all counts of an account to the kept ones, or none. Of last moments, the later one is
     * kept, in whichever order processes add them. Answers the accounts of which it
     * has added nothing, since the part of the store that has them is away.
     */
    add(counted: UsageIncrement): Effect.Effect<ReadonlySet<AccountId>>

    /**
     * The kept sums of hours or days that began at or after `from` and before `to`: at
     * most `limit`, newest first.
     */
    sums(options: {
      readonly accountId: AccountId
      readonly of: UsageOf
      readonly span: UsageSpan
      readonly from: DateTime.Utc
      readonly to: DateTime.Utc
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<UsageSum>>

    /** How keys of the account were used, for those that were; requests since `since`. */
    keyUsage(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<ApiKeyId>
      readonly since: DateTime.Utc
    }): Effect.Effect<ReadonlyMap<ApiKeyId, KeyUsage>>

    /** What depends on a key of the account. */
    keyLoad(options: { readonly accountId: AccountId; readonly id: ApiKeyId }): Effect.Effect<KeyLoad>

    /**
     * Receivers in trouble, with waiting deliveries, with dead ones, and those last
     * sent to: at most `limit` of each kind, in no order. Counts are of the hours from
     * `since` on.
     */
    receivers(options: {
      readonly accountId: AccountId
      readonly since: DateTime.Utc
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<ReceiverRecord>>

    standing(options: {
      readonly accountId: AccountId
      readonly at: DateTime.Utc
    }): Effect.Effect<AccountStanding>

    /** Of agents with waiting work, at most `agents` are named. */
    serviceStanding(options: {
      readonly at: DateTime.Utc
      readonly agents: number
    }): Effect.Effect<ServiceStanding>
  }
>()("@runhook/core/usage/UsageStore") {}
