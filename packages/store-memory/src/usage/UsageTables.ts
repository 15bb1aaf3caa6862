/** What was counted, in memory. */
import type { ApiKeyId } from "@runhook/core/domain/Ids"
import type { UsageSum } from "@runhook/core/domain/usage/UsageCounts"
import type { KeyUse, LastAttempts, ReceiverSum } from "@runhook/core/ports/UsageStore"

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
