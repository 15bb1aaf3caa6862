/** Executions as operators see them: with names beside ids, callbacks, progress, and files under links of the admin API. */
import type { KnownDeliveryEventType, KnownDeliveryState } from "../Deliveries.ts"
import type { Answer } from "../Envelope.ts"
import type { CreateExecution, ExecutionFields, ExecutionStatus } from "../Executions.ts"
import type { RerunExecution } from "../History.ts"
import type { Open } from "../Json.ts"
import type { KnownExecutionEventType } from "../Webhooks.ts"

/** How the callback of one event fares. */
export interface CallbackMark {
  readonly event_id: string
  readonly type: Open<KnownDeliveryEventType>
  readonly state: Open<KnownDeliveryState>
  readonly attempts: number
  readonly last_status: number | null
  readonly created_at: string
  readonly settled_at: string | null
}

interface AdminExecutionFields extends ExecutionFields {
  /** The key in whose name it runs, and whose secret signs its callbacks. */
  readonly key_id: string
  readonly callback_url: string | null
  readonly callback_events: ReadonlyArray<Open<KnownExecutionEventType>> | null
  readonly callbacks: ReadonlyArray<CallbackMark>
  /** Null once the agent was removed. */
  readonly agent_name: string | null
  readonly task_name: string
  readonly task_slug: string
  readonly task_version_number: number
  readonly expires_at: string | null
  readonly timeout_seconds: number | null
}

/** An execution as lists of operators show it. */
export interface AdminExecution extends AdminExecutionFields {
  readonly id: string
}

/** What the runner last said of its work. */
export interface Progress {
  readonly percent: number | null
  readonly message: string | null
  readonly step: string | null
  readonly at: string
}

/** A file the run captured. */
export interface AdminFile {
  readonly id: string
  readonly file_name: string
  /** As its runner said. What is shown is told by the bytes. */
  readonly content_type: string
  readonly size_bytes: number
  readonly created_at: string
  /** Stable link; answers the bytes. */
  readonly url: string
}

/** A video of the session. */
export interface AdminVideo extends AdminFile {
  readonly platform_id: string | null
  readonly handler: string | null
  /** When the recording began, since the work did. */
  readonly started_offset_ms: number | null
}

interface AdminFiles {
  readonly downloads: ReadonlyArray<AdminFile>
  readonly prints: ReadonlyArray<AdminFile>
  readonly screenshots: ReadonlyArray<AdminFile>
}

/** An execution with its files and how far it is. */
export interface AdminExecutionDetail extends AdminExecutionFields, AdminFiles, Answer {
  readonly execution_id: string
  readonly progress: Progress | null
}

/** Everything the run captured. */
export interface AdminExecutionArtifacts extends AdminFiles, Answer {
  readonly execution_id: string
  readonly status: ExecutionStatus
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly videos: ReadonlyArray<AdminVideo>
}

export interface AdminCreateExecution extends CreateExecution {
  /** The key in whose name it runs: by its tasks, agents and limits, signed with its secret. */
  readonly key_id: string
}

export interface AdminRerunExecution extends RerunExecution {
  /** The key that the execution had unless given. */
  readonly key_id?: string
}
