/** The JSON of the admin API, except what the integration API already has. Generated from the contract by `npm run generate`: do not edit. */
import type { Answer, Page } from "./Envelope.ts"
import type { JsonObject, Open } from "./Json.ts"
import type { CreateExecution, InputRequestSummary, KnownAgentStatus, KnownAnswerClass, KnownAttemptCause, KnownCapability, KnownDeliveryCause, KnownDeliveryEventType, KnownDeliveryState, KnownExecutionEventType, KnownExecutionStatus, KnownJobStatus, KnownReplayableState, Platform, RateLimit, TaskVersion } from "./Integration.generated.ts"

export interface CreateAccount {
  readonly name: string
}

/** An account. */
export interface AccountDetail extends Answer {
  readonly id: string
  readonly name: string
  /**
   * Requests of all its integration keys together, and the most that one of them may have; null: the
   * service's default.
   */
  readonly rate_limit: RateLimit | null
  /** Unfinished executions of all its keys together; null: the service's default. */
  readonly max_live: number | null
  /**
   * Days for which its finished executions are kept, with their history, results, files and callbacks; null:
   * the service's default.
   */
  readonly retention_days: number | null
  readonly created_at: string
}

/** The owner of keys, agents, tasks and executions. */
export interface Account {
  readonly id: string
  readonly name: string
  /**
   * Requests of all its integration keys together, and the most that one of them may have; null: the
   * service's default.
   */
  readonly rate_limit: RateLimit | null
  /** Unfinished executions of all its keys together; null: the service's default. */
  readonly max_live: number | null
  /**
   * Days for which its finished executions are kept, with their history, results, files and callbacks; null:
   * the service's default.
   */
  readonly retention_days: number | null
  readonly created_at: string
}

export type AccountPage = Page<Account>

export interface UpdateAccount {
  readonly name?: string | undefined
  /**
   * Requests of all its integration keys together, and the most that one of them may have; null: the
   * service's default.
   */
  readonly rate_limit?: RateLimit | null | undefined
  /** Unfinished executions of all its keys together; null: the service's default. */
  readonly max_live?: number | null | undefined
  /**
   * Days for which its finished executions are kept, with their history, results, files and callbacks; null:
   * the service's default.
   */
  readonly retention_days?: number | null | undefined
}

export interface CreateKey {
  readonly name: string
  /**
   * The tasks of which it creates work, and changes any: also what it names by id. It reads all executions
   * and schedules of its account. null: all tasks of the account; []: none.
   */
  readonly allowed_task_ids?: ReadonlyArray<string> | null | undefined
  /**
   * The agents for which it creates work, and changes any, as for tasks. null: all agents of the account; []:
   * none.
   */
  readonly allowed_agent_ids?: ReadonlyArray<string> | null | undefined
  /** null: everything. */
  readonly capabilities?: ReadonlyArray<KnownCapability> | null | undefined
  readonly expires_at?: string | null | undefined
  /**
   * Unfinished executions it may have at once, at most what its account may; null: only the account's limit.
   */
  readonly max_live?: number | null | undefined
  /**
   * null: the service's default. At most what its account has; an operator who gives it more raises that.
   */
  readonly rate_limit?: RateLimit | null | undefined
}

/**
 * active: signs the specified header; staged: will sign it from active_at on; previous: signs beside the
 * active one.
 */
export type KnownSigningSecretState = "active" | "staged" | "previous"

/** One of the secrets that sign callbacks. The secret itself is never shown again. */
export interface SigningSecret {
  /**
   * active: signs the specified header; staged: will sign it from active_at on; previous: signs beside the
   * active one.
   */
  readonly state: Open<KnownSigningSecretState>
  readonly active_at: string
  /** From then on it signs nothing; null: until it is replaced. */
  readonly expires_at: string | null
}

/** The key; `key` and `signing_secret` are shown this once. */
export interface KeyCreated extends Answer {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
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
  /** null: everything. */
  readonly capabilities: ReadonlyArray<Open<KnownCapability>> | null
  readonly expires_at: string | null
  /**
   * Unfinished executions it may have at once, at most what its account may; null: only the account's limit.
   */
  readonly max_live: number | null
  /**
   * null: the service's default. At most what its account has; an operator who gives it more raises that.
   */
  readonly rate_limit: RateLimit | null
  /** Until when the previous secret of the key is accepted. */
  readonly previous_expires_at: string | null
  /** Those that sign callbacks now or later, the active one first. */
  readonly signing_secrets: ReadonlyArray<SigningSecret>
  readonly revoked_at: string | null
  /** When it was last used, to a second or two; null if it never was. */
  readonly last_used_at: string | null
  /** The address of that request, if known. */
  readonly last_used_from: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly key: string
  readonly signing_secret: string
}

