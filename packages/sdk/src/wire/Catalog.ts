/** The tasks and agents that a key may use. */
import type { Answer, PageQuery } from "./Envelope.ts"
import type { JsonObject, Open } from "./Json.ts"

/** A system the task works on. */
export interface Platform {
  readonly platform_id: string
  readonly name: string
  readonly handler: string
}

/** One published, unchangeable form of a task. */
export interface TaskVersion {
  readonly id: string
  readonly number: number
  readonly tags: ReadonlyArray<string>
  readonly published_at: string
}

/** A task as lists show it. */
export interface Task {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly platforms: ReadonlyArray<Platform>
  readonly current_version: TaskVersion | null
  readonly latest_version: TaskVersion | null
  /** Which version each tag names. */
  readonly tags: { readonly [name: string]: string }
  readonly enabled: boolean
  readonly created_at: string
  readonly updated_at: string
}

/** What happens after a failure that its runner calls retryable, or when a runner is lost. */
export interface RetryPolicy {
  /** How often the work may be started in all. */
  readonly max_attempts: number
  /** The wait before the second attempt. */
  readonly initial_seconds: number
  /** What each further wait is multiplied by. */
  readonly factor: number
  /** The longest wait. */
  readonly max_seconds: number
  /** The share by which a wait may be longer or shorter. */
  readonly jitter: number
}

/** A task with its policies. */
export interface TaskDetail extends Task, Answer {
  readonly params_schema_url: string
  readonly result_schema: JsonObject | null
  /** Longest run once started; null for no limit. */
  readonly timeout_seconds: number | null
  readonly retry: RetryPolicy
}

export interface TaskFilter extends PageQuery {
  /** A part of the slug or name. */
  readonly q?: string
  /** Only tasks with a version of this tag. */
  readonly tag?: string
}

/** Which version of a task; the current one unless given. */
export interface VersionQuery {
  /** A version's number; wins over `version`. */
  readonly v?: number
  /** `current`, `tag:<name>` or a version's id. */
  readonly version?: string
}

/** The JSON Schema of a version's params. */
export interface ParamsSchema extends Answer {
  readonly task_id: string
  readonly task_version_id: string
  readonly version_number: number
  readonly schema: JsonObject
}

export type KnownAgentStatus = "online" | "offline" | "draining" | "paused" | "disabled"

/** An agent and what goes on around it. */
export interface Agent {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: Open<KnownAgentStatus>
  readonly labels: { readonly [name: string]: string }
  /** Executions it runs at once. */
  readonly capacity: number
  /** Executions it runs now. */
  readonly busy: number
  /** Executions waiting for it. */
  readonly queued: number
  /** Processes that serve it now. */
  readonly runners: number
  readonly last_seen_at: string | null
  readonly created_at: string
  readonly updated_at: string
}
