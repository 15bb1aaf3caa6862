/** The JSON of the integration API. Generated from the contract by `npm run generate`: do not edit. */
import type { Answer, Page } from "./Envelope.ts"
import type { Json, JsonObject, Open } from "./Json.ts"

export type KnownExecutionEventType =
  | "execution.queued"
  | "execution.started"
  | "execution.completed"
  | "execution.failed"
  | "execution.aborted"

/** A request to queue an execution. */
export interface CreateExecution {
  /** The agent that executes the run. */
  readonly agent_id: string
  /** The task to run; this or task_version_id. */
  readonly task_id?: string | undefined
  /** A specific version; wins over v and version. */
  readonly task_version_id?: string | undefined
  /** `current`, `tag:<name>` or a version's id. */
  readonly version?: string | undefined
  /** A version's number; wins over version. */
  readonly v?: number | undefined
  /** Input values, by the task's params schema. */
  readonly params?: JsonObject | undefined
  /** Your own name for it. */
  readonly reference?: string | undefined
  /**
   * At most 8192 bytes of JSON and 50 keys; each value at most 500 characters; no key starts with
   * `_service.`.
   */
  readonly metadata?: JsonObject | undefined
  /** Where callbacks are sent; null: nowhere. */
  readonly callback_url?: string | null | undefined
  /** The event types to send; all unless given. */
  readonly callback_events?: ReadonlyArray<KnownExecutionEventType> | null | undefined
  /** Not to start before. */
  readonly scheduled_at?: string | null | undefined
  /** Higher runs first; 0 unless given. */
  readonly priority?: number | undefined
  /** Accept as pending, to be queued by a release. */
  readonly hold?: boolean | undefined
  /** Cancelled if not started by then. */
  readonly expires_at?: string | null | undefined
  /** Longest run once started; the task's own unless given. */
  readonly timeout_seconds?: number | null | undefined
  /**
   * Executions of one key of the account share its limit, whatever their task and agent. Required with a
   * limit or a policy.
   */
  readonly concurrency_key?: string | null | undefined
  /**
   * Only beside `concurrency_key`. This one is not handed out while so many of its key are at work; 1 unless
   * given.
   */
  readonly concurrency_limit?: number | undefined
  /**
   * Only beside `concurrency_key`. While the limit is reached: `queue`, unless given, waits, `reject` is
   * refused with 409, `cancel_running` goes first. As soon as it is due, it cancels the unfinished executions
   * of the key that are older, all but the newest `concurrency_limit - 1`: at work, waiting, between
   * attempts, held or awaiting input.
   */
  readonly concurrency_policy?: "queue" | "reject" | "cancel_running" | undefined
}

/** The execution was accepted. */
export interface ExecutionCreated extends Answer {
  readonly execution_id: string
  readonly status: Open<"queued" | "pending">
  readonly reference: string
  readonly metadata: JsonObject
  readonly task_id: string
  readonly task_version_id: string
  readonly scheduled_at: string | null
  readonly priority: number
}

/** An equal request under the same key had made it before. */
export interface ExecutionReplayed extends Answer {
  readonly execution_id: string
  /** The execution's present status. */
  readonly status: Open<KnownExecutionStatus>
  readonly idempotent_replay: true
}

/** The request is valid; nothing was stored. */
export interface WouldCreate extends Answer {
  readonly would_create: true
  readonly status: "would_create"
}

/** One request of several to queue an execution. */
export interface BatchItem {
  /** The agent that executes the run. */
  readonly agent_id: string
  /** The task to run; this or task_version_id. */
  readonly task_id?: string | undefined
  /** A specific version; wins over v and version. */
  readonly task_version_id?: string | undefined
  /** `current`, `tag:<name>` or a version's id. */
  readonly version?: string | undefined
  /** A version's number; wins over version. */
  readonly v?: number | undefined
  /** Input values, by the task's params schema. */
  readonly params?: JsonObject | undefined
  /** Your own name for it. */
  readonly reference?: string | undefined
  /**
   * At most 8192 bytes of JSON and 50 keys; each value at most 500 characters; no key starts with
   * `_service.`.
   */
  readonly metadata?: JsonObject | undefined
  /** Where callbacks are sent; null: nowhere. */
  readonly callback_url?: string | null | undefined
  /** The event types to send; all unless given. */
  readonly callback_events?: ReadonlyArray<KnownExecutionEventType> | null | undefined
  /** Not to start before. */
  readonly scheduled_at?: string | null | undefined
  /** Higher runs first; 0 unless given. */
  readonly priority?: number | undefined
  /** Accept as pending, to be queued by a release. */
  readonly hold?: boolean | undefined
  /** Cancelled if not started by then. */
  readonly expires_at?: string | null | undefined
  /** Longest run once started; the task's own unless given. */
  readonly timeout_seconds?: number | null | undefined
  /**
   * Executions of one key of the account share its limit, whatever their task and agent. Required with a
   * limit or a policy.
   */
  readonly concurrency_key?: string | null | undefined
  /**
   * Only beside `concurrency_key`. This one is not handed out while so many of its key are at work; 1 unless
   * given.
   */
  readonly concurrency_limit?: number | undefined
  /**
   * Only beside `concurrency_key`. While the limit is reached: `queue`, unless given, waits, `reject` is
   * refused with 409, `cancel_running` goes first. As soon as it is due, it cancels the unfinished executions
   * of the key that are older, all but the newest `concurrency_limit - 1`: at work, waiting, between
   * attempts, held or awaiting input.
   */
  readonly concurrency_policy?: "queue" | "reject" | "cancel_running" | undefined
  /** As the header `Idempotency-Key` of a single create. */
  readonly idempotency_key?: string | undefined
}

/** Requests to queue executions. */
export interface CreateExecutions {
  readonly items: ReadonlyArray<BatchItem>
}

/** What is wrong, for programs and for people. */
export interface ErrorObject extends Answer {
  readonly code: Open<KnownErrorCode>
  /** Human-readable description. */
  readonly message: string
  /** Extra information, null when there is none. */
  readonly details: Json
}

/** What a single create would have answered: the execution, or the error. */
export interface BatchItemAnswer {
  /** Its place among the items, from 0. */
  readonly index: number
  /** The status with which a single create would be answered. */
  readonly status: number
  readonly execution?: ExecutionCreated | ExecutionReplayed
  readonly error?: ErrorObject
}

/** An answer to each item, in their order. */
export interface ExecutionsCreated extends Answer {
  readonly data: ReadonlyArray<BatchItemAnswer>
}

