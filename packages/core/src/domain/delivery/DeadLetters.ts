/** Deliveries that were given up, by receiver and cause: one repair frees a group. */
import type * as DateTime from "effect/DateTime"
import type { DeliveryCause } from "./AttemptCause.ts"
import type { WebhookEventType } from "./WebhookEventType.ts"

/** Of each group so many are counted at most: an outage may leave half a million. */
export const deadLettersCounted = 500

/** More groups than that are not told apart. */
export const deadLetterGroupsMax = 100

export interface DeadLetterGroup {
  /** Null of what a version before has buried. */
  readonly origin: string | null
  readonly cause: DeliveryCause | null
  /** At most `deadLettersCounted`. */
  readonly dead: number
  /** Whether there are more than were counted. */
  readonly isMore: boolean
  /** When the first of them was made. */
  readonly oldestAt: DateTime.Utc
  readonly newestAt: DateTime.Utc
  /** Of those counted, how many of each type. */
  readonly types: ReadonlyMap<WebhookEventType, number>
}

export interface DeadLetters {
  readonly groups: ReadonlyArray<DeadLetterGroup>
  /** Whether there are more groups. */
  readonly isMore: boolean
}
