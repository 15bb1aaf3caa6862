/**
 * Keeps what was counted as it happened, and answers what goes on now from
 * indexes: nothing here walks what an account has ever had.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId, ApiKeyId } from "../domain/Ids.ts"
import type { LastFailure, ReceiverRecord } from "../domain/delivery/ReceiverStanding.ts"
import type { UsageSpan, UsageSubject, UsageSum } from "../domain/usage/UsageCounts.ts"

/** A key was used. */
export interface KeyUse {
  readonly accountId: AccountId
  readonly apiKeyId: ApiKeyId
  readonly at: DateTime.Utc
  /** The address it was used from, as far as that is known. */
  readonly from: string | null
}

/** What attempts at one receiver came to within an hour. */
export interface ReceiverSum {
  readonly accountId: AccountId
  readonly origin: string
  /** When the hour began. */
  readonly at: DateTime.Utc
  readonly delivered: number
  readonly failed: number
}

/** How attempts at one receiver ended last; null what there was none of. */
export interface LastAttempts {
  readonly accountId: AccountId
  readonly origin: string
  readonly lastSuccessAt: DateTime.Utc | null
  readonly lastFailure: LastFailure | null
}

/** What a process has counted since it last said so. Nothing in it is there twice. */
export interface Counted {
  readonly sums: ReadonlyArray<UsageSum>
  readonly keyUses: ReadonlyArray<KeyUse>
  readonly receivers: ReadonlyArray<ReceiverSum>
  readonly lastAttempts: ReadonlyArray<LastAttempts>
}

/** Whose sums are wanted: of one subject, or of all keys or all tasks of the account. */
export type UsageOf = UsageSubject | { readonly kind: "key" | "task"; readonly id: null }

/** What is known of how a key was used. */
export interface KeyUsage {
  readonly lastUsedAt: DateTime.Utc | null
  readonly lastUsedFrom: string | null
  /** Since the moment that was asked about, by whole hours. */
  readonly requests: number
}

/** What hangs on a key. Waiting deliveries are counted up to `countsTo`. */
export interface KeyLoad {
  readonly waitingDeliveries: number
  readonly liveExecutions: number
}

/** What goes on in an account now. Everything but slots and runners is counted up to `countsTo`. */
export interface Standing {
  readonly running: number
  /** What its agents may run at once. */
  readonly slots: number
  readonly queued: number
  readonly needsInput: number
  /** Since when the oldest has been due that waits for a runner. */
  readonly oldestQueuedAt: DateTime.Utc | null
  /** Runner processes that are there. */
  readonly runners: number
  /** Those of them that take no more work. */
  readonly draining: number
  readonly waitingDeliveries: number
  readonly deadLetters: number
}

/** Counts that are forgotten when they began before. */
export interface UsageBefore {
  readonly hours: DateTime.Utc
  readonly days: DateTime.Utc
  readonly receivers: DateTime.Utc
  readonly limit: number
}

export class UsageStore extends Context.Service<
  UsageStore,
  {
    /**
     * Adds what was counted to what is kept, all of it or nothing. Of what was
     * last, whatever is later is kept, in whichever order processes add it.
     */
    add(counted: Counted): Effect.Effect<void>

    /** The sums that are kept of hours or days that began at `from` or later and before `to`: at most `limit`, newest first. */
    sums(options: {
      readonly accountId: AccountId
      readonly of: UsageOf
      readonly span: UsageSpan
      readonly from: DateTime.Utc
      readonly to: DateTime.Utc
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<UsageSum>>

    /** How keys of the account were used, those that were; requests since `since`. */
    keyUsage(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<ApiKeyId>
      readonly since: DateTime.Utc
    }): Effect.Effect<ReadonlyMap<ApiKeyId, KeyUsage>>

    /** What hangs on a key of the account. */
    keyLoad(options: { readonly accountId: AccountId; readonly id: ApiKeyId }): Effect.Effect<KeyLoad>

    /**
     * Receivers that have trouble, that something waits for, at which something
     * is dead, and that something was sent to most recently: `limit` of each
     * kind at most, in no order.
     * Counts are of the hours from `since` on.
     */
    receivers(options: {
      readonly accountId: AccountId
      readonly since: DateTime.Utc
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<ReceiverRecord>>

    standing(options: { readonly accountId: AccountId; readonly at: DateTime.Utc }): Effect.Effect<Standing>

    /** Forgets up to `limit` sums of each kind whose hour or day began before; answers how many in all. */
    forget(before: UsageBefore): Effect.Effect<number>
  }
>()("@runhook/core/ports/UsageStore") {}