/** Which executions a list wants; all of the account unless given. */
export interface ExecutionFilter {
  /** May be repeated. */
  readonly status?: KnownExecutionStatus | ReadonlyArray<KnownExecutionStatus> | undefined
  readonly task_id?: string | undefined
  readonly agent_id?: string | undefined
  readonly reference?: string | undefined
  /** Made for this schedule. */
  readonly schedule_id?: string | undefined
  /** Created at or after. */
  readonly from?: string | undefined
  /** Created at or before. */
  readonly to?: string | undefined
  /** next_cursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
}

/** The question the work is waiting on. */
export interface InputRequestSummary {
  readonly input_id: string
  readonly prompt: string
  /** JSON Schema of the answer. */
  readonly schema: JsonObject
  readonly expires_at: string
}

export type KnownExecutionStatus =
  | "pending"
  | "queued"
  | "running"
  | "awaiting_input"
  | "completed"
  | "cancelled"
  | "aborted"
  | "error"

/** An execution as lists show it. */
export interface Execution {
  readonly id: string
  readonly status: Open<KnownExecutionStatus>
  /** Why it was stopped, if a reason was given. */
  readonly status_reason: string | null
  readonly task_id: string
  readonly task_version_id: string
  readonly agent_id: string
  /** The caller's own name; the execution's id when none was given. */
  readonly reference: string
  readonly metadata: JsonObject
  /** As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`. */
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
  /** The schedule that it was made for. */
  readonly schedule_id: string | null
  readonly concurrency_key: string | null
}

export type ExecutionPage = Page<Execution>

/** A file the run captured. */
export interface FileArtifact {
  readonly id: string
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  /** Stable link, opened with the same key; redirects to a signed URL. */
  readonly url: string
}

/** An execution with the files it captured. */
export interface ExecutionDetail extends Answer {
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
  /** Why it was stopped, if a reason was given. */
  readonly status_reason: string | null
  readonly task_id: string
  readonly task_version_id: string
  readonly agent_id: string
  /** The caller's own name; the execution's id when none was given. */
  readonly reference: string
  readonly metadata: JsonObject
  /** As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`. */
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
  /** The schedule that it was made for. */
  readonly schedule_id: string | null
  readonly concurrency_key: string | null
  readonly downloads: ReadonlyArray<FileArtifact>
  readonly prints: ReadonlyArray<FileArtifact>
  readonly screenshots: ReadonlyArray<FileArtifact>
}

/** Why an execution is stopped. */
export interface CancelExecution {
  /** Kept as status_reason. */
  readonly reason?: string | undefined
}

/** The execution as it is now. */
export interface ExecutionCancelled extends Answer {
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
  /** Present if it was already finished. */
  readonly already_finished?: true
}

/** Which executions, as a list of them is filtered. An empty one means all that are not finished. */
export interface CancelFilter {
  /** All that are not finished unless given. Finished ones match nothing. */
  readonly status?: ReadonlyArray<KnownExecutionStatus> | undefined
  readonly task_id?: string | undefined
  readonly agent_id?: string | undefined
  readonly reference?: string | undefined
  /** Made for this schedule. */
  readonly schedule_id?: string | undefined
  /** Created at or after. */
  readonly from?: string | undefined
  /** Created at or before. */
  readonly to?: string | undefined
}

/** Which executions are to be stopped, and why. */
export interface CancelExecutions {
  readonly filter: CancelFilter
  /** Kept as status_reason. */
  readonly reason?: string | undefined
  /** Answer how many match, and cancel nothing. False unless given. */
  readonly dry_run?: boolean | undefined
}

/** A job has begun to cancel what matches. */
export interface CancelBegun extends Answer {
  readonly job_id: string
  /** How many match now; null if more than 100,000 executions are unfinished. */
  readonly matched: number | null
}

/** An equal request under the same key had begun the job before. */
export interface CancelRepeated extends Answer {
  readonly job_id: string
  /** How many matched when it began. */
  readonly matched: number | null
  readonly idempotent_replay: true
}

/** What a job would do. Nothing has been changed. */
export interface WouldCancel extends Answer {
  /** Null: there is no job. */
  readonly job_id: string | null
  /** How many match now; null if more than 100,000 executions are unfinished. */
  readonly matched: number | null
  readonly dry_run: true
}

/** As requested; null for any. */
export interface AcceptedCancelFilter {
  readonly status: ReadonlyArray<Open<KnownExecutionStatus>> | null
  readonly task_id: string | null
  readonly agent_id: string | null
  readonly reference: string | null
  readonly schedule_id: string | null
  readonly from: string | null
  readonly to: string | null
}

/** `cancelled`: the job itself was stopped. */
export type KnownJobStatus = "running" | "completed" | "cancelled"

/** A job that cancels executions. */
export interface CancelJob extends Answer {
  readonly job_id: string
  /** `cancelled`: the job itself was stopped. */
  readonly status: Open<KnownJobStatus>
  /** How many matched when it began; null if there were too many to count. */
  readonly matched: number | null
  /** Executions that it has cancelled so far. */
  readonly cancelled: number
  /** Those that had ended or changed a moment before it reached them. */
  readonly skipped: number
  /** Those that it could not cancel: look at them one by one. */
  readonly failed: number
  readonly reason: string | null
  readonly filter: AcceptedCancelFilter
  /** Executions created after this are not touched. */
  readonly created_at: string
  readonly updated_at: string
  /** Null while it runs; the job is removed 30 days later. */
  readonly finished_at: string | null
}

/** The execution as it is now. */
export interface ExecutionMoved extends Answer {
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
}

/** How an execution is run again. */
export interface RerunExecution {
  /** The task version it had, or the task's current one; `same` unless given. */
  readonly version?: "same" | "current" | undefined
  /**
   * In place of the original ones. `"[secret]"` in the place of a secret means the original's: for the key
   * that gave it, for members and operators, and for all others beside the params of the original as they are
   * shown.
   */
  readonly params?: JsonObject | undefined
}

/** What to change; missing fields stay as they are. */
export interface RescheduleExecution {
  /** Not to start before then; null or a moment in the past means now. */
  readonly scheduled_at?: string | null | undefined
  readonly priority?: number | undefined
  /** Cancelled if not started by then; null: never. */
  readonly expires_at?: string | null | undefined
}

/** The execution as it is now. */
export interface ExecutionRescheduled extends Answer {
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
  readonly scheduled_at: string | null
  readonly priority: number
  readonly expires_at: string | null
}

/** Which changes of an execution, and how long to wait for one. */
export interface HistoryQuery {
  /** The number of the last one that the caller has; from the first unless given. */
  readonly after?: number | undefined
  /** next_cursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
  /** Seconds to wait for something new; none unless given. */
  readonly wait?: number | undefined
}

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
  /** Counted from 1 without gaps. */
  readonly sequence: number
  readonly type: Open<KnownHistoryEventType>
  readonly at: string
  /** After the change. */
  readonly status: Open<KnownExecutionStatus>
  /** How often the work had been started. */
  readonly attempt: number
  /** Details: a reason, an error, a question. */
  readonly data: Json
}

