/** What operators ask of the executions and deliveries of an account. */
import type { KnownDeliveryState } from "../Deliveries.ts"
import type { Answer } from "../Envelope.ts"
import type { Open } from "../Json.ts"
import type { TestWebhook } from "../Webhooks.ts"

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
