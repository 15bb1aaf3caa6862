/** What happened to an execution, why it waits, and its place in the queue. */
import type { Answer } from "./Envelope.ts"
import type { ExecutionMoved, ExecutionStatus } from "./Executions.ts"
import type { Json, JsonObject, Open } from "./Json.ts"

export type KnownHistoryEventType =
  | "created"
  | "released"
  | "claimed"
  | "given_back"
  | "started"
  | "input_requested"
  | "input_answered"
  | "requeued"
  | "rescheduled"
  | "completed"
  | "failed"
  | "cancelled"
  | "aborted"

/** One change of an execution. */
export interface ExecutionHistoryEvent {
  /** Counts up from 1 without a gap. */
  readonly sequence: number
  /** Null for changes that were made before the service kept their types. */
  readonly type: Open<KnownHistoryEventType> | null
  readonly at: string
  /** After the change. */
  readonly status: ExecutionStatus
  /** How often the work had been started. */
  readonly attempt: number | null
  /** What else there is to say: a reason, an error, a question. */
  readonly data: Json
}

/** Changes, oldest first. */
export interface ExecutionHistory extends Answer {
  readonly data: ReadonlyArray<ExecutionHistoryEvent>
}

export interface HistoryQuery {
  /** The sequence of the last change that you have; from the first unless given. */
  readonly after?: number
  /** The most changes in one answer, 1 to 200; 50 unless given. */
  readonly limit?: number
  /** Seconds to wait when there is none yet, 0 to 60; 0 unless given. */
  readonly wait?: number
}

export type KnownWaitState = "held" | "scheduled" | "waiting" | "claimed" | "started" | "finished"

export type KnownBlockKind =
  | "held"
  | "not_before"
  | "agent_paused"
  | "agent_disabled"
  | "no_runner"
  | "runners_draining"
  | "agent_capacity"
  | "queue"

/** One thing that is in the way of an execution. */
export interface ExecutionBlock {
  readonly kind: Open<KnownBlockKind>
  /** Of the execution, or of the agent. */
  readonly id: string
  readonly limit: number | null
  readonly current: number | null
}

/** Why an execution has not started. */
export interface ExecutionExplained extends Answer {
  readonly execution_id: string
  readonly state: Open<KnownWaitState>
  /** From 1; null when it is not in the queue, or far behind. */
  readonly position: number | null
  readonly blocked_by: ReadonlyArray<ExecutionBlock>
  readonly runners_online: number
  readonly not_before: string | null
  readonly expires_at: string | null
}

/** What is to change; what is left out stays. */
export interface RescheduleExecution {
  /** Not to start before; null: now. */
  readonly scheduled_at?: string | null
  readonly priority?: number
  /** Cancelled when not started by then; null: never. */
  readonly expires_at?: string | null
}

export interface ExecutionRescheduled extends ExecutionMoved {
  readonly scheduled_at: string | null
  readonly priority: number
  readonly expires_at: string | null
}

export interface RerunExecution {
  /** The task version it had, or the task's current one; `same` unless given. */
  readonly version?: "same" | "current"
  /** In place of those it had. */
  readonly params?: JsonObject
}