/** Changes, oldest first. */
export interface ExecutionHistory extends Answer {
  readonly data: ReadonlyArray<ExecutionHistoryEvent>
  /** Where the next page begins; null on the last page. */
  readonly next_cursor: string | null
}

/** One line of the log of an execution. */
export interface ExecutionLogLine {
  /** Counted from 1. The oldest lines of a long log are gone. */
  readonly sequence: number
  readonly at: string
  readonly level: Open<"debug" | "info" | "warn" | "error">
  readonly message: string
  /** The attempt that wrote it. */
  readonly attempt: number
}

/** Lines of the log, oldest first. */
export interface ExecutionLog extends Answer {
  readonly data: ReadonlyArray<ExecutionLogLine>
  /** Where the next page begins; null on the last page. */
  readonly next_cursor: string | null
}

export type KnownBlockKind =
  | "held"
  | "not_before"
  | "agent_paused"
  | "agent_disabled"
  | "no_runner"
  | "runners_draining"
  | "agent_capacity"
  | "concurrency_key"
  | "queue"

/** One obstacle to the start of an execution. */
export interface ExecutionBlock {
  readonly kind: Open<KnownBlockKind>
  /**
   * Of the waiting execution itself if the kind is `held`, `not_before` or `concurrency_key`; of its agent if
   * it is another.
   */
  readonly id: string
  /** The concurrency key, if the kind is `concurrency_key`; otherwise null. */
  readonly key: string | null
  /** The most that may be at work at once: for the key, or at the agent. */
  readonly limit: number | null
  /** How many there are now. */
  readonly current: number | null
}

export type KnownWaitState = "held" | "scheduled" | "waiting" | "claimed" | "started" | "finished"

/** Why an execution has not started. */
export interface ExecutionExplained extends Answer {
  readonly execution_id: string
  readonly state: Open<KnownWaitState>
  /**
   * Its place in the queue of its agent, from 1; null when it is not in the queue, or behind 1000 others.
   */
  readonly position: number | null
  readonly blocked_by: ReadonlyArray<ExecutionBlock>
  readonly runners_online: number
  readonly not_before: string | null
  readonly expires_at: string | null
}

/** A signed statement of what ran. */
export interface ExecutionEvidence extends Answer {
  /**
   * A compact JSON Web Signature by Ed25519 (`alg` is `EdDSA`) of an `EvidenceManifest`. Its `kid` names a
   * key of /.well-known/runhook/jwks.json.
   */
  readonly evidence: string
}

/** A video of the session. */
export interface VideoArtifact {
  readonly platform_id: string | null
  readonly handler: string | null
  readonly started_offset_ms: number | null
  readonly storage_key: string
  /** Opens without a key until it expires. */
  readonly signed_url: string | null
  readonly expires_in_seconds: number
  readonly error: string | null
}

/** Everything the run captured. */
export interface ExecutionArtifacts extends Answer {
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly videos: ReadonlyArray<VideoArtifact>
  readonly downloads: ReadonlyArray<FileArtifact>
  readonly prints: ReadonlyArray<FileArtifact>
  readonly screenshots: ReadonlyArray<FileArtifact>
}

export type InputMode = "hold" | "release"

export type InputTimeout = "error" | "cancel" | "default"

