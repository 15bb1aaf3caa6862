/** What a process has counted and stores. */
import type * as DateTime from "effect/DateTime"
import type { LastFailure } from "../deliveries/claim/ReceiverStanding.ts"
import type { AccountId, ApiKeyId } from "../shared/Ids.ts"
import type { UsageSum } from "./UsageCounts.ts"

/** A key was used. */
export interface KeyUse {
  readonly accountId: AccountId
  readonly apiKeyId: ApiKeyId
  readonly at: DateTime.Utc
  /** The address it was used from, if known. */
  readonly from: string | null
}

/** The results of attempts at one receiver within an hour. */
export interface ReceiverSum {
  readonly accountId: AccountId
  readonly origin: string
  /** When the hour began. */
  readonly at: DateTime.Utc
  readonly delivered: number
  readonly failed: number
}

/** How the last attempts at one receiver ended; null where there was none. */
export interface LastAttempts {
  readonly accountId: AccountId
  readonly origin: string
  readonly lastSuccessAt: DateTime.Utc | null
  readonly lastFailure: LastFailure | null
}

/** What a process has counted since it last wrote. Every entry is there once. */
export interface UsageIncrement {
  readonly sums: ReadonlyArray<UsageSum>
  readonly keyUses: ReadonlyArray<KeyUse>
  readonly receivers: ReadonlyArray<ReceiverSum>
  readonly lastAttempts: ReadonlyArray<LastAttempts>
}
