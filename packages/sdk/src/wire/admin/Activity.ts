/** What operators ask of the executions and deliveries of an account. */
import type { Answer } from "../Envelope.ts"
import type { TestWebhook } from "../Webhooks.ts"

export interface AdminTestWebhook extends TestWebhook {
  /** The key whose signing secret signs the test. */
  readonly key_id: string
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