/** A question that the work asked. */
export interface InputRequest {
  readonly input_id: string
  readonly input_key: string
  readonly prompt: string
  /** JSON Schema of the answer. */
  readonly schema: JsonObject
  readonly mode: Open<InputMode>
  readonly on_timeout: Open<InputTimeout>
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

/** The answer, by the question's schema. */
export interface AnswerInput {
  /** By the question's schema. */
  readonly value: Json
}

/** The answer was taken. */
export interface InputAnswered extends Answer {
  readonly execution_id: string
  readonly input_id: string
  readonly status: Open<KnownExecutionStatus>
}

/** What each due time creates: a body of POST /executions. */
export interface ScheduledExecution {
  readonly agent_id: string
  readonly task_id?: string
  readonly task_version_id?: string
  readonly version?: string
  readonly v?: number
  readonly params: JsonObject
  readonly reference?: string
  readonly metadata: JsonObject
  readonly callback_url: string | null
  readonly callback_events: ReadonlyArray<Open<KnownExecutionEventType>> | null
  readonly priority: number
  readonly hold: boolean
  readonly timeout_seconds: number | null
  readonly concurrency_key: string | null
  readonly concurrency_limit?: number
  readonly concurrency_policy?: Open<"queue" | "reject" | "cancel_running">
}

export type KnownErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "idempotency_conflict"
  | "invalid_params"
  | "rate_limited"
  | "concurrency_limit_reached"
  | "internal_error"

/** What a create would have answered. */
export interface RefusedCreate {
  readonly code: Open<KnownErrorCode>
  readonly message: string
  readonly details: Json
}

/** What came of a due time. */
export interface LastDue {
  /** The due time. */
  readonly at: string
  /** What it created; null if it created nothing. */
  readonly execution_id: string | null
  /**
   * `created`; `skipped` since an earlier execution was unfinished; `missed`; or `refused`, as a create would
   * have been.
   */
  readonly outcome: Open<"created" | "skipped" | "missed" | "refused">
  readonly error: RefusedCreate | null
}

/** A request for an execution that is made again and again. */
export interface Schedule {
  readonly id: string
  readonly name: string
  /** The key that creates its executions: within its tasks, agents and limits, signed with its secret. */
  readonly key_id: string
  readonly cron: string | null
  readonly time_zone: string | null
  readonly every_seconds: number | null
  /** No due time is earlier. */
  readonly starts_at: string | null
  /** No due time is later. */
  readonly ends_at: string | null
  /**
   * What a due time does while an earlier execution of the schedule is unfinished: begin another, skip
   * itself, or cancel the other.
   */
  readonly overlap: Open<"allow" | "skip" | "cancel_running">
  /**
   * Which due times are made up for that are more than 60 seconds late, as after an outage: none, one for
   * all, or the last 100.
   */
  readonly missed: Open<"skip" | "last" | "all">
  readonly jitter_seconds: number
  /** Whether it is due at all. It becomes false by itself when its key is revoked or expires. */
  readonly enabled: boolean
  readonly execution: ScheduledExecution
  /** The next due times, five at most, without jitter; none during a pause. */
  readonly next_at: ReadonlyArray<string>
  readonly last: LastDue | null
  readonly created_at: string
  readonly updated_at: string
}

export type SchedulePage = Page<Schedule>

/** A request for an execution, and when it is made again and again. */
export interface CreateSchedule {
  readonly name: string
  /**
   * Minute, hour, day of month, month, day of week, in the time zone; or give every_seconds. null: not given.
   */
  readonly cron?: string | null | undefined
  /** A name of the time zone database, such as Europe/Berlin; given with cron. null: not given. */
  readonly time_zone?: string | null | undefined
  /**
   * Seconds between due times, counted from starts_at, or else from when this value was given first. null:
   * not given.
   */
  readonly every_seconds?: number | null | undefined
  /** No due time is earlier. */
  readonly starts_at?: string | null | undefined
  /** No due time is later. */
  readonly ends_at?: string | null | undefined
  /** `allow` unless given. */
  readonly overlap?: "allow" | "skip" | "cancel_running" | undefined
  /** `last` unless given. */
  readonly missed?: "skip" | "last" | "all" | undefined
  /** 0 unless given. */
  readonly jitter_seconds?: number | undefined
  /** true unless given. */
  readonly enabled?: boolean | undefined
  readonly execution: CreateExecution
}

/** A schedule. */
export interface ScheduleDetail extends Answer {
  readonly id: string
  readonly name: string
  /** The key that creates its executions: within its tasks, agents and limits, signed with its secret. */
  readonly key_id: string
  readonly cron: string | null
  readonly time_zone: string | null
  readonly every_seconds: number | null
  /** No due time is earlier. */
  readonly starts_at: string | null
  /** No due time is later. */
  readonly ends_at: string | null
  /**
   * What a due time does while an earlier execution of the schedule is unfinished: begin another, skip
   * itself, or cancel the other.
   */
  readonly overlap: Open<"allow" | "skip" | "cancel_running">
  /**
   * Which due times are made up for that are more than 60 seconds late, as after an outage: none, one for
   * all, or the last 100.
   */
  readonly missed: Open<"skip" | "last" | "all">
  readonly jitter_seconds: number
  /** Whether it is due at all. It becomes false by itself when its key is revoked or expires. */
  readonly enabled: boolean
  readonly execution: ScheduledExecution
  /** The next due times, five at most, without jitter; none during a pause. */
  readonly next_at: ReadonlyArray<string>
  readonly last: LastDue | null
  readonly created_at: string
  readonly updated_at: string
}

/**
 * What is to change. With other times, or enabled again, it goes on with the first due time from then. A
 * value that it has already changes nothing. Who changes anything but its name, other than by a pause, takes
 * it over by their key, which must be allowed to create what it asks for.
 */
export interface UpdateSchedule {
  readonly name?: string | undefined
  /**
   * Minute, hour, day of month, month, day of week, in the time zone; or give every_seconds. null: not given.
   */
  readonly cron?: string | null | undefined
  /** A name of the time zone database, such as Europe/Berlin; given with cron. null: not given. */
  readonly time_zone?: string | null | undefined
  /**
   * Seconds between due times, counted from starts_at, or else from when this value was given first. null:
   * not given.
   */
  readonly every_seconds?: number | null | undefined
  /** No due time is earlier. */
  readonly starts_at?: string | null | undefined
  /** No due time is later. */
  readonly ends_at?: string | null | undefined
  /**
   * What a due time does while an earlier execution of the schedule is unfinished: begin another, skip
   * itself, or cancel the other.
   */
  readonly overlap?: "allow" | "skip" | "cancel_running" | undefined
  /**
   * Which due times are made up for that are more than 60 seconds late, as after an outage: none, one for
   * all, or the last 100.
   */
  readonly missed?: "skip" | "last" | "all" | undefined
  /** Each due time is created up to so much later, always by the same part of it. */
  readonly jitter_seconds?: number | undefined
  /** Whether it is due at all: false is a pause. */
  readonly enabled?: boolean | undefined
  readonly execution?: CreateExecution | undefined
}

/** How this one execution differs. */
export interface TriggerSchedule {
  /** In place of those of the schedule. */
  readonly params?: JsonObject | undefined
}

/** The execution that was created. */
export interface ScheduleTriggered extends Answer {
  readonly schedule_id: string
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
}

/** Which tasks a list wants. */
export interface TaskFilter {
  /** A part of the slug or name. */
  readonly q?: string | undefined
  /** Only tasks with a version of this tag. */
  readonly tag?: string | undefined
  /** next_cursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
}

/** A system the task works on. */
export interface Platform {
  readonly platform_id: string
  readonly name: string
  readonly handler: string
}

/** One published version of a task, which never changes. */
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

export type TaskPage = Page<Task>

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
export interface TaskDetail extends Answer {
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
  readonly params_schema_url: string
  readonly result_schema: JsonObject | null
  /** Longest run once started; null for no limit. */
  readonly timeout_seconds: number | null
  readonly retry: RetryPolicy
}

/** Which version of a task; the current one unless given. */
export interface VersionQuery {
  /** A version's number; wins over version. */
  readonly v?: number | undefined
  /** `current`, `tag:<name>` or a version's id. */
  readonly version?: string | undefined
}

/** The JSON Schema of a version's params. */
export interface ParamsSchema extends Answer {
  readonly task_id: string
  readonly task_version_id: string
  readonly version_number: number
  readonly schema: JsonObject
}

/** What chooses a page of a list. */
export interface PageQuery {
  /** next_cursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
}

export type KnownAgentStatus = "online" | "offline" | "draining" | "paused" | "disabled"

/** An agent with its load and its runners. */
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
  /** Runners that serve it and are present. */
  readonly runners: number
  /** When a runner that serves it was last heard from, to about ten seconds. */
  readonly last_seen_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export type AgentPage = Page<Agent>

export interface TestWebhook {
  /** Where the test is sent. */
  readonly callback_url: string
}

/** The test event is queued for delivery. */
export interface TestWebhookQueued extends Answer {
  readonly event_id: string
  readonly delivery_id: string
  readonly status: "queued"
  readonly callback_url: string
  /**
   * What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or
   * that asked for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due
   * now, or settled.
   */
  readonly waiting_for: Open<KnownWaitingFor> | null
  /** When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled. */
  readonly next_attempt_at: string | null
}

/** What the latest attempt was answered; `none` when it failed without an answer. */
export type KnownAnswerClass = "2xx" | "3xx" | "4xx" | "5xx" | "none"

/** What a list of deliveries is narrowed down by. */
export interface DeliveryFilter {
  readonly type?: KnownDeliveryEventType | undefined
  readonly execution_id?: string | undefined
  /** The standing endpoint that they are for. */
  readonly endpoint_id?: string | undefined
  /** The answer to the latest attempt; none if it failed without one. */
  readonly answer?: KnownAnswerClass | undefined
  /** Why the latest attempt failed. */
  readonly cause?: KnownDeliveryCause | undefined
  /** The origin of the callback URL, as in https://hooks.example.com. */
  readonly url_origin?: string | undefined
  /** A part of the event type or URL, or an id. */
  readonly q?: string | undefined
  /** Created at or after. */
  readonly from?: string | undefined
  /** Created at or before. */
  readonly to?: string | undefined
  /** May be repeated. */
  readonly status?: KnownDeliveryState | ReadonlyArray<KnownDeliveryState> | undefined
  /** next_cursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
}

export type KnownDeliveryEventType =
  | "execution.queued"
  | "execution.started"
  | "execution.completed"
  | "execution.failed"
  | "execution.aborted"
  | "webhook.test"

export type KnownDeliveryState = "pending" | "delivered" | "dead" | "cancelled"

export type KnownWaitingFor = "backoff" | "breaker_open" | "earlier_event" | "paused" | "sending"

/** Why the latest attempt failed; `expired`: given up without an attempt. */
export type KnownDeliveryCause =
  | "unauthorized"
  | "not_found"
  | "not_accepted"
  | "redirected"
  | "too_large"
  | "bad_request"
  | "rate_limited"
  | "server_error"
  | "dns"
  | "connect_refused"
  | "connect_timeout"
  | "connect_failed"
  | "tls_expired"
  | "tls_wrong_host"
  | "tls_untrusted"
  | "tls_failed"
  | "no_answer"
  | "broken_off"
  | "blocked"
  | "send_failed"
  | "invalid_answer"
  | "expired"

/** The delivery of one event to one URL. */
export interface Delivery {
  readonly id: string
  /** The same on every attempt and replay. */
  readonly event_id: string
  readonly type: Open<KnownDeliveryEventType>
  readonly state: Open<KnownDeliveryState>
  readonly callback_url: string
  /** Null for a test. */
  readonly execution_id: string | null
  /** The standing endpoint that it is for; null for the callback of an execution. */
  readonly endpoint_id: string | null
  /** Null for an endpoint of the whole account. */
  readonly key_id: string | null
  readonly reference: string | null
  /** Attempts of the present round. */
  readonly attempts: number
  /** Rises with each replay. */
  readonly round: number
  /**
   * What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or
   * that asked for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due
   * now, or settled.
   */
  readonly waiting_for: Open<KnownWaitingFor> | null
  /** When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled. */
  readonly next_attempt_at: string | null
  readonly expires_at: string
  readonly last_status: number | null
  readonly last_error: string | null
  /**
   * Why the latest attempt failed, in words that stay the same; expired if it was given up without an
   * attempt. Null after a success, and before the first attempt.
   */
  readonly last_cause: Open<KnownDeliveryCause> | null
  readonly created_at: string
  readonly settled_at: string | null
}

export type DeliveryPage = Page<Delivery>

/** As it was sent, signatures included. */
export interface DeliveryRequest {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What the receiver answered. */
export interface DeliveryResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | null
  /** Whether there was more of the body than is kept. */
  readonly truncated: boolean
}

/**
 * How long the parts of an attempt took, in milliseconds; null for what it did not come to or did not need.
 */
export interface AttemptTimings {
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  readonly headers: number | null
  readonly body: number | null
}

/** How far it got. */
export type KnownAttemptPhase = "policy" | "dns" | "connect" | "request" | "headers" | "body" | "done"

/** Why an attempt failed: by the status of the answer, or by what kept it from being one. */
export type KnownAttemptCause =
  | "unauthorized"
  | "not_found"
  | "not_accepted"
  | "redirected"
  | "too_large"
  | "bad_request"
  | "rate_limited"
  | "server_error"
  | "dns"
  | "connect_refused"
  | "connect_timeout"
  | "connect_failed"
  | "tls_expired"
  | "tls_wrong_host"
  | "tls_untrusted"
  | "tls_failed"
  | "no_answer"
  | "broken_off"
  | "blocked"
  | "send_failed"
  | "invalid_answer"

/** One request to the receiver. */
export interface DeliveryAttempt {
  readonly round: number
  /** Counts up from 1 within the round. */
  readonly number: number
  readonly started_at: string
  readonly duration_ms: number
  /**
   * How long each part took; null for a part that was not reached or not needed, such as a connection that
   * was still open.
   */
  readonly timings_ms: AttemptTimings
  /** How far it got. */
  readonly phase: Open<KnownAttemptPhase>
  /** What went wrong; null after a success. */
  readonly error: string | null
  /** Why it failed, in words that stay the same; null after a success. */
  readonly cause: Open<KnownAttemptCause> | null
  readonly remote_address: string | null
  /** Null when nothing was sent. */
  readonly request: DeliveryRequest | null
  /** Null when no answer began to arrive. */
  readonly response: DeliveryResponse | null
}

/** A delivery with its payload and attempts. */
export interface DeliveryDetail extends Answer {
  readonly id: string
  /** The same on every attempt and replay. */
  readonly event_id: string
  readonly type: Open<KnownDeliveryEventType>
  readonly state: Open<KnownDeliveryState>
  readonly callback_url: string
  /** Null for a test. */
  readonly execution_id: string | null
  /** The standing endpoint that it is for; null for the callback of an execution. */
  readonly endpoint_id: string | null
  /** Null for an endpoint of the whole account. */
  readonly key_id: string | null
  readonly reference: string | null
  /** Attempts of the present round. */
  readonly attempts: number
  /** Rises with each replay. */
  readonly round: number
  /**
   * What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or
   * that asked for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due
   * now, or settled.
   */
  readonly waiting_for: Open<KnownWaitingFor> | null
  /** When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled. */
  readonly next_attempt_at: string | null
  readonly expires_at: string
  readonly last_status: number | null
  readonly last_error: string | null
  /**
   * Why the latest attempt failed, in words that stay the same; expired if it was given up without an
   * attempt. Null after a success, and before the first attempt.
   */
  readonly last_cause: Open<KnownDeliveryCause> | null
  readonly created_at: string
  readonly settled_at: string | null
  /** The exact body that is signed and sent. */
  readonly payload: string
  /** The latest attempts, oldest first: at most 100, fewer if the body is large. */
  readonly attempts_log: ReadonlyArray<DeliveryAttempt>
}

/** The delivery is due again. */
export interface DeliveryReplayed extends Answer {
  readonly id: string
  readonly state: Open<KnownDeliveryState>
  readonly round: number
}

export type KnownReplayableState = "dead" | "delivered" | "cancelled"

/** Which of the settled deliveries; all dead ones unless given. */
export interface ReplayDeliveries {
  readonly type?: KnownDeliveryEventType | undefined
  readonly execution_id?: string | undefined
  /** The standing endpoint that they are for. */
  readonly endpoint_id?: string | undefined
  /** The answer to the latest attempt; none if it failed without one. */
  readonly answer?: KnownAnswerClass | undefined
  /** Why the latest attempt failed. */
  readonly cause?: KnownDeliveryCause | undefined
  /** The origin of the callback URL, as in https://hooks.example.com. */
  readonly url_origin?: string | undefined
  /** A part of the event type or URL, or an id. */
  readonly q?: string | undefined
  /** Created at or after. */
  readonly from?: string | undefined
  /** Created at or before. */
  readonly to?: string | undefined
  /** States to replay; only dead unless given. */
  readonly status?: ReadonlyArray<KnownReplayableState> | undefined
  /** Only these, if they match: at most 200. */
  readonly ids?: ReadonlyArray<string> | undefined
  /**
   * Leave out events that a later one of their execution follows, however that one fared. False unless given.
   */
  readonly last_only?: boolean | undefined
  /** Answer what would be replayed, and replay nothing. False unless given. */
  readonly dry_run?: boolean | undefined
}

/** As requested; null for any. */
export interface ReplayFilter {
  readonly status: ReadonlyArray<Open<KnownReplayableState>>
  readonly type: Open<KnownDeliveryEventType> | null
  readonly execution_id: string | null
  readonly endpoint_id: string | null
  readonly key_id: string | null
  readonly answer: Open<KnownAnswerClass> | null
  readonly cause: Open<KnownDeliveryCause> | null
  readonly url_origin: string | null
  readonly q: string | null
  readonly from: string | null
  readonly to: string | null
  readonly ids: ReadonlyArray<string> | null
  readonly last_only: boolean
}

/** A job that sends settled deliveries again. */
export interface Replay extends Answer {
  readonly id: string
  readonly status: Open<KnownJobStatus>
  /** How many it would replay, counted when it began; null if there were too many to count. */
  readonly expected: number | null
  /** Deliveries that it has made due again so far. */
  readonly replayed: number
  /** Of them, those that have arrived. */
  readonly delivered: number
  /** Of them, those that were given up again. */
  readonly failed: number
  /** Of them, those that are still being delivered. */
  readonly waiting: number
  readonly filter: ReplayFilter
  /** Deliveries settled after this are not replayed. */
  readonly created_at: string
  readonly updated_at: string
  /** Null while it runs; the job is removed 30 days later. */
  readonly finished_at: string | null
}

/** What a replay would do. Nothing has been changed. */
export interface WouldReplay extends Answer {
  /** Deliveries that match. The count stops at 10000, or after looking at 100000. */
  readonly would_replay: number
  /** Whether there may be more than were counted. */
  readonly is_more: boolean
  /** The receivers that get the most of them, at most 20. */
  readonly origins: ReadonlyArray<{
    readonly origin: string
    readonly count: number
  }>
  /** How many of each event type. */
  readonly types: { readonly [name: string]: number }
  /** When the oldest of those counted was made. */
  readonly oldest_at: string | null
  readonly newest_at: string | null
}

/** A job that sends settled deliveries again. */
export interface ReplayJob {
  readonly id: string
  readonly status: Open<KnownJobStatus>
  /** How many it would replay, counted when it began; null if there were too many to count. */
  readonly expected: number | null
  /** Deliveries that it has made due again so far. */
  readonly replayed: number
  /** Of them, those that have arrived. */
  readonly delivered: number
  /** Of them, those that were given up again. */
  readonly failed: number
  /** Of them, those that are still being delivered. */
  readonly waiting: number
  readonly filter: ReplayFilter
  /** Deliveries settled after this are not replayed. */
  readonly created_at: string
  readonly updated_at: string
  /** Null while it runs; the job is removed 30 days later. */
  readonly finished_at: string | null
}

export type ReplayPage = Page<ReplayJob>

/** A receiver of the events of many executions. */
export interface WebhookEndpoint {
  readonly id: string
  readonly kind: Open<"push" | "poll">
  /** Null for poll. */
  readonly url: string | null
  readonly description: string
  /** Which events it gets; null: all. */
  readonly event_types: ReadonlyArray<Open<KnownExecutionEventType>> | null
  /** Of which tasks; null: all that its key may run. */
  readonly task_ids: ReadonlyArray<string> | null
  /** On which agents; null: all that its key may use. */
  readonly agent_ids: ReadonlyArray<string> | null
  /** Events that happen while it is false are never told to it. What waits already is still delivered. */
  readonly enabled: boolean
  /** The key that made it, whose tasks and agents bound what it is told; null: all of the account. */
  readonly key_id: string | null
  readonly remove_after_seconds: number | null
  /** Until when the signing secret before the present one signs as well. */
  readonly previous_expires_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** All of them, oldest first: at most 20. */
export interface WebhookEndpointList extends Answer {
  readonly data: ReadonlyArray<WebhookEndpoint>
}

/** It is enabled and gets all events unless given. */
export interface CreateWebhookEndpoint {
  /** push: events are sent to `url`. poll: they are fetched as messages and acknowledged. */
  readonly kind: "push" | "poll"
  /** Where events are sent, for push alone; under the rules of callback_url. */
  readonly url?: string | undefined
  readonly description?: string | undefined
  /** Which events it gets; null: all. */
  readonly event_types?: ReadonlyArray<KnownExecutionEventType> | null | undefined
  /** Of which tasks; null: all that its key may run. */
  readonly task_ids?: ReadonlyArray<string> | null | undefined
  /** On which agents; null: all that its key may use. */
  readonly agent_ids?: ReadonlyArray<string> | null | undefined
  /** Events that happen while it is false are never told to it. What waits already is still delivered. */
  readonly enabled?: boolean | undefined
  /**
   * For poll alone: it is removed when nobody has fetched from it for so long, give or take an hour; null:
   * never.
   */
  readonly remove_after_seconds?: number | null | undefined
}

/** The endpoint, with its signing secret, shown this once. */
export interface WebhookEndpointCreated extends Answer {
  readonly id: string
  readonly kind: Open<"push" | "poll">
  /** Null for poll. */
  readonly url: string | null
  readonly description: string
  /** Which events it gets; null: all. */
  readonly event_types: ReadonlyArray<Open<KnownExecutionEventType>> | null
  /** Of which tasks; null: all that its key may run. */
  readonly task_ids: ReadonlyArray<string> | null
  /** On which agents; null: all that its key may use. */
  readonly agent_ids: ReadonlyArray<string> | null
  /** Events that happen while it is false are never told to it. What waits already is still delivered. */
  readonly enabled: boolean
  /** The key that made it, whose tasks and agents bound what it is told; null: all of the account. */
  readonly key_id: string | null
  readonly remove_after_seconds: number | null
  /** Until when the signing secret before the present one signs as well. */
  readonly previous_expires_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Verifies what it is sent. */
  readonly signing_secret: string
}

/** A receiver of the events of many executions. */
export interface WebhookEndpointDetail extends Answer {
  readonly id: string
  readonly kind: Open<"push" | "poll">
  /** Null for poll. */
  readonly url: string | null
  readonly description: string
  /** Which events it gets; null: all. */
  readonly event_types: ReadonlyArray<Open<KnownExecutionEventType>> | null
  /** Of which tasks; null: all that its key may run. */
  readonly task_ids: ReadonlyArray<string> | null
  /** On which agents; null: all that its key may use. */
  readonly agent_ids: ReadonlyArray<string> | null
  /** Events that happen while it is false are never told to it. What waits already is still delivered. */
  readonly enabled: boolean
  /** The key that made it, whose tasks and agents bound what it is told; null: all of the account. */
  readonly key_id: string | null
  readonly remove_after_seconds: number | null
  /** Until when the signing secret before the present one signs as well. */
  readonly previous_expires_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface UpdateWebhookEndpoint {
  /** For push alone. Events that wait already go where they were to go. null: not given. */
  readonly url?: string | null | undefined
  readonly description?: string | undefined
  /** Which events it gets; null: all. */
  readonly event_types?: ReadonlyArray<KnownExecutionEventType> | null | undefined
  /** Of which tasks; null: all that its key may run. */
  readonly task_ids?: ReadonlyArray<string> | null | undefined
  /** On which agents; null: all that its key may use. */
  readonly agent_ids?: ReadonlyArray<string> | null | undefined
  /** Events that happen while it is false are never told to it. What waits already is still delivered. */
  readonly enabled?: boolean | undefined
}

export interface RotateEndpointSecret {
  /** How long the old secret signs the Standard Webhooks header as well; 86400 unless given. */
  readonly overlap_seconds?: number | undefined
}

/** The new signing secret, shown this once. */
export interface EndpointSecretRotated extends Answer {
  readonly signing_secret: string
  readonly previous_expires_at: string
}

/** The test event is queued for the endpoint. */
export interface EndpointTested extends Answer {
  readonly event_id: string
  readonly delivery_id: string
  readonly status: "queued"
  readonly endpoint_id: string
  /**
   * What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or
   * that asked for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due
   * now, or settled.
   */
  readonly waiting_for: Open<KnownWaitingFor> | null
  /** When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled. */
  readonly next_attempt_at: string | null
}

/** How many messages to fetch, and how many seconds to wait for the first. */
export interface FetchMessages {
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
  /** Seconds to wait for something new; none unless given. */
  readonly wait?: number | undefined
}

/** An event that was fetched in place of being sent. */
export interface WebhookMessage {
  /** The id of its event and of its delivery. */
  readonly message_id: string
  /** How often it was given out; dead after 12 times without an acknowledgement. */
  readonly attempt: number
  /** As they would be sent, with timestamp and signatures of this moment. */
  readonly headers: { readonly [name: string]: string }
  /** The exact text that is signed. */
  readonly body: string
}

/**
 * Messages in their order, yours for 60 seconds: those that are not acknowledged by then are given out again.
 */
export interface WebhookMessageList extends Answer {
  readonly data: ReadonlyArray<WebhookMessage>
}

export interface AcknowledgeMessages {
  readonly message_ids: ReadonlyArray<string>
}

/** They are delivered, and not given out again. */
export interface MessagesAcknowledged extends Answer {
  /** How many of them were waiting for it. A repeat acknowledges nothing more. */
  readonly acknowledged: number
}

/** Something that is wrong in an account, or was. */
export interface Alert {
  readonly kind: Open<"dead_letters" | "receiver_held" | "no_runner" | "failing_rate">
  readonly account_id: string
  readonly account_name: string
  /** The id of the agent or task, or the origin of the receiver; null for the account itself. */
  readonly subject: string | null
  readonly title: string
  readonly detail: string
  /** What to do. */
  readonly advice: string
  /** Callbacks or executions that it is about. The count stops at 1000. */
  readonly count: number
  /** Where the Integrations page shows it; null without one. */
  readonly url: string | null
  /** When it began, as far as that is known. */
  readonly since: string
  readonly opened_at: string
  /** When it was over; null while it is open. */
  readonly closed_at: string | null
}

/** Those that are open first, each part newest first. An alert is shown for 7 days after its end. */
export interface AlertList extends Answer {
  readonly data: ReadonlyArray<Alert>
  /** Whether there are more than are listed. */
  readonly is_more: boolean
}

/** Somebody who is told of alerts. */
export interface AlertTarget {
  readonly id: string
  readonly channel: Open<"webhook" | "email">
  /** The e-mail address, or the origin of the URL: its path may let others post to a chat. */
  readonly address: string
  /** Which alerts it gets. */
  readonly kinds: ReadonlyArray<Open<"dead_letters" | "receiver_held" | "no_runner" | "failing_rate">>
  /** Nothing is sent before. After that it is told what is still open; null: no pause. */
  readonly paused_until: string | null
  /** Messages in a row that were not taken. */
  readonly failures: number
  /** Why the last one was not taken; null if it was, or if there was none. */
  readonly last_error: string | null
  /** When it took a message last. Tests do not count. */
  readonly last_sent_at: string | null
  /** The next message is sent then or later. */
  readonly next_attempt_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** All targets, oldest first: at most 10. */
export interface AlertTargetList extends Answer {
  readonly data: ReadonlyArray<AlertTarget>
}

/** It gets all kinds of alerts unless given. */
export interface CreateAlertTarget {
  readonly channel: "webhook" | "email"
  /** The URL of the webhook, or one e-mail address. */
  readonly address: string
  /** Which alerts it gets. */
  readonly kinds?: ReadonlyArray<"dead_letters" | "receiver_held" | "no_runner" | "failing_rate"> | undefined
  /** Nothing is sent before. After that it is told what is still open; null: no pause. */
  readonly paused_until?: string | null | undefined
}

/** The target, with its signing secret, shown this once. */
export interface AlertTargetCreated extends Answer {
  readonly id: string
  readonly channel: Open<"webhook" | "email">
  /** The e-mail address, or the origin of the URL: its path may let others post to a chat. */
  readonly address: string
  /** Which alerts it gets. */
  readonly kinds: ReadonlyArray<Open<"dead_letters" | "receiver_held" | "no_runner" | "failing_rate">>
  /** Nothing is sent before. After that it is told what is still open; null: no pause. */
  readonly paused_until: string | null
  /** Messages in a row that were not taken. */
  readonly failures: number
  /** Why the last one was not taken; null if it was, or if there was none. */
  readonly last_error: string | null
  /** When it took a message last. Tests do not count. */
  readonly last_sent_at: string | null
  /** The next message is sent then or later. */
  readonly next_attempt_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Verifies the signatures of its webhooks; null for e-mail. */
  readonly signing_secret: string | null
}

/** Somebody who is told of alerts. */
export interface AlertTargetDetail extends Answer {
  readonly id: string
  readonly channel: Open<"webhook" | "email">
  /** The e-mail address, or the origin of the URL: its path may let others post to a chat. */
  readonly address: string
  /** Which alerts it gets. */
  readonly kinds: ReadonlyArray<Open<"dead_letters" | "receiver_held" | "no_runner" | "failing_rate">>
  /** Nothing is sent before. After that it is told what is still open; null: no pause. */
  readonly paused_until: string | null
  /** Messages in a row that were not taken. */
  readonly failures: number
  /** Why the last one was not taken; null if it was, or if there was none. */
  readonly last_error: string | null
  /** When it took a message last. Tests do not count. */
  readonly last_sent_at: string | null
  /** The next message is sent then or later. */
  readonly next_attempt_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface UpdateAlertTarget {
  /** Which alerts it gets. */
  readonly kinds?: ReadonlyArray<"dead_letters" | "receiver_held" | "no_runner" | "failing_rate"> | undefined
  /** Nothing is sent before. After that it is told what is still open; null: no pause. */
  readonly paused_until?: string | null | undefined
}

/** What came of a test. */
export interface AlertTargetTested extends Answer {
  /** Whether the receiver, or the mail server, took it. */
  readonly taken: boolean
  /** Why not; null if it was taken. */
  readonly error: string | null
}

/** Requests a key may make: on average, and at once. */
export interface RateLimit {
  readonly per_second: number
  readonly burst: number
}

export type KnownCapability =
  | "executions:read"
  | "executions:write"
  | "artifacts:read"
  | "catalog:read"
  | "webhooks:test"
  | "webhooks:read"
  | "webhooks:replay"
  | "alerts:manage"
  | "endpoints:manage"

/** The calling key: what it may do, and how much. */
export interface Me extends Answer {
  readonly key_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
  readonly account_id: string
  /** null: everything. */
  readonly capabilities: ReadonlyArray<Open<KnownCapability>> | null
  /**
   * The tasks of which it creates work, and changes any: also what it names by id. It reads all executions
   * and schedules of its account. null: all tasks of the account; []: none.
   */
  readonly allowed_task_ids: ReadonlyArray<string> | null
  /**
   * The agents for which it creates work, and changes any, as for tasks. null: all agents of the account; []:
   * none.
   */
  readonly allowed_agent_ids: ReadonlyArray<string> | null
  readonly expires_at: string | null
  /** Unfinished executions that it has queued. */
  readonly live: number
  /** Unfinished executions it may have at once: its own limit, or its account's if that is lower. */
  readonly max_live: number
  /** Its own rate, or its account's where that is lower; null: no limit. */
  readonly rate_limit: RateLimit | null
  /**
   * The same for the items of its batches, which are counted apart from requests; a whole batch at once at
   * least.
   */
  readonly batch_rate_limit: RateLimit | null
}

/** One change of an execution, as evidence states it. */
export interface EvidenceEvent {
  /** Counted from 1 without gaps. */
  readonly sequence: number
  readonly type: Open<KnownHistoryEventType>
  readonly at: string
  /** After the change. */
  readonly status: Open<KnownExecutionStatus>
  /** How often the work had been started. */
  readonly attempt: number
}

export type ArtifactKind = "download" | "print" | "screenshot" | "video"

/** A file of an execution, as evidence states it. */
export interface EvidenceFile {
  readonly id: string
  readonly kind: Open<ArtifactKind>
  readonly file_name: string
  readonly content_type: string
  readonly size_bytes: number
  readonly sha256: string
}

/** What evidence states of an execution that has ended. */
export interface EvidenceManifest {
  readonly type: "runhook.execution"
  /** The base URL of the service. */
  readonly issuer: string
  readonly account_id: string
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
  readonly reference: string
  /** The API key in whose name it ran, and the request that made it. */
  readonly requested_by: {
    readonly key_id: string
    readonly name: string
    readonly request_id: string
  }
  readonly rerun_of: string | null
  readonly schedule_id: string | null
  readonly task: {
    readonly id: string
    readonly slug: string
    readonly version_id: string
    readonly version_number: number
  }
  readonly agent: {
    readonly id: string
    readonly name: string | null
  }
  /** How often the work was started. */
  readonly attempts: number
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string
  /**
   * Of the canonical JSON (RFC 8785) of the params as the API shows them, with `"[secret]"` in place of each
   * secret.
   */
  readonly params_sha256: string
  /** Of the canonical JSON (RFC 8785) of the result; null when there is none. */
  readonly result_sha256: string | null
  /** The changes, oldest first: the newest 2,000. */
  readonly history: ReadonlyArray<EvidenceEvent>
  readonly files: ReadonlyArray<EvidenceFile>
  /** Whether no more files can come: an attempt may upload files for five minutes after its end. */
  readonly files_complete: boolean
}

/** An execution as it was when its event occurred. */
export interface EventExecution {
  readonly id: string
  readonly account_id: string
  readonly agent_id: string
  readonly task_id: string
  readonly task_version_id: string
  readonly status: Open<KnownExecutionStatus>
  /** What the work produced; null unless completed. */
  readonly result: JsonObject | null
  /** Null unless the run has failed. */
  readonly error_message: string | null
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** An execution entered a status; it is shown as it was then. */
export interface ExecutionEvent extends Answer {
  /** The same on every attempt, and in X-Webhook-Event-Id. */
  readonly event_id: string
  readonly occurred_at: string
  readonly reference: string
  readonly metadata: JsonObject
  readonly type: Open<KnownExecutionEventType>
  readonly execution: EventExecution
}

/** A test of the receiver, about no execution. */
export interface TestEvent extends Answer {
  /** The same on every attempt, and in X-Webhook-Event-Id. */
  readonly event_id: string
  readonly occurred_at: string
  readonly reference: string
  readonly metadata: JsonObject
  readonly type: "webhook.test"
  readonly execution: null
  readonly message: string
}