/** A key, without its secrets. */
export interface Key {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
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
  /** null: everything. */
  readonly capabilities: ReadonlyArray<Open<KnownCapability>> | null
  readonly expires_at: string | null
  /**
   * Unfinished executions it may have at once, at most what its account may; null: only the account's limit.
   */
  readonly max_live: number | null
  /**
   * null: the service's default. At most what its account has; an operator who gives it more raises that.
   */
  readonly rate_limit: RateLimit | null
  /** Until when the previous secret of the key is accepted. */
  readonly previous_expires_at: string | null
  /** Those that sign callbacks now or later, the active one first. */
  readonly signing_secrets: ReadonlyArray<SigningSecret>
  readonly revoked_at: string | null
  /** When it was last used, to a second or two; null if it never was. */
  readonly last_used_at: string | null
  /** The address of that request, if known. */
  readonly last_used_from: string | null
  readonly created_at: string
  readonly updated_at: string
}

export type KeyPage = Page<Key>

/** A key, without its secrets, and what depends on it. */
export interface KeyFacts extends Answer {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
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
  /** null: everything. */
  readonly capabilities: ReadonlyArray<Open<KnownCapability>> | null
  readonly expires_at: string | null
  /**
   * Unfinished executions it may have at once, at most what its account may; null: only the account's limit.
   */
  readonly max_live: number | null
  /**
   * null: the service's default. At most what its account has; an operator who gives it more raises that.
   */
  readonly rate_limit: RateLimit | null
  /** Until when the previous secret of the key is accepted. */
  readonly previous_expires_at: string | null
  /** Those that sign callbacks now or later, the active one first. */
  readonly signing_secrets: ReadonlyArray<SigningSecret>
  readonly revoked_at: string | null
  /** When it was last used, to a second or two; null if it never was. */
  readonly last_used_at: string | null
  /** The address of that request, if known. */
  readonly last_used_from: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Its requests in the last 24 hours. */
  readonly requests_24h: number
  /** Unfinished executions that it has queued. */
  readonly live_executions: number
  /** Callbacks signed for it that have not arrived yet; counted up to 10000. */
  readonly waiting_deliveries: number
}

export interface UpdateKey {
  readonly name?: string | undefined
  /**
   * The tasks of which it creates work, and changes any: also what it names by id. It reads all executions
   * and schedules of its account. null: all tasks of the account; []: none.
   */
  readonly allowed_task_ids?: ReadonlyArray<string> | null | undefined
  /**
   * The agents for which it creates work, and changes any, as for tasks. null: all agents of the account; []:
   * none.
   */
  readonly allowed_agent_ids?: ReadonlyArray<string> | null | undefined
  /** null: everything. */
  readonly capabilities?: ReadonlyArray<KnownCapability> | null | undefined
  readonly expires_at?: string | null | undefined
  /**
   * Unfinished executions it may have at once, at most what its account may; null: only the account's limit.
   */
  readonly max_live?: number | null | undefined
  /**
   * null: the service's default. At most what its account has; an operator who gives it more raises that.
   */
  readonly rate_limit?: RateLimit | null | undefined
}

