/** The keys of integrations. Secrets are in the answer that makes them, and never again. */
import type { Answer } from "../Envelope.ts"
import type { Open } from "../Json.ts"

export type KnownCapability =
  | "executions:read"
  | "executions:write"
  | "artifacts:read"
  | "catalog:read"
  | "webhooks:test"
  | "webhooks:read"
  | "webhooks:replay"

/** Requests a key may make: on average, and at once. */
export interface RateLimit {
  readonly per_second: number
  readonly burst: number
}

interface KeyScope<Capability> {
  /** null: all tasks of the account; []: none. */
  readonly allowed_task_ids: ReadonlyArray<string> | null
  /** null: all agents of the account; []: none. */
  readonly allowed_agent_ids: ReadonlyArray<string> | null
  /** null: everything. */
  readonly capabilities: ReadonlyArray<Capability> | null
  readonly expires_at: string | null
  /** Unfinished executions it may have at once; null: only the account's limit. */
  readonly max_live: number | null
  /** null: the service's default. */
  readonly rate_limit: RateLimit | null
}

export type KnownSigningSecretState = "active" | "staged" | "previous"

/** One of the secrets that sign callbacks, which is itself never shown again. */
export interface SigningSecret {
  /** active: signs the specified header; staged: will from active_at on; previous: signs beside it. */
  readonly state: Open<KnownSigningSecretState>
  readonly active_at: string
  /** From then on it signs nothing; null: until it is replaced. */
  readonly expires_at: string | null
}

/** A key, without its secrets. */
export interface Key extends KeyScope<Open<KnownCapability>> {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
  /** Until when the key before a rotation is accepted. */
  readonly previous_expires_at: string | null
  /** Those that sign callbacks now or will: the active one first. */
  readonly signing_secrets: ReadonlyArray<SigningSecret>
  readonly revoked_at: string | null
  /** When it last opened a request, a second or two late; null when it never did. */
  readonly last_used_at: string | null
  /** The address that request came from, as far as that is known. */
  readonly last_used_from: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface KeyDetail extends Key, Answer {}

/** A key and what hangs on it. */
export interface KeyFacts extends KeyDetail {
  /** Requests it has opened in the last 24 hours. */
  readonly requests_24h: number
  /** Unfinished executions that it has queued. */
  readonly live_executions: number
  /** Callbacks signed for it that are still to arrive; counted up to 10000. */
  readonly waiting_deliveries: number
}

/** `key` and `signing_secret` are shown this once. */
export interface KeyCreated extends Key, Answer {
  readonly key: string
  readonly signing_secret: string
}

export interface CreateKey extends Partial<KeyScope<KnownCapability>> {
  readonly name: string
}

export interface UpdateKey extends Partial<CreateKey> {}

export interface RotateKey {
  /** How long the old key stays valid; a day unless given. */
  readonly overlap_seconds?: number
}

/** The new key, shown this once. */
export interface KeyRotated extends Answer {
  readonly key: string
  readonly previous_expires_at: string
}

export interface RotateSigningSecret {
  readonly mode: "immediate" | "staged"
  /** Staged: seconds until the new secret takes over, and again until the old one ends; a day unless given. */
  readonly overlap_seconds?: number
}

/** The new secret, shown this once. */
export interface SigningSecretRotated extends Answer {
  readonly signing_secret: string
  readonly active_at: string
  readonly previous_expires_at: string
}

/** The key of runner processes. */
export interface RunnerKey {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly prefix: string
  /** null: all agents of the account. */
  readonly agent_ids: ReadonlyArray<string> | null
  readonly revoked_at: string | null
  readonly created_at: string
}

/** `key` is shown this once. */
export interface RunnerKeyCreated extends RunnerKey, Answer {
  readonly key: string
}

export interface CreateRunnerKey {
  readonly name: string
  /** null: all agents of the account, as when it is left out. */
  readonly agent_ids?: ReadonlyArray<string> | null
}
