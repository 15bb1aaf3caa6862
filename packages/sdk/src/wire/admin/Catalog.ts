/** Agents and tasks, as operators keep them. */
import type { Agent, Platform, RetryPolicy, TaskVersion } from "../Catalog.ts"
import type { Answer } from "../Envelope.ts"
import type { JsonObject } from "../Json.ts"

export interface AgentDetail extends Agent, Answer {}

export interface CreateAgent {
  readonly name: string
  readonly description?: string
  readonly labels?: { readonly [name: string]: string }
  /** Executions it runs at once; 1 unless given. */
  readonly capacity?: number
}

/** `paused` accepts executions and runs none; `disabled` accepts none either. */
export type KnownAgentState = "active" | "paused" | "disabled"

export interface UpdateAgent extends Partial<CreateAgent> {
  readonly state?: KnownAgentState
}

/** What it leaves out is the default. */
export interface NewRetryPolicy extends Partial<RetryPolicy> {
  readonly max_attempts: number
}

interface TaskPolicies {
  readonly description?: string
  readonly platforms?: ReadonlyArray<Platform>
  /** Longest run once started; null for no limit. */
  readonly timeout_seconds?: number | null
  readonly retry?: NewRetryPolicy
}

export interface CreateTask extends TaskPolicies {
  readonly slug: string
  readonly name: string
}

export interface UpdateTask extends TaskPolicies {
  readonly name?: string
  readonly enabled?: boolean
}

export interface PublishVersion {
  readonly params_schema: JsonObject
  readonly result_schema?: JsonObject | null
  readonly tags?: ReadonlyArray<string>
  /** true unless given. */
  readonly make_current?: boolean
}

/** The version, which never changes again. */
export interface VersionPublished extends TaskVersion, Answer {}

export interface VersionRef {
  readonly version_id: string
}
