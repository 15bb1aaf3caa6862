/** Executions as the service sends and takes them. Times are ISO 8601 text, durations have their unit in the name. */
import type { Answer, PageQuery } from "./Envelope.ts"
import type { FileArtifact } from "./Files.ts"
import type { Json, JsonObject, Open } from "./Json.ts"
import type { KnownExecutionEventType } from "./Webhooks.ts"

export type KnownExecutionStatus =
  | "pending"
  | "queued"
  | "running"
  | "awaiting_input"
  | "completed"
  | "cancelled"
  | "aborted"
  | "error"

export type ExecutionStatus = Open<KnownExecutionStatus>

/** The question that the work is waiting on. */
export interface InputRequestSummary {
  readonly input_id: string
  readonly prompt: string
  /** JSON Schema of the answer. */
  readonly schema: JsonObject
  readonly expires_at: string
}

/** What lists and details show of an execution. */
export interface ExecutionFields {
  readonly status: ExecutionStatus
  /** Why it was stopped, if somebody said. */
  readonly status_reason: string | null
  readonly task_id: string
  readonly task_version_id: string
  readonly agent_id: string
  /** Your own name for it; the execution's id when none was given. */
  readonly reference: string
  readonly metadata: JsonObject
  /** As given at creation. */
  readonly params: JsonObject
  /** What the work produced; null unless completed. */
  readonly result: JsonObject | null
  /** Null unless the run has failed. */
  readonly error_message: string | null
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Deferred start; null when not deferred. */
  readonly scheduled_at: string | null
  readonly priority: number
  /** How often the work has been started. */
  readonly attempt: number
  readonly input_request: InputRequestSummary | null
  readonly rerun_of: string | null
}

/** An execution as lists show it. */
export interface Execution extends ExecutionFields {
  readonly id: string
}

/** An execution with the files it captured. */
export interface ExecutionDetail extends ExecutionFields, Answer {
  readonly execution_id: string
  readonly downloads: ReadonlyArray<FileArtifact>
  readonly prints: ReadonlyArray<FileArtifact>
  readonly screenshots: ReadonlyArray<FileArtifact>
}

/** A request to queue an execution. Needs `task_id` or `task_version_id`. */
export interface CreateExecution {
  /** The agent that executes the run. */
  readonly agent_id: string
  readonly task_id?: string
  /** A specific version; wins over `v` and `version`. */
  readonly task_version_id?: string
  /** `current`, `tag:<name>` or a version's id; the task's current version unless given. */
  readonly version?: string
  /** A version's number; wins over `version`. */
  readonly v?: number
  /** Input values, by the task's params schema. */
  readonly params?: JsonObject
  /** Your own name for it, 1 to 255 characters. */
  readonly reference?: string
  /** Up to 8 KB and 50 keys; a value has at most 500 characters. */
  readonly metadata?: JsonObject
  /** Where the service tells of every status change. */
  readonly callback_url?: string | null
  /** The event types to send; all unless given. */
  readonly callback_events?: ReadonlyArray<KnownExecutionEventType> | null
  /** Not to start before this moment. */
  readonly scheduled_at?: string | null
  /** -1000 to 1000, higher runs first; 0 unless given. */
  readonly priority?: number
  /** Accept as `pending`, to be queued by `executions.release`. */
  readonly hold?: boolean
  /** Cancelled when not started by then. */
  readonly expires_at?: string | null
  /** Longest run once started; the task's own unless given. */
  readonly timeout_seconds?: number | null
}

/** The execution was accepted now. */
export interface ExecutionCreated extends Answer {
  readonly execution_id: string
  readonly status: ExecutionStatus
  readonly reference: string
  readonly metadata: JsonObject
  readonly task_id: string
  readonly task_version_id: string
  readonly scheduled_at: string | null
  readonly priority: number
  readonly idempotent_replay?: undefined
}

/** An equal request under the same key had made it before. */
export interface ExecutionReplayed extends Answer {
  readonly execution_id: string
  /** What the execution is by now. */
  readonly status: ExecutionStatus
  readonly idempotent_replay: true
}

/** The request is valid; nothing was stored. */
export interface WouldCreate extends Answer {
  readonly would_create: true
  readonly status: "would_create"
}

/** Which executions a list wants; all of the account unless given. */
export interface ExecutionFilter extends PageQuery {
  readonly status?: KnownExecutionStatus | ReadonlyArray<KnownExecutionStatus>
  readonly task_id?: string
  readonly agent_id?: string
  readonly reference?: string
  /** Created at or after. */
  readonly from?: string
  /** Created at or before. */
  readonly to?: string
}

/** The execution as it is after a call that moves it. */
export interface ExecutionMoved extends Answer {
  readonly execution_id: string
  readonly status: ExecutionStatus
}

export interface ExecutionCancelled extends ExecutionMoved {
  /** Present when it was finished before the call. */
  readonly already_finished?: true
}

export interface CancelExecution {
  /** Kept as `status_reason`. */
  readonly reason?: string
}

/** A question that the work asked. */
export interface InputRequest {
  readonly input_id: string
  readonly input_key: string
  readonly prompt: string
  /** JSON Schema of the answer. */
  readonly schema: JsonObject
  readonly mode: Open<"hold" | "release">
  readonly on_timeout: Open<"error" | "cancel" | "default">
  readonly asked_at: string
  readonly expires_at: string
  readonly answered_at: string | null
  /** The answer; null until answered. */
  readonly value: Json
}

/** Every question, oldest first. */
export interface InputList extends Answer {
  readonly data: ReadonlyArray<InputRequest>
}

export interface AnswerInput {
  /** By the question's schema. */
  readonly value: Json
}

export interface InputAnswered extends ExecutionMoved {
  readonly input_id: string
}