/** A key, without its secrets. */
export interface KeyDetail extends Answer {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
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
  /** null: everything. */
  readonly capabilities: ReadonlyArray<Open<KnownCapability>> | null
  readonly expires_at: string | null
  /**
   * Unfinished executions it may have at once, at most what its account may; null: only the account's limit.
   */
  readonly max_live: number | null
  /**
   * null: the service's default. At most what its account has; an operator who gives it more raises that.
   */
  readonly rate_limit: RateLimit | null
  /** Until when the previous secret of the key is accepted. */
  readonly previous_expires_at: string | null
  /** Those that sign callbacks now or later, the active one first. */
  readonly signing_secrets: ReadonlyArray<SigningSecret>
  readonly revoked_at: string | null
  /** When it was last used, to a second or two; null if it never was. */
  readonly last_used_at: string | null
  /** The address of that request, if known. */
  readonly last_used_from: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface RotateKey {
  /** How long the old key stays valid; 86400 unless given. */
  readonly overlap_seconds?: number | undefined
}

/** The new key, shown this once. */
export interface KeyRotated extends Answer {
  readonly key: string
  readonly previous_expires_at: string
}

export interface RotateSigningSecret {
  readonly mode: "immediate" | "staged"
  /** staged: seconds until the new secret takes over, and again until the old one ends. */
  readonly overlap_seconds?: number | undefined
}

/** The new secret, shown this once. */
export interface SigningSecretRotated extends Answer {
  readonly signing_secret: string
  readonly active_at: string
  readonly previous_expires_at: string
}

export interface CreateRunnerKey {
  readonly name: string
  /** null: all agents of the account, as when it is left out. */
  readonly agent_ids?: ReadonlyArray<string> | null | undefined
}

/** The key, shown this once. */
export interface RunnerKeyCreated extends Answer {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
  /** null: all agents of the account. */
  readonly agent_ids: ReadonlyArray<string> | null
  readonly revoked_at: string | null
  readonly created_at: string
  readonly key: string
}

/** The key of runner processes. */
export interface RunnerKey {
  readonly id: string
  readonly account_id: string
  readonly name: string
  /** The public part of the key. */
  readonly prefix: string
  /** null: all agents of the account. */
  readonly agent_ids: ReadonlyArray<string> | null
  readonly revoked_at: string | null
  readonly created_at: string
}

export type RunnerKeyPage = Page<RunnerKey>

export interface CreateAgent {
  readonly name: string
  readonly description?: string | undefined
  readonly labels?: { readonly [name: string]: string } | undefined
  /** Executions it runs at once; 1 unless given. */
  readonly capacity?: number | undefined
}

/** An agent with its load and its runners. */
export interface AgentDetail extends Answer {
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

/** `paused` accepts executions and runs none; `disabled` accepts none either. */
export type KnownAgentState = "active" | "paused" | "disabled"

export interface UpdateAgent {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly labels?: { readonly [name: string]: string } | undefined
  /** Executions it runs at once. */
  readonly capacity?: number | undefined
  /** paused: accepts executions but runs none; disabled: accepts none. */
  readonly state?: KnownAgentState | undefined
}

/**
 * What happens after a failure that its runner calls retryable, or when a runner is lost; nothing unless
 * given. Missing fields get the defaults given here, whatever they were before.
 */
export interface NewRetryPolicy {
  /** How often the work may be started in all. */
  readonly max_attempts: number
  /** The wait before the second attempt; 1 unless given. */
  readonly initial_seconds?: number | undefined
  /** What each further wait is multiplied by; 2 unless given. */
  readonly factor?: number | undefined
  /** The longest wait, no shorter than the first; 3600 or the first unless given. */
  readonly max_seconds?: number | undefined
  /** The share by which a wait may be longer or shorter; 0.2 unless given. */
  readonly jitter?: number | undefined
}

export interface CreateTask {
  readonly slug: string
  readonly name: string
  readonly description?: string | undefined
  readonly platforms?: ReadonlyArray<Platform> | undefined
  /** Longest run once started; unlimited unless given. */
  readonly timeout_seconds?: number | null | undefined
  readonly retry?: NewRetryPolicy | undefined
}

export interface UpdateTask {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly platforms?: ReadonlyArray<Platform> | undefined
  /** Longest run once started; null for no limit. */
  readonly timeout_seconds?: number | null | undefined
  readonly retry?: NewRetryPolicy | undefined
  readonly enabled?: boolean | undefined
}

export interface PublishVersion {
  readonly params_schema: JsonObject
  readonly result_schema?: JsonObject | null | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  /** true unless given. */
  readonly make_current?: boolean | undefined
}

/** Something in a schema that nothing checks, such as an unknown keyword or format. */
export interface SchemaWarning {
  readonly field: Open<"params_schema" | "result_schema">
  /** JSON Pointer in this schema. */
  readonly path: string
  readonly keyword: string
  readonly message: string
}

/** The version, which never changes again. */
export interface VersionPublished extends Answer {
  readonly id: string
  readonly number: number
  readonly tags: ReadonlyArray<string>
  readonly published_at: string
  /** What is in the schemas and is not checked; at most 50 of each. */
  readonly warnings: ReadonlyArray<SchemaWarning>
}

/** The schemas are usable; nothing was stored. */
export interface WouldPublish extends Answer {
  readonly would_publish: true
  /** What is in the schemas and is not checked; at most 50 of each. */
  readonly warnings: ReadonlyArray<SchemaWarning>
}

export type TaskVersionPage = Page<TaskVersion>

/** A version with its schemas. */
export interface TaskVersionDetail extends Answer {
  readonly id: string
  readonly task_id: string
  readonly number: number
  readonly tags: ReadonlyArray<string>
  readonly is_current: boolean
  readonly params_schema: JsonObject
  /** The JSON Schema of the result; null if the version promises nothing. */
  readonly result_schema: JsonObject | null
  readonly published_at: string
}

export interface VersionRef {
  readonly version_id: string
}

/** A request to queue an execution in the name of a key. */
export interface AdminCreateExecution {
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
  /** The key in whose name it runs: within its tasks, agents and limits, signed with its secret. */
  readonly key_id: string
}

/** What a list of the executions of an account is narrowed down by. */
export interface AdminExecutionFilter {
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
  /** The beginning of its id, of eight digits at least, or of its reference, in the same case. */
  readonly find?: string | undefined
}

/** The state of one event's callback. */
export interface CallbackMark {
  readonly event_id: string
  readonly type: Open<KnownDeliveryEventType>
  readonly state: Open<KnownDeliveryState>
  readonly attempts: number
  readonly last_status: number | null
  readonly created_at: string
  readonly settled_at: string | null
}

/** An execution as operators' lists show it. */
export interface AdminExecution {
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
  /** The key in whose name it runs, and whose secret signs its callbacks. */
  readonly key_id: string
  readonly callback_url: string | null
  readonly callback_events: ReadonlyArray<Open<KnownExecutionEventType>> | null
  readonly callbacks: ReadonlyArray<CallbackMark>
  /** Null after the agent was removed. */
  readonly agent_name: string | null
  readonly task_name: string
  readonly task_slug: string
  readonly task_version_number: number
  readonly expires_at: string | null
  readonly timeout_seconds: number | null
}

export type AdminExecutionPage = Page<AdminExecution>

/** The runner's latest report on its work. */
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
  /** As its runner said. The bytes decide how it is shown. */
  readonly content_type: string
  readonly size_bytes: number
  readonly created_at: string
  /** Stable link, opened like the other calls; answers the bytes. */
  readonly url: string
}

/** An execution with its files and how far it is. */
export interface AdminExecutionDetail extends Answer {
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
  /** The key in whose name it runs, and whose secret signs its callbacks. */
  readonly key_id: string
  readonly callback_url: string | null
  readonly callback_events: ReadonlyArray<Open<KnownExecutionEventType>> | null
  readonly callbacks: ReadonlyArray<CallbackMark>
  /** Null after the agent was removed. */
  readonly agent_name: string | null
  readonly task_name: string
  readonly task_slug: string
  readonly task_version_number: number
  readonly expires_at: string | null
  readonly timeout_seconds: number | null
  readonly progress: Progress | null
  readonly downloads: ReadonlyArray<AdminFile>
  readonly prints: ReadonlyArray<AdminFile>
  readonly screenshots: ReadonlyArray<AdminFile>
}

/** Which executions, as a list of them is filtered. An empty one means all that are not finished. */
export interface AdminCancelFilter {
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
  /** The beginning of its id, of eight digits at least, or of its reference, in the same case. */
  readonly find?: string | undefined
}

/** Which executions of the account are to be stopped, and why. */
export interface AdminCancelExecutions {
  readonly filter: AdminCancelFilter
  /** Kept as status_reason. */
  readonly reason?: string | undefined
  /** Answer how many match, and cancel nothing. False unless given. */
  readonly dry_run?: boolean | undefined
}

/** As requested; null for any. */
export interface AdminAcceptedCancelFilter {
  readonly status: ReadonlyArray<Open<KnownExecutionStatus>> | null
  readonly task_id: string | null
  readonly agent_id: string | null
  readonly reference: string | null
  readonly schedule_id: string | null
  readonly from: string | null
  readonly to: string | null
  readonly find: string | null
}

/** A job that cancels executions. */
export interface AdminCancelJob extends Answer {
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
  readonly filter: AdminAcceptedCancelFilter
  /** Executions created after this are not touched. */
  readonly created_at: string
  readonly updated_at: string
  /** Null while it runs; the job is removed 30 days later. */
  readonly finished_at: string | null
}

/** How an execution is run again; in the name of its own key unless another is given. */
export interface AdminRerunExecution {
  /** The task version it had, or the task's current one; `same` unless given. */
  readonly version?: "same" | "current" | undefined
  /**
   * In place of the original ones. `"[secret]"` in the place of a secret means the original's: for the key
   * that gave it, for members and operators, and for all others beside the params of the original as they are
   * shown.
   */
  readonly params?: JsonObject | undefined
  /** The key in whose name it runs: within its tasks, agents and limits, signed with its secret. */
  readonly key_id?: string | undefined
}

/** A video of the session. */
export interface AdminVideo {
  readonly id: string
  readonly file_name: string
  /** As its runner said. The bytes decide how it is shown. */
  readonly content_type: string
  readonly size_bytes: number
  readonly created_at: string
  /** Stable link, opened like the other calls; answers the bytes. */
  readonly url: string
  readonly platform_id: string | null
  readonly handler: string | null
  /** When the recording began, after the start of the work. */
  readonly started_offset_ms: number | null
}

/** Everything the run captured. */
export interface AdminExecutionArtifacts extends Answer {
  readonly execution_id: string
  readonly status: Open<KnownExecutionStatus>
  readonly started_at: string | null
  readonly stopped_at: string | null
  readonly videos: ReadonlyArray<AdminVideo>
  readonly downloads: ReadonlyArray<AdminFile>
  readonly prints: ReadonlyArray<AdminFile>
  readonly screenshots: ReadonlyArray<AdminFile>
}

/** A schedule in the name of a key. */
export interface AdminCreateSchedule {
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
  /** The key that creates its executions: within its tasks, agents and limits, signed with its secret. */
  readonly key_id: string
}

/** What is to change. With key_id, executions are created by that key from then on. */
export interface AdminUpdateSchedule {
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
  /** The key that creates its executions: within its tasks, agents and limits, signed with its secret. */
  readonly key_id?: string | undefined
}

/** What a list of the deliveries of an account is narrowed down by. */
export interface AdminDeliveryFilter {
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
  /** The key whose executions or tests caused them. */
  readonly key_id?: string | undefined
  /** The beginning of its id, or of the id or reference of its execution; an id by eight digits at least. */
  readonly find?: string | undefined
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

/** Dead deliveries to one receiver with one cause. */
export interface DeadLetterGroup {
  /** Scheme, host and port of the receiver. */
  readonly origin: string
  /** Why the latest attempt failed. */
  readonly cause: Open<KnownDeliveryCause>
  /** How many there are; at most 500 are counted. */
  readonly dead: number
  /** Whether there are more than were counted. */
  readonly is_more: boolean
  /** When the first of them was made. */
  readonly oldest_at: string
  /** When the last of them was made. */
  readonly newest_at: string
  /** How many of each event type, of those counted. */
  readonly types: { readonly [name: string]: number }
}

/** Dead deliveries, by receiver and cause. */
export interface DeadLetterList extends Answer {
  readonly data: ReadonlyArray<DeadLetterGroup>
  /** Whether there are more groups than the 100 that are listed. */
  readonly is_more: boolean
}

/** The delivery is due now. */
export interface DeliveryTried extends Answer {
  readonly id: string
  readonly state: Open<KnownDeliveryState>
  readonly round: number
  /** Attempts so far; the next one is the requested one. */
  readonly attempts: number
  readonly next_attempt_at: string | null
}

/** The delivery as a command for a shell. */
export interface SignedCommand extends Answer {
  /** For a POSIX shell with curl: the request with the same body and event id, freshly signed. */
  readonly command: string
  /** From then on receivers refuse it as too old. */
  readonly expires_at: string
}

export interface AdminTestWebhook {
  /** Where the test is sent. */
  readonly callback_url: string
  /** The key whose signing secret signs the test. */
  readonly key_id: string
}

/** Which of the settled deliveries of the account; all dead ones unless given. */
export interface AdminReplayDeliveries {
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
  /** The key whose executions or tests caused them. */
  readonly key_id?: string | undefined
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

/** What was changed. */
export type AuditSubjectKind =
  | "account"
  | "key"
  | "runner_key"
  | "runner"
  | "agent"
  | "task"
  | "execution"
  | "delivery"
  | "replay"
  | "session"
  | "alert_target"
  | "schedule"
  | "endpoint"

/** Which changes of an account, by whom. */
export interface AuditFilter {
  /**
   * A part of the action, or of the actor's or subject's name; or the id of the actor, their person, the
   * subject or the request.
   */
  readonly q?: string | undefined
  /** What was changed. */
  readonly kind?: AuditSubjectKind | undefined
  /** The actor: operator, member, key, service, or an id, a person or a whole name. */
  readonly actor?: string | undefined
  /** The id of what was changed. */
  readonly subject_id?: string | undefined
  /** Made at or after. */
  readonly from?: string | undefined
  /** Made at or before. */
  readonly to?: string | undefined
  /** next_cursor of the previous page. */
  readonly cursor?: string | undefined
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
}

/**
 * operator: an admin key; member: a person signed in to the account; key: an integration key; service: the
 * service itself.
 */
export type KnownActorKind = "operator" | "member" | "key" | "service"

/** The actor, by its name at that time. */
export interface AuditActor {
  /**
   * operator: an admin key; member: a person signed in to the account; key: an integration key; service: the
   * service itself.
   */
  readonly kind: Open<KnownActorKind>
  /** Of the key or the session; null for operators and the service. */
  readonly id: string | null
  /** Of a member: the same for all sessions of one person, whatever they are called. */
  readonly person: string | null
  readonly name: string
}

/** The subject, by its name at that time. */
export interface AuditSubject {
  /** Such as key, agent or replay. */
  readonly kind: string
  readonly id: string
  readonly name: string | null
}

/** One change, without secrets. */
export interface AuditEntry extends Answer {
  readonly id: string
  readonly at: string
  readonly actor: AuditActor
  /** Null when no request asked for it. */
  readonly from_address: string | null
  /** Such as key.revoked; docs/operating/audit.md names all. */
  readonly action: string
  readonly subject: AuditSubject
  /** For a change, what differed; null if there was nothing before. */
  readonly before: JsonObject | null
  /** For a change, the same fields; null if there is nothing any more. */
  readonly after: JsonObject | null
}

export type AuditPage = Page<AuditEntry>

/** What is counted, and over which time. */
export interface UsageQuery {
  /** hour unless given. Hours and days are those of UTC. */
  readonly by?: UsageSpan | undefined
  /** none unless given: the counts of the account, or of the given key_id or task_id. */
  readonly group?: UsageGroup | undefined
  /** Its hour or day is the first. 24 hours or 30 days unless given, 1000 at most. */
  readonly from?: string | undefined
  /** Its hour or day is the last; the current one unless given. */
  readonly to?: string | undefined
  readonly key_id?: string | undefined
  readonly task_id?: string | undefined
}

/**
 * Milliseconds within which half of them, and 95 of 100, were done; null if there were none. Approximate,
 * since they are computed from counts by range.
 */
export interface Latency {
  readonly p50: number | null
  readonly p95: number | null
}

/** The results of attempts at callbacks. */
export interface CallbackCounts {
  readonly delivered: number
  readonly failed_attempts: number
  readonly dead: number
}

/** What was counted in one hour or day. */
export interface UsageItem {
  /** When the hour or day began. */
  readonly at: string
  /** The key whose counts these are. */
  readonly key_id: string | null
  /** The task whose counts these are. */
  readonly task_id: string | null
  /** Requests with valid keys; null for a task, since requests are not counted by task. */
  readonly requests: number | null
  readonly created: number
  readonly started: number
  readonly completed: number
  readonly failed: number
  readonly aborted: number
  readonly cancelled: number
  /** Aborted and cancelled executions that never ran. */
  readonly never_started: number
  readonly to_start_ms: Latency
  readonly to_finish_ms: Latency
  readonly callbacks: CallbackCounts | null
}

/** What was counted in all. */
export interface UsageTotal {
  /** The key whose counts these are. */
  readonly key_id: string | null
  /** The task whose counts these are. */
  readonly task_id: string | null
  /** Requests with valid keys; null for a task, since requests are not counted by task. */
  readonly requests: number | null
  readonly created: number
  readonly started: number
  readonly completed: number
  readonly failed: number
  readonly aborted: number
  readonly cancelled: number
  /** Aborted and cancelled executions that never ran. */
  readonly never_started: number
  readonly to_start_ms: Latency
  readonly to_finish_ms: Latency
  readonly callbacks: CallbackCounts | null
}

export type UsageSpan = "hour" | "day"

export type UsageGroup = "none" | "key" | "task"

/** What was counted, oldest first. */
export interface UsageReport extends Answer {
  readonly by: Open<UsageSpan>
  readonly group: Open<UsageGroup>
  readonly from: string
  readonly to: string
  readonly data: ReadonlyArray<UsageItem>
  readonly totals: ReadonlyArray<UsageTotal>
  /** Whether older counts are left out: ask for a shorter time. */
  readonly is_more: boolean
}

/** How many receivers a list shows. */
export interface ReceiverQuery {
  /**
   * The most items on the page; 50 unless given. A page of large items ends early, and so does one by a
   * filter that few match: next_cursor alone says whether there is more.
   */
  readonly limit?: number | undefined
}

/** The last failed attempt. */
export interface LastFailure {
  readonly cause: Open<KnownAttemptCause> | null
  readonly status: number | null
}

/**
 * open: its breaker is open, and only a probe is sent now and then. failing: its last attempt failed. paused:
 * it asked for a pause. recovering: it is back, and its backlog is sent bit by bit. untried: nothing was sent
 * to it yet.
 */
export type KnownReceiverState = "open" | "failing" | "paused" | "recovering" | "untried" | "healthy"

/** Where callbacks of the account go: one origin of URLs. */
export interface Receiver {
  readonly origin: string
  /**
   * open: its breaker is open, and only a probe is sent now and then. failing: its last attempt failed.
   * paused: it asked for a pause. recovering: it is back, and its backlog is sent bit by bit. untried:
   * nothing was sent to it yet.
   */
  readonly state: Open<KnownReceiverState>
  /** Nothing is sent to it before then. */
  readonly until: string | null
  readonly delivered_24h: number
  /** Attempts that failed. */
  readonly failed_24h: number
  /** Counted up to 1000. */
  readonly waiting: number
  /** Counted up to 1000. */
  readonly dead: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly last_failure: LastFailure | null
}

/** Receivers, the worst first. */
export interface ReceiverList extends Answer {
  readonly data: ReadonlyArray<Receiver>
  readonly is_more: boolean
}

/** What is going on now, at most a second old. */
export interface Overview extends Answer {
  readonly running: number
  /** What the agents may run at once. */
  readonly slots: number
  readonly queued: number
  readonly needs_input: number
  /** Since when the oldest execution that waits for a runner has been due. */
  readonly oldest_queued_at: string | null
  /** Runners heard from in the last minute. */
  readonly runners: number
  /** Those of them that take no more work. */
  readonly draining: number
  readonly waiting_deliveries: number
  readonly dead_letters: number
  /** Counts end here, at 10000: there may be more. */
  readonly counts_to: number
}

/** A runner process, from its hello until a day after its last heartbeat. */
export interface RunnerSession {
  readonly id: string
  readonly runner_name: string
  /** The process's own name for itself. */
  readonly instance_id: string
  readonly version: string | null
  readonly runner_key_id: string
  /** The agents it serves; null: all of the account, including later ones. */
  readonly agent_ids: ReadonlyArray<string> | null
  /** `silent` when it was not heard from in the last 60 seconds. */
  readonly status: Open<"online" | "draining" | "silent">
  /** Executions it takes at once. */
  readonly capacity: number
  /** Executions it holds, of all its agents. */
  readonly busy: number
  readonly labels: { readonly [name: string]: string }
  readonly drain_requested_at: string | null
  readonly created_at: string
  /** When it last sent a heartbeat, to about ten seconds. */
  readonly last_seen_at: string
}

export type RunnerSessionPage = Page<RunnerSession>

/** It is given no more work from now on, and is told to leave when it has finished what it has. */
export interface RunnerSessionDrained extends Answer {
  readonly id: string
  readonly drain_requested_at: string
}

/** Every signing secret that could be opened is now sealed under the newest secret key. */
export interface SecretKeysResealed extends Answer {
  readonly newest_key: string
  /**
   * The secret keys after the first, under which nothing is sealed: remove old ones once every process has
   * started with the newest as the first.
   */
  readonly older_keys: ReadonlyArray<string>
  /** Signing secrets that this call has sealed again. */
  readonly resealed: number
  /** Signing secrets that no configured secret key opens. */
  readonly broken: number
}

/** The ways to sign in. */
export interface SignInWays extends Answer {
  /** Whether there is an OpenID Connect provider: it begins at /integrations/oidc/start. */
  readonly oidc: boolean
}

export interface SignIn {
  /** The part after # in the link. */
  readonly token: string
}

/** A viewer looks, an admin changes as well. */
export type Role = "viewer" | "admin"

export interface SessionAccount {
  readonly id: string
  readonly name: string
  readonly role: Open<Role>
  /** The session in the account. */
  readonly session_id: string
  /** The same for all sessions of one person, whatever they are called. */
  readonly person: string
}

/** Who has signed in, and to which accounts. */
export interface SessionDetail extends Answer {
  /** The newest session of the browser. */
  readonly id: string
  /** The same for all sessions of one person, whatever they are called. */
  readonly person: string
  readonly name: string
  readonly accounts: ReadonlyArray<SessionAccount>
  /** By a link, or at the OpenID Connect provider. */
  readonly method: Open<"link" | "oidc">
  readonly signed_in_at: string
  /** When the last of them ends in any case. */
  readonly expires_at: string
  /** When the last of them ends unless it is used before. */
  readonly idle_expires_at: string
}

export interface CreateConsoleLink {
  /** A viewer may look, an admin may also make changes; admin unless given. */
  readonly role?: Role | undefined
  /** The person's name, for the audit log; Somebody with a link unless given. */
  readonly name?: string | undefined
  /** How long the link is valid; 900 unless given. */
  readonly expires_in_seconds?: number | undefined
}

/** The link, shown this once. */
export interface ConsoleLinkCreated extends Answer {
  readonly id: string
  /** The same for all sessions of one person, whatever they are called. */
  readonly person: string
  /** Leads to a page with a button that signs in. The part after # never reaches a server's log. */
  readonly url: string
  readonly expires_at: string
}

/** Who made it, by their name at that time. */
export interface ConsoleLinkMaker {
  /** operator: an admin key; member: a person signed in to the account. */
  readonly kind: Open<KnownActorKind>
  /** Of a member's session; null for others. */
  readonly id: string | null
  readonly name: string
}

/** A link that signs one person in, without its token. */
export interface ConsoleLink {
  readonly id: string
  /** The same for all sessions of one person, whatever they are called. */
  readonly person: string
  readonly name: string
  readonly role: Open<Role>
  readonly maker: ConsoleLinkMaker
  /** open: signs one person in; withdrawn: taken back, or its maker was signed out, before it was used. */
  readonly state: Open<"open" | "used" | "withdrawn" | "expired">
  readonly created_at: string
  readonly expires_at: string
}

export type ConsoleLinkPage = Page<ConsoleLink>

/** Somebody who is signed in, in one browser. */
export interface ConsoleSession {
  readonly id: string
  /** The same for all sessions of one person, whatever they are called. */
  readonly person: string
  readonly name: string
  readonly role: Open<Role>
  /** By a link, or at the OpenID Connect provider. */
  readonly by: Open<"link" | "provider">
  readonly begun_at: string
  /** When it was last used, to the minute. */
  readonly last_seen_at: string
  /** When it ends unless it is used before. */
  readonly expires_at: string
  /** Where it was begun from, if that is known. */
  readonly address: string | null
}

export type ConsoleSessionPage = Page<ConsoleSession>

export type ChangedKind =
  | "execution"
  | "delivery"
  | "key"
  | "agent"
  | "task"
  | "replay"
  | "audit"
  | "schedule"

/** A thing changed: fetch it, if you show it. */
export interface ChangedThing {
  readonly kind: Open<ChangedKind>
  readonly id: string
  /** Its state, in the words of its own record; null if it has none. */
  readonly state: string | null
  readonly is_new: boolean
}

/** Some things of these kinds changed, too many to name: fetch what you show of them. */
export interface ChangedThings {
  readonly kinds: ReadonlyArray<Open<ChangedKind>>
}
