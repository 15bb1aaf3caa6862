/** Dead deliveries by receiver and cause: one repair frees a whole group. */
import type * as DateTime from "effect/DateTime"
import type { DeliveryCause } from "./steps/AttemptCause.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** The most that are counted per group: an outage may leave half a million. */
export const deadLettersCounted = 500

/** The most groups that are listed. */
export const deadLetterGroupsMax = 100

export interface DeadLetterGroup {
  readonly origin: string
  readonly cause: DeliveryCause
  /** At most `deadLettersCounted`. */
  readonly dead: number
  /** Whether there are more than were counted. */
  readonly isMore: boolean
  /** When the first of them was made. */
  readonly oldestAt: DateTime.Utc
  readonly newestAt: DateTime.Utc
  /** How many of each type, of those counted. */
  readonly types: ReadonlyMap<WebhookEventType, number>
}

export interface DeadLetters {
  readonly groups: ReadonlyArray<DeadLetterGroup>
  /** Whether there are more groups. */
  readonly isMore: boolean
}
