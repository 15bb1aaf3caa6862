/** What operators ask of the executions and deliveries of an account. */
import type { DeliveryFilter, KnownDeliveryCause, KnownDeliveryState } from "../Deliveries.ts"
import type { Answer } from "../Envelope.ts"
import type { Open } from "../Json.ts"
import type { ReplayDeliveries } from "../Replays.ts"
import type { TestWebhook } from "../Webhooks.ts"

/** What a list of the deliveries of an account is narrowed down by. */
export interface AdminDeliveryFilter extends DeliveryFilter {
  /** The key whose executions or tests they tell of. */
  readonly key_id?: string
}

/** Which of the account's deliveries to send again. */
export interface AdminReplayDeliveries extends ReplayDeliveries {
  readonly key_id?: string
}

/** Deliveries to one receiver that were given up for one cause. */
export interface DeadLetterGroup {
  /** Scheme, host and port; null of what a version before has given up. */
  readonly origin: string | null
  /** Null of what a version before has given up. */
  readonly cause: Open<KnownDeliveryCause> | null
  /** How many there are, as far as they were counted. */
  readonly dead: number
  /** Whether there are more than were counted. */
  readonly is_more: boolean
  /** When the first of them was made. */
  readonly oldest_at: string
  readonly newest_at: string
  /** How many of each event type, of those that were counted. */
  readonly types: Readonly<Record<string, number>>
}

/** What was given up, by receiver and cause. */
export interface DeadLetterList extends Answer {
  readonly data: ReadonlyArray<DeadLetterGroup>
  /** Whether there are more groups than are told apart. */
  readonly is_more: boolean
}

export interface AdminTestWebhook extends TestWebhook {
  /** The key whose signing secret signs the test. */
  readonly key_id: string
}

/** The delivery is due now. */
export interface DeliveryTried extends Answer {
  readonly id: string
  readonly state: Open<KnownDeliveryState>
  readonly round: number
  /** Made so far: the next one is the one that was asked for. */
  readonly attempts: number
  readonly next_attempt_at: string | null
}

/** A delivery as a command for a shell. */
export interface SignedCommand extends Answer {
  /** For a POSIX shell with curl. */
  readonly command: string
  /** From then on receivers refuse it as too old. */
  readonly expires_at: string
}

/** Every signing secret that could be opened is now sealed under the newest secret key. */
export interface SecretKeysResealed extends Answer {
  readonly newest_key: string
  /** Nothing is sealed under these any more. */
  readonly older_keys: ReadonlyArray<string>
  readonly resealed: number
  /** Signing secrets that no configured secret key opens. */
  readonly broken: number
}
