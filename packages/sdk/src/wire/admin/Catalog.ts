/** Agents and tasks, as operators keep them. */
import type { Agent, Platform, RetryPolicy, TaskVersion } from "../Catalog.ts"
import type { Answer } from "../Envelope.ts"
import type { JsonObject, Open } from "../Json.ts"

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

/** The schemas are usable; nothing was stored. */
export interface WouldPublish extends Answer {
  readonly would_publish: true
}

/** A version with its schemas. */
export interface TaskVersionDetail extends TaskVersion, Answer {
  readonly task_id: string
  readonly is_current: boolean
  readonly params_schema: JsonObject
  /** What a result keeps to; null when the version promises nothing. */
  readonly result_schema: JsonObject | null
}

/** A runner process, from when it says hello until a day after it was last heard of. */
export interface RunnerSession {
  readonly id: string
  readonly runner_name: string
  /** The process's own name for itself. */
  readonly instance_id: string
  readonly version: string | null
  readonly runner_key_id: string
  /** The agents it serves; null: all of the account, also later ones. */
  readonly agent_ids: ReadonlyArray<string> | null
  /** `silent` when it was not heard of in the last 60 seconds. */
  readonly status: Open<"online" | "draining" | "silent">
  /** Executions it takes at once. */
  readonly capacity: number
  /** Executions it holds, of all its agents. */
  readonly busy: number
  readonly labels: { readonly [name: string]: string }
  readonly drain_requested_at: string | null
  readonly created_at: string
  readonly last_seen_at: string
}

export interface RunnerSessionDrained extends Answer {
  readonly id: string
  readonly drain_requested_at: string
}

export interface VersionRef {
  readonly version_id: string
}
