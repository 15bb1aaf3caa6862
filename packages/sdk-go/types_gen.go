// Code generated from the contract by `npm run generate`; DO NOT EDIT.

package runhook

import "time"

// ExecutionEventType is one of the words below, or one of a later version.
type ExecutionEventType string

// Values of ExecutionEventType.
const (
	ExecutionEventTypeExecutionQueued    ExecutionEventType = "execution.queued"
	ExecutionEventTypeExecutionStarted   ExecutionEventType = "execution.started"
	ExecutionEventTypeExecutionCompleted ExecutionEventType = "execution.completed"
	ExecutionEventTypeExecutionFailed    ExecutionEventType = "execution.failed"
	ExecutionEventTypeExecutionAborted   ExecutionEventType = "execution.aborted"
)

// CreateExecution: A request to queue an execution.
type CreateExecution struct {
	// The agent that executes the run.
	AgentID string `json:"agent_id"`
	// The task to run; this or TaskVersionID.
	TaskID string `json:"task_id,omitzero"`
	// A specific version; wins over v and version.
	TaskVersionID string `json:"task_version_id,omitzero"`
	// `current`, `tag:<name>` or a version's id.
	Version string `json:"version,omitzero"`
	// A version's number; wins over version.
	V *int `json:"v,omitzero"`
	// Input values, by the task's params schema.
	Params any `json:"params,omitzero"`
	// Your own name for it.
	Reference string `json:"reference,omitzero"`
	// At most 8192 bytes of JSON and 50 keys; each value at most 500 characters; no key starts with `_service.`.
	Metadata any `json:"metadata,omitzero"`
	// Where callbacks are sent; null: nowhere.
	CallbackURL string `json:"callback_url,omitzero"`
	// The event types to send; all unless given.
	CallbackEvents []ExecutionEventType `json:"callback_events,omitzero"`
	// Not to start before.
	ScheduledAt time.Time `json:"scheduled_at,omitzero"`
	// Higher runs first; 0 unless given.
	Priority *int `json:"priority,omitzero"`
	// Accept as pending, to be queued by a release.
	Hold *bool `json:"hold,omitzero"`
	// Cancelled if not started by then.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// Longest run once started; the task's own unless given.
	TimeoutSeconds *int `json:"timeout_seconds,omitzero"`
	// Executions of one key of the account share its limit, whatever their task and agent. Required with a limit or a
	// policy.
	ConcurrencyKey string `json:"concurrency_key,omitzero"`
	// Only beside ConcurrencyKey. This one is not handed out while so many of its key are at work; 1 unless given.
	ConcurrencyLimit *int `json:"concurrency_limit,omitzero"`
	// Only beside ConcurrencyKey. While the limit is reached: `queue`, unless given, waits, `reject` is refused with
	// 409, `cancel_running` goes first. As soon as it is due, it cancels the unfinished executions of the key that are
	// older, all but the newest `ConcurrencyLimit - 1`: at work, waiting, between attempts, held or awaiting input.
	ConcurrencyPolicy string `json:"concurrency_policy,omitzero"`
}

// ExecutionCreated: The execution was accepted.
type ExecutionCreated struct {
	ExecutionID string `json:"execution_id"`
	// The execution's present status.
	Status        ExecutionStatus `json:"status"`
	Reference     *string         `json:"reference,omitzero"`
	Metadata      JSON            `json:"metadata,omitzero"`
	TaskID        *string         `json:"task_id,omitzero"`
	TaskVersionID *string         `json:"task_version_id,omitzero"`
	ScheduledAt   *time.Time      `json:"scheduled_at,omitzero"`
	Priority      *int64          `json:"priority,omitzero"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID        string `json:"request_id"`
	IdempotentReplay bool   `json:"idempotent_replay,omitzero"`
}

// WouldCreate: The request is valid; nothing was stored.
type WouldCreate struct {
	WouldCreate bool   `json:"would_create"`
	Status      string `json:"status"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// BatchItem: One request of several to queue an execution.
type BatchItem struct {
	// The agent that executes the run.
	AgentID string `json:"agent_id"`
	// The task to run; this or TaskVersionID.
	TaskID string `json:"task_id,omitzero"`
	// A specific version; wins over v and version.
	TaskVersionID string `json:"task_version_id,omitzero"`
	// `current`, `tag:<name>` or a version's id.
	Version string `json:"version,omitzero"`
	// A version's number; wins over version.
	V *int `json:"v,omitzero"`
	// Input values, by the task's params schema.
	Params any `json:"params,omitzero"`
	// Your own name for it.
	Reference string `json:"reference,omitzero"`
	// At most 8192 bytes of JSON and 50 keys; each value at most 500 characters; no key starts with `_service.`.
	Metadata any `json:"metadata,omitzero"`
	// Where callbacks are sent; null: nowhere.
	CallbackURL string `json:"callback_url,omitzero"`
	// The event types to send; all unless given.
	CallbackEvents []ExecutionEventType `json:"callback_events,omitzero"`
	// Not to start before.
	ScheduledAt time.Time `json:"scheduled_at,omitzero"`
	// Higher runs first; 0 unless given.
	Priority *int `json:"priority,omitzero"`
	// Accept as pending, to be queued by a release.
	Hold *bool `json:"hold,omitzero"`
	// Cancelled if not started by then.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// Longest run once started; the task's own unless given.
	TimeoutSeconds *int `json:"timeout_seconds,omitzero"`
	// Executions of one key of the account share its limit, whatever their task and agent. Required with a limit or a
	// policy.
	ConcurrencyKey string `json:"concurrency_key,omitzero"`
	// Only beside ConcurrencyKey. This one is not handed out while so many of its key are at work; 1 unless given.
	ConcurrencyLimit *int `json:"concurrency_limit,omitzero"`
	// Only beside ConcurrencyKey. While the limit is reached: `queue`, unless given, waits, `reject` is refused with
	// 409, `cancel_running` goes first. As soon as it is due, it cancels the unfinished executions of the key that are
	// older, all but the newest `ConcurrencyLimit - 1`: at work, waiting, between attempts, held or awaiting input.
	ConcurrencyPolicy string `json:"concurrency_policy,omitzero"`
	// As the header `Idempotency-Key` of a single create.
	IdempotencyKey string `json:"idempotency_key,omitzero"`
}

// CreateExecutions: Requests to queue executions.
type CreateExecutions struct {
	Items []BatchItem `json:"items"`
}

// ErrorObject: What is wrong, for programs and for people.
type ErrorObject struct {
	Code ErrorCode `json:"code"`
	// Human-readable description.
	Message string `json:"message"`
	// Extra information, null when there is none.
	Details JSON `json:"details"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// BatchItemAnswer: What a single create would have answered: the execution, or the error.
type BatchItemAnswer struct {
	// Its place among the items, from 0.
	Index int64 `json:"index"`
	// The status with which a single create would be answered.
	Status    int64             `json:"status"`
	Execution *ExecutionCreated `json:"execution,omitzero"`
	Error     *ErrorObject      `json:"error,omitzero"`
}

// ExecutionsCreated: An answer to each item, in their order.
type ExecutionsCreated struct {
	Data []BatchItemAnswer `json:"data"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// ExecutionFilter: Which executions a list wants; all of the account unless given.
type ExecutionFilter struct {
	// May be repeated.
	Status    []ExecutionStatus `json:"status,omitzero"`
	TaskID    string            `json:"task_id,omitzero"`
	AgentID   string            `json:"agent_id,omitzero"`
	Reference string            `json:"reference,omitzero"`
	// Made for this schedule.
	ScheduleID string `json:"schedule_id,omitzero"`
	// Created at or after.
	From time.Time `json:"from,omitzero"`
	// Created at or before.
	To time.Time `json:"to,omitzero"`
	// NextCursor of the previous page.
	Cursor string `json:"cursor,omitzero"`
	// The most items on the page; 50 unless given. A page of large items ends early, and so does one by a filter that
	// few match: NextCursor alone says whether there is more.
	Limit int `json:"limit,omitzero"`
}

// InputRequestSummary: The question the work is waiting on.
type InputRequestSummary struct {
	InputID string `json:"input_id"`
	Prompt  string `json:"prompt"`
	// JSON Schema of the answer.
	Schema    JSON      `json:"schema"`
	ExpiresAt time.Time `json:"expires_at"`
}

// ExecutionStatus is one of the words below, or one of a later version.
type ExecutionStatus string

// Values of ExecutionStatus.
const (
	ExecutionStatusPending       ExecutionStatus = "pending"
	ExecutionStatusQueued        ExecutionStatus = "queued"
	ExecutionStatusRunning       ExecutionStatus = "running"
	ExecutionStatusAwaitingInput ExecutionStatus = "awaiting_input"
	ExecutionStatusCompleted     ExecutionStatus = "completed"
	ExecutionStatusCancelled     ExecutionStatus = "cancelled"
	ExecutionStatusAborted       ExecutionStatus = "aborted"
	ExecutionStatusError         ExecutionStatus = "error"
)

// Execution: An execution as lists show it.
type Execution struct {
	ID     string          `json:"id"`
	Status ExecutionStatus `json:"status"`
	// Why it was stopped, if a reason was given.
	StatusReason  *string `json:"status_reason"`
	TaskID        string  `json:"task_id"`
	TaskVersionID string  `json:"task_version_id"`
	AgentID       string  `json:"agent_id"`
	// The caller's own name; the execution's id when none was given.
	Reference string `json:"reference"`
	Metadata  JSON   `json:"metadata"`
	// As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`.
	Params JSON `json:"params"`
	// What the work produced; null unless completed.
	Result JSON `json:"result"`
	// Null unless the run has failed.
	ErrorMessage *string    `json:"error_message"`
	StartedAt    *time.Time `json:"started_at"`
	StoppedAt    *time.Time `json:"stopped_at"`
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
	// Deferred start; null when not deferred.
	ScheduledAt *time.Time `json:"scheduled_at"`
	Priority    int64      `json:"priority"`
	// How often the work has been started.
	Attempt      int64                `json:"attempt"`
	InputRequest *InputRequestSummary `json:"input_request"`
	RerunOf      *string              `json:"rerun_of"`
	// The schedule that it was made for.
	ScheduleID     *string `json:"schedule_id"`
	ConcurrencyKey *string `json:"concurrency_key"`
}

// FileArtifact: A file the run captured.
type FileArtifact struct {
	ID          string `json:"id"`
	FileName    string `json:"file_name"`
	ContentType string `json:"content_type"`
	SizeBytes   int64  `json:"size_bytes"`
	// Stable link, opened with the same key; redirects to a signed URL.
	URL string `json:"url"`
}

// ExecutionDetail: An execution with the files it captured.
type ExecutionDetail struct {
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	// Why it was stopped, if a reason was given.
	StatusReason  *string `json:"status_reason"`
	TaskID        string  `json:"task_id"`
	TaskVersionID string  `json:"task_version_id"`
	AgentID       string  `json:"agent_id"`
	// The caller's own name; the execution's id when none was given.
	Reference string `json:"reference"`
	Metadata  JSON   `json:"metadata"`
	// As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`.
	Params JSON `json:"params"`
	// What the work produced; null unless completed.
	Result JSON `json:"result"`
	// Null unless the run has failed.
	ErrorMessage *string    `json:"error_message"`
	StartedAt    *time.Time `json:"started_at"`
	StoppedAt    *time.Time `json:"stopped_at"`
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
	// Deferred start; null when not deferred.
	ScheduledAt *time.Time `json:"scheduled_at"`
	Priority    int64      `json:"priority"`
	// How often the work has been started.
	Attempt      int64                `json:"attempt"`
	InputRequest *InputRequestSummary `json:"input_request"`
	RerunOf      *string              `json:"rerun_of"`
	// The schedule that it was made for.
	ScheduleID     *string        `json:"schedule_id"`
	ConcurrencyKey *string        `json:"concurrency_key"`
	Downloads      []FileArtifact `json:"downloads"`
	Prints         []FileArtifact `json:"prints"`
	Screenshots    []FileArtifact `json:"screenshots"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// CancelExecution: Why an execution is stopped.
type CancelExecution struct {
	// Kept as StatusReason.
	Reason string `json:"reason,omitzero"`
}

// ExecutionCancelled: The execution as it is now.
type ExecutionCancelled struct {
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	// Present if it was already finished.
	AlreadyFinished bool `json:"already_finished,omitzero"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// CancelFilter: Which executions, as a list of them is filtered. An empty one means all that are not finished.
type CancelFilter struct {
	// All that are not finished unless given. Finished ones match nothing.
	Status    []ExecutionStatus `json:"status,omitzero"`
	TaskID    string            `json:"task_id,omitzero"`
	AgentID   string            `json:"agent_id,omitzero"`
	Reference string            `json:"reference,omitzero"`
	// Made for this schedule.
	ScheduleID string `json:"schedule_id,omitzero"`
	// Created at or after.
	From time.Time `json:"from,omitzero"`
	// Created at or before.
	To time.Time `json:"to,omitzero"`
}

// CancelExecutions: Which executions are to be stopped, and why.
type CancelExecutions struct {
	Filter CancelFilter `json:"filter"`
	// Kept as StatusReason.
	Reason string `json:"reason,omitzero"`
	// Answer how many match, and cancel nothing. False unless given.
	DryRun *bool `json:"dry_run,omitzero"`
}

// CancelBegun: A job has begun to cancel what matches.
type CancelBegun struct {
	// Null: there is no job.
	JobID *string `json:"job_id"`
	// How many match now; null if more than 100,000 executions are unfinished.
	Matched *int64 `json:"matched"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID        string `json:"request_id"`
	IdempotentReplay bool   `json:"idempotent_replay,omitzero"`
	DryRun           bool   `json:"dry_run,omitzero"`
}

// AcceptedCancelFilter: As requested; null for any.
type AcceptedCancelFilter struct {
	Status     []ExecutionStatus `json:"status"`
	TaskID     *string           `json:"task_id"`
	AgentID    *string           `json:"agent_id"`
	Reference  *string           `json:"reference"`
	ScheduleID *string           `json:"schedule_id"`
	From       *time.Time        `json:"from"`
	To         *time.Time        `json:"to"`
}

// JobStatus: `cancelled`: the job itself was stopped.
type JobStatus string

// Values of JobStatus.
const (
	JobStatusRunning   JobStatus = "running"
	JobStatusCompleted JobStatus = "completed"
	JobStatusCancelled JobStatus = "cancelled"
)

// CancelJob: A job that cancels executions.
type CancelJob struct {
	JobID string `json:"job_id"`
	// `cancelled`: the job itself was stopped.
	Status JobStatus `json:"status"`
	// How many matched when it began; null if there were too many to count.
	Matched *int64 `json:"matched"`
	// Executions that it has cancelled so far.
	Cancelled int64 `json:"cancelled"`
	// Those that had ended or changed a moment before it reached them.
	Skipped int64 `json:"skipped"`
	// Those that it could not cancel: look at them one by one.
	Failed int64                `json:"failed"`
	Reason *string              `json:"reason"`
	Filter AcceptedCancelFilter `json:"filter"`
	// Executions created after this are not touched.
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Null while it runs; the job is removed 30 days later.
	FinishedAt *time.Time `json:"finished_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// ExecutionMoved: The execution as it is now.
type ExecutionMoved struct {
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// RerunExecution: How an execution is run again.
type RerunExecution struct {
	// The task version it had, or the task's current one; `same` unless given.
	Version string `json:"version,omitzero"`
	// In place of the original ones. `"[secret]"` in the place of a secret means the original's: for the key that gave
	// it, for members and operators, and for all others beside the params of the original as they are shown.
	Params any `json:"params,omitzero"`
}

// RescheduleExecution: What to change; missing fields stay as they are.
type RescheduleExecution struct {
	// Not to start before then; null or a moment in the past means now.
	ScheduledAt Nullable[time.Time] `json:"scheduled_at,omitzero"`
	Priority    *int                `json:"priority,omitzero"`
	// Cancelled if not started by then; null: never.
	ExpiresAt Nullable[time.Time] `json:"expires_at,omitzero"`
}

// ExecutionRescheduled: The execution as it is now.
type ExecutionRescheduled struct {
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	ScheduledAt *time.Time      `json:"scheduled_at"`
	Priority    int64           `json:"priority"`
	ExpiresAt   *time.Time      `json:"expires_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// HistoryQuery: Which changes of an execution, and how long to wait for one.
type HistoryQuery struct {
	// The number of the last one that the caller has; from the first unless given.
	After int `json:"after,omitzero"`
	// NextCursor of the previous page.
	Cursor string `json:"cursor,omitzero"`
	// The most items on the page; 50 unless given. A page of large items ends early, and so does one by a filter that
	// few match: NextCursor alone says whether there is more.
	Limit int `json:"limit,omitzero"`
	// Seconds to wait for something new; none unless given.
	Wait int `json:"wait,omitzero"`
}

// HistoryEventType is one of the words below, or one of a later version.
type HistoryEventType string

// Values of HistoryEventType.
const (
	HistoryEventTypeCreated        HistoryEventType = "created"
	HistoryEventTypeReleased       HistoryEventType = "released"
	HistoryEventTypeClaimed        HistoryEventType = "claimed"
	HistoryEventTypeGivenBack      HistoryEventType = "given_back"
	HistoryEventTypeStarted        HistoryEventType = "started"
	HistoryEventTypeInputRequested HistoryEventType = "input_requested"
	HistoryEventTypeInputAnswered  HistoryEventType = "input_answered"
	HistoryEventTypeRequeued       HistoryEventType = "requeued"
	HistoryEventTypeRescheduled    HistoryEventType = "rescheduled"
	HistoryEventTypeCompleted      HistoryEventType = "completed"
	HistoryEventTypeFailed         HistoryEventType = "failed"
	HistoryEventTypeCancelled      HistoryEventType = "cancelled"
	HistoryEventTypeAborted        HistoryEventType = "aborted"
)

// ExecutionHistoryEvent: One change of an execution.
type ExecutionHistoryEvent struct {
	// Counted from 1 without gaps.
	Sequence int64            `json:"sequence"`
	Type     HistoryEventType `json:"type"`
	At       time.Time        `json:"at"`
	// After the change.
	Status ExecutionStatus `json:"status"`
	// How often the work had been started.
	Attempt int64 `json:"attempt"`
	// Details: a reason, an error, a question.
	Data JSON `json:"data"`
}

// ExecutionHistory: Changes, oldest first.
type ExecutionHistory struct {
	Data []ExecutionHistoryEvent `json:"data"`
	// Where the next page begins; null on the last page.
	NextCursor *string `json:"next_cursor"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// ExecutionLogLine: One line of the log of an execution.
type ExecutionLogLine struct {
	// Counted from 1. The oldest lines of a long log are gone.
	Sequence int64     `json:"sequence"`
	At       time.Time `json:"at"`
	Level    string    `json:"level"`
	Message  string    `json:"message"`
	// The attempt that wrote it.
	Attempt int64 `json:"attempt"`
}

// ExecutionLog: Lines of the log, oldest first.
type ExecutionLog struct {
	Data []ExecutionLogLine `json:"data"`
	// Where the next page begins; null on the last page.
	NextCursor *string `json:"next_cursor"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// BlockKind is one of the words below, or one of a later version.
type BlockKind string

// Values of BlockKind.
const (
	BlockKindHeld            BlockKind = "held"
	BlockKindNotBefore       BlockKind = "not_before"
	BlockKindAgentPaused     BlockKind = "agent_paused"
	BlockKindAgentDisabled   BlockKind = "agent_disabled"
	BlockKindNoRunner        BlockKind = "no_runner"
	BlockKindRunnersDraining BlockKind = "runners_draining"
	BlockKindAgentCapacity   BlockKind = "agent_capacity"
	BlockKindConcurrencyKey  BlockKind = "concurrency_key"
	BlockKindQueue           BlockKind = "queue"
)

// ExecutionBlock: One obstacle to the start of an execution.
type ExecutionBlock struct {
	Kind BlockKind `json:"kind"`
	// Of the waiting execution itself if the kind is `held`, NotBefore or ConcurrencyKey; of its agent if it is another.
	ID string `json:"id"`
	// The concurrency key, if the kind is ConcurrencyKey; otherwise null.
	Key *string `json:"key"`
	// The most that may be at work at once: for the key, or at the agent.
	Limit *int64 `json:"limit"`
	// How many there are now.
	Current *int64 `json:"current"`
}

// WaitState is one of the words below, or one of a later version.
type WaitState string

// Values of WaitState.
const (
	WaitStateHeld      WaitState = "held"
	WaitStateScheduled WaitState = "scheduled"
	WaitStateWaiting   WaitState = "waiting"
	WaitStateClaimed   WaitState = "claimed"
	WaitStateStarted   WaitState = "started"
	WaitStateFinished  WaitState = "finished"
)

// ExecutionExplained: Why an execution has not started.
type ExecutionExplained struct {
	ExecutionID string    `json:"execution_id"`
	State       WaitState `json:"state"`
	// Its place in the queue of its agent, from 1; null when it is not in the queue, or behind 1000 others.
	Position      *int64           `json:"position"`
	BlockedBy     []ExecutionBlock `json:"blocked_by"`
	RunnersOnline int64            `json:"runners_online"`
	NotBefore     *time.Time       `json:"not_before"`
	ExpiresAt     *time.Time       `json:"expires_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// ExecutionEvidence: A signed statement of what ran.
type ExecutionEvidence struct {
	// A compact JSON Web Signature by Ed25519 (`alg` is `EdDSA`) of an `EvidenceManifest`. Its `kid` names a key of
	// /.well-known/runhook/jwks.json.
	Evidence string `json:"evidence"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// VideoArtifact: A video of the session.
type VideoArtifact struct {
	PlatformID      *string `json:"platform_id"`
	Handler         *string `json:"handler"`
	StartedOffsetMs *int64  `json:"started_offset_ms"`
	StorageKey      string  `json:"storage_key"`
	// Opens without a key until it expires.
	SignedURL        *string `json:"signed_url"`
	ExpiresInSeconds int64   `json:"expires_in_seconds"`
	Error            *string `json:"error"`
}

// ExecutionArtifacts: Everything the run captured.
type ExecutionArtifacts struct {
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	StartedAt   *time.Time      `json:"started_at"`
	StoppedAt   *time.Time      `json:"stopped_at"`
	Videos      []VideoArtifact `json:"videos"`
	Downloads   []FileArtifact  `json:"downloads"`
	Prints      []FileArtifact  `json:"prints"`
	Screenshots []FileArtifact  `json:"screenshots"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// InputMode is one of the words below, or one of a later version.
type InputMode string

// Values of InputMode.
const (
	InputModeHold    InputMode = "hold"
	InputModeRelease InputMode = "release"
)

// InputTimeout is one of the words below, or one of a later version.
type InputTimeout string

// Values of InputTimeout.
const (
	InputTimeoutError   InputTimeout = "error"
	InputTimeoutCancel  InputTimeout = "cancel"
	InputTimeoutDefault InputTimeout = "default"
)

// InputRequest: A question that the work asked.
type InputRequest struct {
	InputID  string `json:"input_id"`
	InputKey string `json:"input_key"`
	Prompt   string `json:"prompt"`
	// JSON Schema of the answer.
	Schema     JSON         `json:"schema"`
	Mode       InputMode    `json:"mode"`
	OnTimeout  InputTimeout `json:"on_timeout"`
	AskedAt    time.Time    `json:"asked_at"`
	ExpiresAt  time.Time    `json:"expires_at"`
	AnsweredAt *time.Time   `json:"answered_at"`
	// The answer; null until answered.
	Value JSON `json:"value"`
}

// InputList: Every question, oldest first.
type InputList struct {
	Data []InputRequest `json:"data"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// AnswerInput: The answer, by the question's schema.
type AnswerInput struct {
	// By the question's schema.
	Value any `json:"value"`
}

// InputAnswered: The answer was taken.
type InputAnswered struct {
	ExecutionID string          `json:"execution_id"`
	InputID     string          `json:"input_id"`
	Status      ExecutionStatus `json:"status"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// ScheduledExecution: What each due time creates: a body of POST /executions.
type ScheduledExecution struct {
	AgentID           string               `json:"agent_id"`
	TaskID            *string              `json:"task_id,omitzero"`
	TaskVersionID     *string              `json:"task_version_id,omitzero"`
	Version           *string              `json:"version,omitzero"`
	V                 *int64               `json:"v,omitzero"`
	Params            JSON                 `json:"params"`
	Reference         *string              `json:"reference,omitzero"`
	Metadata          JSON                 `json:"metadata"`
	CallbackURL       *string              `json:"callback_url"`
	CallbackEvents    []ExecutionEventType `json:"callback_events"`
	Priority          int64                `json:"priority"`
	Hold              bool                 `json:"hold"`
	TimeoutSeconds    *int64               `json:"timeout_seconds"`
	ConcurrencyKey    *string              `json:"concurrency_key"`
	ConcurrencyLimit  *int64               `json:"concurrency_limit,omitzero"`
	ConcurrencyPolicy *string              `json:"concurrency_policy,omitzero"`
}

// ErrorCode is one of the words below, or one of a later version.
type ErrorCode string

// Values of ErrorCode.
const (
	ErrorCodeInvalidRequest          ErrorCode = "invalid_request"
	ErrorCodeUnauthorized            ErrorCode = "unauthorized"
	ErrorCodeForbidden               ErrorCode = "forbidden"
	ErrorCodeNotFound                ErrorCode = "not_found"
	ErrorCodeIdempotencyConflict     ErrorCode = "idempotency_conflict"
	ErrorCodeInvalidParams           ErrorCode = "invalid_params"
	ErrorCodeRateLimited             ErrorCode = "rate_limited"
	ErrorCodeConcurrencyLimitReached ErrorCode = "concurrency_limit_reached"
	ErrorCodeInternalError           ErrorCode = "internal_error"
)

// RefusedCreate: What a create would have answered.
type RefusedCreate struct {
	Code    ErrorCode `json:"code"`
	Message string    `json:"message"`
	Details JSON      `json:"details"`
}

// LastDue: What came of a due time.
type LastDue struct {
	// The due time.
	At time.Time `json:"at"`
	// What it created; null if it created nothing.
	ExecutionID *string `json:"execution_id"`
	// `created`; `skipped` since an earlier execution was unfinished; `missed`; or `refused`, as a create would have
	// been.
	Outcome string         `json:"outcome"`
	Error   *RefusedCreate `json:"error"`
}

// Schedule: A request for an execution that is made again and again.
type Schedule struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// The key that creates its executions: within its tasks, agents and limits, signed with its secret.
	KeyID        string  `json:"key_id"`
	Cron         *string `json:"cron"`
	TimeZone     *string `json:"time_zone"`
	EverySeconds *int64  `json:"every_seconds"`
	// No due time is earlier.
	StartsAt *time.Time `json:"starts_at"`
	// No due time is later.
	EndsAt *time.Time `json:"ends_at"`
	// What a due time does while an earlier execution of the schedule is unfinished: begin another, skip itself, or
	// cancel the other.
	Overlap string `json:"overlap"`
	// Which due times are made up for that are more than 60 seconds late, as after an outage: none, one for all, or the
	// last 100.
	Missed        string `json:"missed"`
	JitterSeconds int64  `json:"jitter_seconds"`
	// Whether it is due at all. It becomes false by itself when its key is revoked or expires.
	Enabled   bool               `json:"enabled"`
	Execution ScheduledExecution `json:"execution"`
	// The next due times, five at most, without jitter; none during a pause.
	NextAt    []time.Time `json:"next_at"`
	Last      *LastDue    `json:"last"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
}

// CreateSchedule: A request for an execution, and when it is made again and again.
type CreateSchedule struct {
	Name string `json:"name"`
	// Minute, hour, day of month, month, day of week, in the time zone; or give EverySeconds. null: not given.
	Cron string `json:"cron,omitzero"`
	// A name of the time zone database, such as Europe/Berlin; given with cron. null: not given.
	TimeZone string `json:"time_zone,omitzero"`
	// Seconds between due times, counted from StartsAt, or else from when this value was given first. null: not given.
	EverySeconds *int `json:"every_seconds,omitzero"`
	// No due time is earlier.
	StartsAt time.Time `json:"starts_at,omitzero"`
	// No due time is later.
	EndsAt time.Time `json:"ends_at,omitzero"`
	// `allow` unless given.
	Overlap string `json:"overlap,omitzero"`
	// `last` unless given.
	Missed string `json:"missed,omitzero"`
	// 0 unless given.
	JitterSeconds *int `json:"jitter_seconds,omitzero"`
	// true unless given.
	Enabled   *bool           `json:"enabled,omitzero"`
	Execution CreateExecution `json:"execution"`
}

// ScheduleDetail: A schedule.
type ScheduleDetail struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// The key that creates its executions: within its tasks, agents and limits, signed with its secret.
	KeyID        string  `json:"key_id"`
	Cron         *string `json:"cron"`
	TimeZone     *string `json:"time_zone"`
	EverySeconds *int64  `json:"every_seconds"`
	// No due time is earlier.
	StartsAt *time.Time `json:"starts_at"`
	// No due time is later.
	EndsAt *time.Time `json:"ends_at"`
	// What a due time does while an earlier execution of the schedule is unfinished: begin another, skip itself, or
	// cancel the other.
	Overlap string `json:"overlap"`
	// Which due times are made up for that are more than 60 seconds late, as after an outage: none, one for all, or the
	// last 100.
	Missed        string `json:"missed"`
	JitterSeconds int64  `json:"jitter_seconds"`
	// Whether it is due at all. It becomes false by itself when its key is revoked or expires.
	Enabled   bool               `json:"enabled"`
	Execution ScheduledExecution `json:"execution"`
	// The next due times, five at most, without jitter; none during a pause.
	NextAt    []time.Time `json:"next_at"`
	Last      *LastDue    `json:"last"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// UpdateSchedule: What is to change. With other times, or enabled again, it goes on with the first due time from
// then. A value that it has already changes nothing. Who changes anything but its name, other than by a pause, takes
// it over by their key, which must be allowed to create what it asks for.
type UpdateSchedule struct {
	Name *string `json:"name,omitzero"`
	// Minute, hour, day of month, month, day of week, in the time zone; or give EverySeconds. null: not given.
	Cron Nullable[string] `json:"cron,omitzero"`
	// A name of the time zone database, such as Europe/Berlin; given with cron. null: not given.
	TimeZone Nullable[string] `json:"time_zone,omitzero"`
	// Seconds between due times, counted from StartsAt, or else from when this value was given first. null: not given.
	EverySeconds Nullable[int] `json:"every_seconds,omitzero"`
	// No due time is earlier.
	StartsAt Nullable[time.Time] `json:"starts_at,omitzero"`
	// No due time is later.
	EndsAt Nullable[time.Time] `json:"ends_at,omitzero"`
	// What a due time does while an earlier execution of the schedule is unfinished: begin another, skip itself, or
	// cancel the other.
	Overlap *string `json:"overlap,omitzero"`
	// Which due times are made up for that are more than 60 seconds late, as after an outage: none, one for all, or the
	// last 100.
	Missed *string `json:"missed,omitzero"`
	// Each due time is created up to so much later, always by the same part of it.
	JitterSeconds *int `json:"jitter_seconds,omitzero"`
	// Whether it is due at all: false is a pause.
	Enabled   *bool            `json:"enabled,omitzero"`
	Execution *CreateExecution `json:"execution,omitzero"`
}

// TriggerSchedule: How this one execution differs.
type TriggerSchedule struct {
	// In place of those of the schedule.
	Params any `json:"params,omitzero"`
}

// ScheduleTriggered: The execution that was created.
type ScheduleTriggered struct {
	ScheduleID  string          `json:"schedule_id"`
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// TaskFilter: Which tasks a list wants.
type TaskFilter struct {
	// A part of the slug or name.
	Q string `json:"q,omitzero"`
	// Only tasks with a version of this tag.
	Tag string `json:"tag,omitzero"`
	// NextCursor of the previous page.
	Cursor string `json:"cursor,omitzero"`
	// The most items on the page; 50 unless given. A page of large items ends early, and so does one by a filter that
	// few match: NextCursor alone says whether there is more.
	Limit int `json:"limit,omitzero"`
}

// Platform: A system the task works on.
type Platform struct {
	PlatformID string `json:"platform_id"`
	Name       string `json:"name"`
	Handler    string `json:"handler"`
}

// TaskVersion: One published version of a task, which never changes.
type TaskVersion struct {
	ID          string    `json:"id"`
	Number      int64     `json:"number"`
	Tags        []string  `json:"tags"`
	PublishedAt time.Time `json:"published_at"`
}

// Task: A task as lists show it.
type Task struct {
	ID             string       `json:"id"`
	Slug           string       `json:"slug"`
	Name           string       `json:"name"`
	Description    string       `json:"description"`
	Platforms      []Platform   `json:"platforms"`
	CurrentVersion *TaskVersion `json:"current_version"`
	LatestVersion  *TaskVersion `json:"latest_version"`
	// Which version each tag names.
	Tags      map[string]string `json:"tags"`
	Enabled   bool              `json:"enabled"`
	CreatedAt time.Time         `json:"created_at"`
	UpdatedAt time.Time         `json:"updated_at"`
}

// RetryPolicy: What happens after a failure that its runner calls retryable, or when a runner is lost.
type RetryPolicy struct {
	// How often the work may be started in all.
	MaxAttempts int64 `json:"max_attempts"`
	// The wait before the second attempt.
	InitialSeconds float64 `json:"initial_seconds"`
	// What each further wait is multiplied by.
	Factor float64 `json:"factor"`
	// The longest wait.
	MaxSeconds float64 `json:"max_seconds"`
	// The share by which a wait may be longer or shorter.
	Jitter float64 `json:"jitter"`
}

// TaskDetail: A task with its policies.
type TaskDetail struct {
	ID             string       `json:"id"`
	Slug           string       `json:"slug"`
	Name           string       `json:"name"`
	Description    string       `json:"description"`
	Platforms      []Platform   `json:"platforms"`
	CurrentVersion *TaskVersion `json:"current_version"`
	LatestVersion  *TaskVersion `json:"latest_version"`
	// Which version each tag names.
	Tags            map[string]string `json:"tags"`
	Enabled         bool              `json:"enabled"`
	CreatedAt       time.Time         `json:"created_at"`
	UpdatedAt       time.Time         `json:"updated_at"`
	ParamsSchemaURL string            `json:"params_schema_url"`
	ResultSchema    JSON              `json:"result_schema"`
	// Longest run once started; null for no limit.
	TimeoutSeconds *int64      `json:"timeout_seconds"`
	Retry          RetryPolicy `json:"retry"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// VersionQuery: Which version of a task; the current one unless given.
type VersionQuery struct {
	// A version's number; wins over version.
	V int `json:"v,omitzero"`
	// `current`, `tag:<name>` or a version's id.
	Version string `json:"version,omitzero"`
}

// ParamsSchema: The JSON Schema of a version's params.
type ParamsSchema struct {
	TaskID        string `json:"task_id"`
	TaskVersionID string `json:"task_version_id"`
	VersionNumber int64  `json:"version_number"`
	Schema        JSON   `json:"schema"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// PageQuery: What chooses a page of a list.
type PageQuery struct {
	// NextCursor of the previous page.
	Cursor string `json:"cursor,omitzero"`
	// The most items on the page; 50 unless given. A page of large items ends early, and so does one by a filter that
	// few match: NextCursor alone says whether there is more.
	Limit int `json:"limit,omitzero"`
}

// AgentStatus is one of the words below, or one of a later version.
type AgentStatus string

// Values of AgentStatus.
const (
	AgentStatusOnline   AgentStatus = "online"
	AgentStatusOffline  AgentStatus = "offline"
	AgentStatusDraining AgentStatus = "draining"
	AgentStatusPaused   AgentStatus = "paused"
	AgentStatusDisabled AgentStatus = "disabled"
)

// Agent: An agent with its load and its runners.
type Agent struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Status      AgentStatus       `json:"status"`
	Labels      map[string]string `json:"labels"`
	// Executions it runs at once.
	Capacity int64 `json:"capacity"`
	// Executions it runs now.
	Busy int64 `json:"busy"`
	// Executions waiting for it.
	Queued int64 `json:"queued"`
	// Runners that serve it and are present.
	Runners int64 `json:"runners"`
	// When a runner that serves it was last heard from, to about ten seconds.
	LastSeenAt *time.Time `json:"last_seen_at"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
}

// TestWebhook is what a request says.
type TestWebhook struct {
	// Where the test is sent.
	CallbackURL string `json:"callback_url"`
}

// TestWebhookQueued: The test event is queued for delivery.
type TestWebhookQueued struct {
	EventID     string `json:"event_id"`
	DeliveryID  string `json:"delivery_id"`
	Status      string `json:"status"`
	CallbackURL string `json:"callback_url"`
	// What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or that asked
	// for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due now, or settled.
	WaitingFor *WaitingFor `json:"waiting_for"`
	// When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// AnswerClass: What the latest attempt was answered; `none` when it failed without an answer.
type AnswerClass string

// Values of AnswerClass.
const (
	AnswerClass2xx  AnswerClass = "2xx"
	AnswerClass3xx  AnswerClass = "3xx"
	AnswerClass4xx  AnswerClass = "4xx"
	AnswerClass5xx  AnswerClass = "5xx"
	AnswerClassNone AnswerClass = "none"
)

// DeliveryFilter: What a list of deliveries is narrowed down by.
type DeliveryFilter struct {
	Type        DeliveryEventType `json:"type,omitzero"`
	ExecutionID string            `json:"execution_id,omitzero"`
	// The standing endpoint that they are for.
	EndpointID string `json:"endpoint_id,omitzero"`
	// The answer to the latest attempt; none if it failed without one.
	Answer AnswerClass `json:"answer,omitzero"`
	// Why the latest attempt failed.
	Cause DeliveryCause `json:"cause,omitzero"`
	// The origin of the callback URL, as in https://hooks.example.com.
	URLOrigin string `json:"url_origin,omitzero"`
	// A part of the event type or URL, or an id.
	Q string `json:"q,omitzero"`
	// Created at or after.
	From time.Time `json:"from,omitzero"`
	// Created at or before.
	To time.Time `json:"to,omitzero"`
	// May be repeated.
	Status []DeliveryState `json:"status,omitzero"`
	// NextCursor of the previous page.
	Cursor string `json:"cursor,omitzero"`
	// The most items on the page; 50 unless given. A page of large items ends early, and so does one by a filter that
	// few match: NextCursor alone says whether there is more.
	Limit int `json:"limit,omitzero"`
}

// DeliveryEventType is one of the words below, or one of a later version.
type DeliveryEventType string

// Values of DeliveryEventType.
const (
	DeliveryEventTypeExecutionQueued    DeliveryEventType = "execution.queued"
	DeliveryEventTypeExecutionStarted   DeliveryEventType = "execution.started"
	DeliveryEventTypeExecutionCompleted DeliveryEventType = "execution.completed"
	DeliveryEventTypeExecutionFailed    DeliveryEventType = "execution.failed"
	DeliveryEventTypeExecutionAborted   DeliveryEventType = "execution.aborted"
	DeliveryEventTypeWebhookTest        DeliveryEventType = "webhook.test"
)

// DeliveryState is one of the words below, or one of a later version.
type DeliveryState string

// Values of DeliveryState.
const (
	DeliveryStatePending   DeliveryState = "pending"
	DeliveryStateDelivered DeliveryState = "delivered"
	DeliveryStateDead      DeliveryState = "dead"
	DeliveryStateCancelled DeliveryState = "cancelled"
)

// WaitingFor is one of the words below, or one of a later version.
type WaitingFor string

// Values of WaitingFor.
const (
	WaitingForBackoff      WaitingFor = "backoff"
	WaitingForBreakerOpen  WaitingFor = "breaker_open"
	WaitingForEarlierEvent WaitingFor = "earlier_event"
	WaitingForPaused       WaitingFor = "paused"
	WaitingForSending      WaitingFor = "sending"
)

// DeliveryCause: Why the latest attempt failed; `expired`: given up without an attempt.
type DeliveryCause string

// Values of DeliveryCause.
const (
	DeliveryCauseUnauthorized   DeliveryCause = "unauthorized"
	DeliveryCauseNotFound       DeliveryCause = "not_found"
	DeliveryCauseNotAccepted    DeliveryCause = "not_accepted"
	DeliveryCauseRedirected     DeliveryCause = "redirected"
	DeliveryCauseTooLarge       DeliveryCause = "too_large"
	DeliveryCauseBadRequest     DeliveryCause = "bad_request"
	DeliveryCauseRateLimited    DeliveryCause = "rate_limited"
	DeliveryCauseServerError    DeliveryCause = "server_error"
	DeliveryCauseDns            DeliveryCause = "dns"
	DeliveryCauseConnectRefused DeliveryCause = "connect_refused"
	DeliveryCauseConnectTimeout DeliveryCause = "connect_timeout"
	DeliveryCauseConnectFailed  DeliveryCause = "connect_failed"
	DeliveryCauseTlsExpired     DeliveryCause = "tls_expired"
	DeliveryCauseTlsWrongHost   DeliveryCause = "tls_wrong_host"
	DeliveryCauseTlsUntrusted   DeliveryCause = "tls_untrusted"
	DeliveryCauseTlsFailed      DeliveryCause = "tls_failed"
	DeliveryCauseNoAnswer       DeliveryCause = "no_answer"
	DeliveryCauseBrokenOff      DeliveryCause = "broken_off"
	DeliveryCauseBlocked        DeliveryCause = "blocked"
	DeliveryCauseSendFailed     DeliveryCause = "send_failed"
	DeliveryCauseInvalidAnswer  DeliveryCause = "invalid_answer"
	DeliveryCauseExpired        DeliveryCause = "expired"
)

// Delivery: The delivery of one event to one URL.
type Delivery struct {
	ID string `json:"id"`
	// The same on every attempt and replay.
	EventID     string            `json:"event_id"`
	Type        DeliveryEventType `json:"type"`
	State       DeliveryState     `json:"state"`
	CallbackURL string            `json:"callback_url"`
	// Null for a test.
	ExecutionID *string `json:"execution_id"`
	// The standing endpoint that it is for; null for the callback of an execution.
	EndpointID *string `json:"endpoint_id"`
	// Null for an endpoint of the whole account.
	KeyID     *string `json:"key_id"`
	Reference *string `json:"reference"`
	// Attempts of the present round.
	Attempts int64 `json:"attempts"`
	// Rises with each replay.
	Round int64 `json:"round"`
	// What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or that asked
	// for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due now, or settled.
	WaitingFor *WaitingFor `json:"waiting_for"`
	// When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	ExpiresAt     time.Time  `json:"expires_at"`
	LastStatus    *int64     `json:"last_status"`
	LastError     *string    `json:"last_error"`
	// Why the latest attempt failed, in words that stay the same; expired if it was given up without an attempt. Null
	// after a success, and before the first attempt.
	LastCause *DeliveryCause `json:"last_cause"`
	CreatedAt time.Time      `json:"created_at"`
	SettledAt *time.Time     `json:"settled_at"`
}

// DeliveryRequest: As it was sent, signatures included.
type DeliveryRequest struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// DeliveryResponse: What the receiver answered.
type DeliveryResponse struct {
	Status  int64             `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    *string           `json:"body"`
	// Whether there was more of the body than is kept.
	Truncated bool `json:"truncated"`
}

// AttemptTimings: How long the parts of an attempt took, in milliseconds; null for what it did not come to or did not
// need.
type AttemptTimings struct {
	Dns     *int64 `json:"dns"`
	Connect *int64 `json:"connect"`
	Tls     *int64 `json:"tls"`
	Headers *int64 `json:"headers"`
	Body    *int64 `json:"body"`
}

// AttemptPhase: How far it got.
type AttemptPhase string

// Values of AttemptPhase.
const (
	AttemptPhasePolicy  AttemptPhase = "policy"
	AttemptPhaseDns     AttemptPhase = "dns"
	AttemptPhaseConnect AttemptPhase = "connect"
	AttemptPhaseRequest AttemptPhase = "request"
	AttemptPhaseHeaders AttemptPhase = "headers"
	AttemptPhaseBody    AttemptPhase = "body"
	AttemptPhaseDone    AttemptPhase = "done"
)

// AttemptCause: Why an attempt failed: by the status of the answer, or by what kept it from being one.
type AttemptCause string

// Values of AttemptCause.
const (
	AttemptCauseUnauthorized   AttemptCause = "unauthorized"
	AttemptCauseNotFound       AttemptCause = "not_found"
	AttemptCauseNotAccepted    AttemptCause = "not_accepted"
	AttemptCauseRedirected     AttemptCause = "redirected"
	AttemptCauseTooLarge       AttemptCause = "too_large"
	AttemptCauseBadRequest     AttemptCause = "bad_request"
	AttemptCauseRateLimited    AttemptCause = "rate_limited"
	AttemptCauseServerError    AttemptCause = "server_error"
	AttemptCauseDns            AttemptCause = "dns"
	AttemptCauseConnectRefused AttemptCause = "connect_refused"
	AttemptCauseConnectTimeout AttemptCause = "connect_timeout"
	AttemptCauseConnectFailed  AttemptCause = "connect_failed"
	AttemptCauseTlsExpired     AttemptCause = "tls_expired"
	AttemptCauseTlsWrongHost   AttemptCause = "tls_wrong_host"
	AttemptCauseTlsUntrusted   AttemptCause = "tls_untrusted"
	AttemptCauseTlsFailed      AttemptCause = "tls_failed"
	AttemptCauseNoAnswer       AttemptCause = "no_answer"
	AttemptCauseBrokenOff      AttemptCause = "broken_off"
	AttemptCauseBlocked        AttemptCause = "blocked"
	AttemptCauseSendFailed     AttemptCause = "send_failed"
	AttemptCauseInvalidAnswer  AttemptCause = "invalid_answer"
)

// DeliveryAttempt: One request to the receiver.
type DeliveryAttempt struct {
	Round int64 `json:"round"`
	// Counts up from 1 within the round.
	Number     int64     `json:"number"`
	StartedAt  time.Time `json:"started_at"`
	DurationMs int64     `json:"duration_ms"`
	// How long each part took; null for a part that was not reached or not needed, such as a connection that was still
	// open.
	TimingsMs AttemptTimings `json:"timings_ms"`
	// How far it got.
	Phase AttemptPhase `json:"phase"`
	// What went wrong; null after a success.
	Error *string `json:"error"`
	// Why it failed, in words that stay the same; null after a success.
	Cause         *AttemptCause `json:"cause"`
	RemoteAddress *string       `json:"remote_address"`
	// Null when nothing was sent.
	Request *DeliveryRequest `json:"request"`
	// Null when no answer began to arrive.
	Response *DeliveryResponse `json:"response"`
}

// DeliveryDetail: A delivery with its payload and attempts.
type DeliveryDetail struct {
	ID string `json:"id"`
	// The same on every attempt and replay.
	EventID     string            `json:"event_id"`
	Type        DeliveryEventType `json:"type"`
	State       DeliveryState     `json:"state"`
	CallbackURL string            `json:"callback_url"`
	// Null for a test.
	ExecutionID *string `json:"execution_id"`
	// The standing endpoint that it is for; null for the callback of an execution.
	EndpointID *string `json:"endpoint_id"`
	// Null for an endpoint of the whole account.
	KeyID     *string `json:"key_id"`
	Reference *string `json:"reference"`
	// Attempts of the present round.
	Attempts int64 `json:"attempts"`
	// Rises with each replay.
	Round int64 `json:"round"`
	// What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or that asked
	// for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due now, or settled.
	WaitingFor *WaitingFor `json:"waiting_for"`
	// When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	ExpiresAt     time.Time  `json:"expires_at"`
	LastStatus    *int64     `json:"last_status"`
	LastError     *string    `json:"last_error"`
	// Why the latest attempt failed, in words that stay the same; expired if it was given up without an attempt. Null
	// after a success, and before the first attempt.
	LastCause *DeliveryCause `json:"last_cause"`
	CreatedAt time.Time      `json:"created_at"`
	SettledAt *time.Time     `json:"settled_at"`
	// The exact body that is signed and sent.
	Payload string `json:"payload"`
	// The latest attempts, oldest first: at most 100, fewer if the body is large.
	AttemptsLog []DeliveryAttempt `json:"attempts_log"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// DeliveryReplayed: The delivery is due again.
type DeliveryReplayed struct {
	ID    string        `json:"id"`
	State DeliveryState `json:"state"`
	Round int64         `json:"round"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// ReplayableState is one of the words below, or one of a later version.
type ReplayableState string

// Values of ReplayableState.
const (
	ReplayableStateDead      ReplayableState = "dead"
	ReplayableStateDelivered ReplayableState = "delivered"
	ReplayableStateCancelled ReplayableState = "cancelled"
)

// ReplayDeliveries: Which of the settled deliveries; all dead ones unless given.
type ReplayDeliveries struct {
	Type        DeliveryEventType `json:"type,omitzero"`
	ExecutionID string            `json:"execution_id,omitzero"`
	// The standing endpoint that they are for.
	EndpointID string `json:"endpoint_id,omitzero"`
	// The answer to the latest attempt; none if it failed without one.
	Answer AnswerClass `json:"answer,omitzero"`
	// Why the latest attempt failed.
	Cause DeliveryCause `json:"cause,omitzero"`
	// The origin of the callback URL, as in https://hooks.example.com.
	URLOrigin string `json:"url_origin,omitzero"`
	// A part of the event type or URL, or an id.
	Q string `json:"q,omitzero"`
	// Created at or after.
	From time.Time `json:"from,omitzero"`
	// Created at or before.
	To time.Time `json:"to,omitzero"`
	// States to replay; only dead unless given.
	Status []ReplayableState `json:"status,omitzero"`
	// Only these, if they match: at most 200.
	IDs []string `json:"ids,omitzero"`
	// Leave out events that a later one of their execution follows, however that one fared. False unless given.
	LastOnly *bool `json:"last_only,omitzero"`
}

// ReplayFilter: As requested; null for any.
type ReplayFilter struct {
	Status      []ReplayableState  `json:"status"`
	Type        *DeliveryEventType `json:"type"`
	ExecutionID *string            `json:"execution_id"`
	EndpointID  *string            `json:"endpoint_id"`
	KeyID       *string            `json:"key_id"`
	Answer      *AnswerClass       `json:"answer"`
	Cause       *DeliveryCause     `json:"cause"`
	URLOrigin   *string            `json:"url_origin"`
	Q           *string            `json:"q"`
	From        *time.Time         `json:"from"`
	To          *time.Time         `json:"to"`
	IDs         []string           `json:"ids"`
	LastOnly    bool               `json:"last_only"`
}

// Replay: A job that sends settled deliveries again.
type Replay struct {
	ID     string    `json:"id"`
	Status JobStatus `json:"status"`
	// How many it would replay, counted when it began; null if there were too many to count.
	Expected *int64 `json:"expected"`
	// Deliveries that it has made due again so far.
	Replayed int64 `json:"replayed"`
	// Of them, those that have arrived.
	Delivered int64 `json:"delivered"`
	// Of them, those that were given up again.
	Failed int64 `json:"failed"`
	// Of them, those that are still being delivered.
	Waiting int64        `json:"waiting"`
	Filter  ReplayFilter `json:"filter"`
	// Deliveries settled after this are not replayed.
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Null while it runs; the job is removed 30 days later.
	FinishedAt *time.Time `json:"finished_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// WouldReplay: What a replay would do. Nothing has been changed.
type WouldReplay struct {
	// Deliveries that match. The count stops at 10000, or after looking at 100000.
	WouldReplay int64 `json:"would_replay"`
	// Whether there may be more than were counted.
	IsMore bool `json:"is_more"`
	// The receivers that get the most of them, at most 20.
	Origins []WouldReplayOrigin `json:"origins"`
	// How many of each event type.
	Types map[string]int64 `json:"types"`
	// When the oldest of those counted was made.
	OldestAt *time.Time `json:"oldest_at"`
	NewestAt *time.Time `json:"newest_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// WouldReplayOrigin is an answer.
type WouldReplayOrigin struct {
	Origin string `json:"origin"`
	Count  int64  `json:"count"`
}

// ReplayJob: A job that sends settled deliveries again.
type ReplayJob struct {
	ID     string    `json:"id"`
	Status JobStatus `json:"status"`
	// How many it would replay, counted when it began; null if there were too many to count.
	Expected *int64 `json:"expected"`
	// Deliveries that it has made due again so far.
	Replayed int64 `json:"replayed"`
	// Of them, those that have arrived.
	Delivered int64 `json:"delivered"`
	// Of them, those that were given up again.
	Failed int64 `json:"failed"`
	// Of them, those that are still being delivered.
	Waiting int64        `json:"waiting"`
	Filter  ReplayFilter `json:"filter"`
	// Deliveries settled after this are not replayed.
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Null while it runs; the job is removed 30 days later.
	FinishedAt *time.Time `json:"finished_at"`
}

// WebhookEndpoint: A receiver of the events of many executions.
type WebhookEndpoint struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// Null for poll.
	URL         *string `json:"url"`
	Description string  `json:"description"`
	// Which events it gets; null: all.
	EventTypes []ExecutionEventType `json:"event_types"`
	// Of which tasks; null: all that its key may run.
	TaskIDs []string `json:"task_ids"`
	// On which agents; null: all that its key may use.
	AgentIDs []string `json:"agent_ids"`
	// Events that happen while it is false are never told to it. What waits already is still delivered.
	Enabled bool `json:"enabled"`
	// The key that made it, whose tasks and agents bound what it is told; null: all of the account.
	KeyID              *string `json:"key_id"`
	RemoveAfterSeconds *int64  `json:"remove_after_seconds"`
	// Until when the signing secret before the present one signs as well.
	PreviousExpiresAt *time.Time `json:"previous_expires_at"`
	CreatedAt         time.Time  `json:"created_at"`
	UpdatedAt         time.Time  `json:"updated_at"`
}

// WebhookEndpointList: All of them, oldest first: at most 20.
type WebhookEndpointList struct {
	Data []WebhookEndpoint `json:"data"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// CreateWebhookEndpoint: It is enabled and gets all events unless given.
type CreateWebhookEndpoint struct {
	// push: events are sent to `url`. poll: they are fetched as messages and acknowledged.
	Kind string `json:"kind"`
	// Where events are sent, for push alone; under the rules of CallbackURL.
	URL         string `json:"url,omitzero"`
	Description string `json:"description,omitzero"`
	// Which events it gets; null: all.
	EventTypes []ExecutionEventType `json:"event_types,omitzero"`
	// Of which tasks; null: all that its key may run.
	TaskIDs []string `json:"task_ids,omitzero"`
	// On which agents; null: all that its key may use.
	AgentIDs []string `json:"agent_ids,omitzero"`
	// Events that happen while it is false are never told to it. What waits already is still delivered.
	Enabled *bool `json:"enabled,omitzero"`
	// For poll alone: it is removed when nobody has fetched from it for so long, give or take an hour; null: never.
	RemoveAfterSeconds *int `json:"remove_after_seconds,omitzero"`
}

// WebhookEndpointCreated: The endpoint, with its signing secret, shown this once.
type WebhookEndpointCreated struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// Null for poll.
	URL         *string `json:"url"`
	Description string  `json:"description"`
	// Which events it gets; null: all.
	EventTypes []ExecutionEventType `json:"event_types"`
	// Of which tasks; null: all that its key may run.
	TaskIDs []string `json:"task_ids"`
	// On which agents; null: all that its key may use.
	AgentIDs []string `json:"agent_ids"`
	// Events that happen while it is false are never told to it. What waits already is still delivered.
	Enabled bool `json:"enabled"`
	// The key that made it, whose tasks and agents bound what it is told; null: all of the account.
	KeyID              *string `json:"key_id"`
	RemoveAfterSeconds *int64  `json:"remove_after_seconds"`
	// Until when the signing secret before the present one signs as well.
	PreviousExpiresAt *time.Time `json:"previous_expires_at"`
	CreatedAt         time.Time  `json:"created_at"`
	UpdatedAt         time.Time  `json:"updated_at"`
	// Verifies what it is sent.
	SigningSecret string `json:"signing_secret"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// WebhookEndpointDetail: A receiver of the events of many executions.
type WebhookEndpointDetail struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// Null for poll.
	URL         *string `json:"url"`
	Description string  `json:"description"`
	// Which events it gets; null: all.
	EventTypes []ExecutionEventType `json:"event_types"`
	// Of which tasks; null: all that its key may run.
	TaskIDs []string `json:"task_ids"`
	// On which agents; null: all that its key may use.
	AgentIDs []string `json:"agent_ids"`
	// Events that happen while it is false are never told to it. What waits already is still delivered.
	Enabled bool `json:"enabled"`
	// The key that made it, whose tasks and agents bound what it is told; null: all of the account.
	KeyID              *string `json:"key_id"`
	RemoveAfterSeconds *int64  `json:"remove_after_seconds"`
	// Until when the signing secret before the present one signs as well.
	PreviousExpiresAt *time.Time `json:"previous_expires_at"`
	CreatedAt         time.Time  `json:"created_at"`
	UpdatedAt         time.Time  `json:"updated_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// UpdateWebhookEndpoint is what a request says.
type UpdateWebhookEndpoint struct {
	// For push alone. Events that wait already go where they were to go. null: not given.
	URL         Nullable[string] `json:"url,omitzero"`
	Description *string          `json:"description,omitzero"`
	// Which events it gets; null: all.
	EventTypes Nullable[[]ExecutionEventType] `json:"event_types,omitzero"`
	// Of which tasks; null: all that its key may run.
	TaskIDs Nullable[[]string] `json:"task_ids,omitzero"`
	// On which agents; null: all that its key may use.
	AgentIDs Nullable[[]string] `json:"agent_ids,omitzero"`
	// Events that happen while it is false are never told to it. What waits already is still delivered.
	Enabled *bool `json:"enabled,omitzero"`
}

// RotateEndpointSecret is what a request says.
type RotateEndpointSecret struct {
	// How long the old secret signs the Standard Webhooks header as well; 86400 unless given.
	OverlapSeconds *int `json:"overlap_seconds,omitzero"`
}

// EndpointSecretRotated: The new signing secret, shown this once.
type EndpointSecretRotated struct {
	SigningSecret     string    `json:"signing_secret"`
	PreviousExpiresAt time.Time `json:"previous_expires_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// EndpointTested: The test event is queued for the endpoint.
type EndpointTested struct {
	EventID    string `json:"event_id"`
	DeliveryID string `json:"delivery_id"`
	Status     string `json:"status"`
	EndpointID string `json:"endpoint_id"`
	// What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or that asked
	// for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due now, or settled.
	WaitingFor *WaitingFor `json:"waiting_for"`
	// When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// FetchMessages: How many messages to fetch, and how many seconds to wait for the first.
type FetchMessages struct {
	// The most items on the page; 50 unless given. A page of large items ends early, and so does one by a filter that
	// few match: NextCursor alone says whether there is more.
	Limit int `json:"limit,omitzero"`
	// Seconds to wait for something new; none unless given.
	Wait int `json:"wait,omitzero"`
}

// WebhookMessage: An event that was fetched in place of being sent.
type WebhookMessage struct {
	// The id of its event and of its delivery.
	MessageID string `json:"message_id"`
	// How often it was given out; dead after 12 times without an acknowledgement.
	Attempt int64 `json:"attempt"`
	// As they would be sent, with timestamp and signatures of this moment.
	Headers map[string]string `json:"headers"`
	// The exact text that is signed.
	Body string `json:"body"`
}

// WebhookMessageList: Messages in their order, yours for 60 seconds: those that are not acknowledged by then are
// given out again.
type WebhookMessageList struct {
	Data []WebhookMessage `json:"data"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// AcknowledgeMessages is what a request says.
type AcknowledgeMessages struct {
	MessageIDs []string `json:"message_ids"`
}

// MessagesAcknowledged: They are delivered, and not given out again.
type MessagesAcknowledged struct {
	// How many of them were waiting for it. A repeat acknowledges nothing more.
	Acknowledged int64 `json:"acknowledged"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// Alert: Something that is wrong in an account, or was.
type Alert struct {
	Kind        string `json:"kind"`
	AccountID   string `json:"account_id"`
	AccountName string `json:"account_name"`
	// The id of the agent or task, or the origin of the receiver; null for the account itself.
	Subject *string `json:"subject"`
	Title   string  `json:"title"`
	Detail  string  `json:"detail"`
	// What to do.
	Advice string `json:"advice"`
	// Callbacks or executions that it is about. The count stops at 1000.
	Count int64 `json:"count"`
	// Where the Integrations page shows it; null without one.
	URL *string `json:"url"`
	// When it began, as far as that is known.
	Since    time.Time `json:"since"`
	OpenedAt time.Time `json:"opened_at"`
	// When it was over; null while it is open.
	ClosedAt *time.Time `json:"closed_at"`
}

// AlertList: Those that are open first, each part newest first. An alert is shown for 7 days after its end.
type AlertList struct {
	Data []Alert `json:"data"`
	// Whether there are more than are listed.
	IsMore bool `json:"is_more"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// AlertTarget: Somebody who is told of alerts.
type AlertTarget struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	// The e-mail address, or the origin of the URL: its path may let others post to a chat.
	Address string `json:"address"`
	// Which alerts it gets.
	Kinds []string `json:"kinds"`
	// Nothing is sent before. After that it is told what is still open; null: no pause.
	PausedUntil *time.Time `json:"paused_until"`
	// Messages in a row that were not taken.
	Failures int64 `json:"failures"`
	// Why the last one was not taken; null if it was, or if there was none.
	LastError *string `json:"last_error"`
	// When it took a message last. Tests do not count.
	LastSentAt *time.Time `json:"last_sent_at"`
	// The next message is sent then or later.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
}

// AlertTargetList: All targets, oldest first: at most 10.
type AlertTargetList struct {
	Data []AlertTarget `json:"data"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// CreateAlertTarget: It gets all kinds of alerts unless given.
type CreateAlertTarget struct {
	Channel string `json:"channel"`
	// The URL of the webhook, or one e-mail address.
	Address string `json:"address"`
	// Which alerts it gets.
	Kinds []string `json:"kinds,omitzero"`
	// Nothing is sent before. After that it is told what is still open; null: no pause.
	PausedUntil time.Time `json:"paused_until,omitzero"`
}

// AlertTargetCreated: The target, with its signing secret, shown this once.
type AlertTargetCreated struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	// The e-mail address, or the origin of the URL: its path may let others post to a chat.
	Address string `json:"address"`
	// Which alerts it gets.
	Kinds []string `json:"kinds"`
	// Nothing is sent before. After that it is told what is still open; null: no pause.
	PausedUntil *time.Time `json:"paused_until"`
	// Messages in a row that were not taken.
	Failures int64 `json:"failures"`
	// Why the last one was not taken; null if it was, or if there was none.
	LastError *string `json:"last_error"`
	// When it took a message last. Tests do not count.
	LastSentAt *time.Time `json:"last_sent_at"`
	// The next message is sent then or later.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
	// Verifies the signatures of its webhooks; null for e-mail.
	SigningSecret *string `json:"signing_secret"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// AlertTargetDetail: Somebody who is told of alerts.
type AlertTargetDetail struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	// The e-mail address, or the origin of the URL: its path may let others post to a chat.
	Address string `json:"address"`
	// Which alerts it gets.
	Kinds []string `json:"kinds"`
	// Nothing is sent before. After that it is told what is still open; null: no pause.
	PausedUntil *time.Time `json:"paused_until"`
	// Messages in a row that were not taken.
	Failures int64 `json:"failures"`
	// Why the last one was not taken; null if it was, or if there was none.
	LastError *string `json:"last_error"`
	// When it took a message last. Tests do not count.
	LastSentAt *time.Time `json:"last_sent_at"`
	// The next message is sent then or later.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// UpdateAlertTarget is what a request says.
type UpdateAlertTarget struct {
	// Which alerts it gets.
	Kinds []string `json:"kinds,omitzero"`
	// Nothing is sent before. After that it is told what is still open; null: no pause.
	PausedUntil Nullable[time.Time] `json:"paused_until,omitzero"`
}

// AlertTargetTested: What came of a test.
type AlertTargetTested struct {
	// Whether the receiver, or the mail server, took it.
	Taken bool `json:"taken"`
	// Why not; null if it was taken.
	Error *string `json:"error"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// RateLimit: Requests a key may make: on average, and at once.
type RateLimit struct {
	PerSecond int64 `json:"per_second"`
	Burst     int64 `json:"burst"`
}

// Capability is one of the words below, or one of a later version.
type Capability string

// Values of Capability.
const (
	CapabilityExecutionsRead  Capability = "executions:read"
	CapabilityExecutionsWrite Capability = "executions:write"
	CapabilityArtifactsRead   Capability = "artifacts:read"
	CapabilityCatalogRead     Capability = "catalog:read"
	CapabilityWebhooksTest    Capability = "webhooks:test"
	CapabilityWebhooksRead    Capability = "webhooks:read"
	CapabilityWebhooksReplay  Capability = "webhooks:replay"
	CapabilityAlertsManage    Capability = "alerts:manage"
	CapabilityEndpointsManage Capability = "endpoints:manage"
)

// Me: The calling key: what it may do, and how much.
type Me struct {
	KeyID string `json:"key_id"`
	Name  string `json:"name"`
	// The public part of the key.
	Prefix    string `json:"prefix"`
	AccountID string `json:"account_id"`
	// null: everything.
	Capabilities []Capability `json:"capabilities"`
	// The tasks of which it creates work, and changes any: also what it names by id. It reads all executions and
	// schedules of its account. null: all tasks of the account; []: none.
	AllowedTaskIDs []string `json:"allowed_task_ids"`
	// The agents for which it creates work, and changes any, as for tasks. null: all agents of the account; []: none.
	AllowedAgentIDs []string   `json:"allowed_agent_ids"`
	ExpiresAt       *time.Time `json:"expires_at"`
	// Unfinished executions that it has queued.
	Live int64 `json:"live"`
	// Unfinished executions it may have at once: its own limit, or its account's if that is lower.
	MaxLive int64 `json:"max_live"`
	// Its own rate, or its account's where that is lower; null: no limit.
	RateLimit *RateLimit `json:"rate_limit"`
	// The same for the items of its batches, which are counted apart from requests; a whole batch at once at least.
	BatchRateLimit *RateLimit `json:"batch_rate_limit"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
}

// EvidenceEvent: One change of an execution, as evidence states it.
type EvidenceEvent struct {
	// Counted from 1 without gaps.
	Sequence int64            `json:"sequence"`
	Type     HistoryEventType `json:"type"`
	At       time.Time        `json:"at"`
	// After the change.
	Status ExecutionStatus `json:"status"`
	// How often the work had been started.
	Attempt int64 `json:"attempt"`
}

// ArtifactKind is one of the words below, or one of a later version.
type ArtifactKind string

// Values of ArtifactKind.
const (
	ArtifactKindDownload   ArtifactKind = "download"
	ArtifactKindPrint      ArtifactKind = "print"
	ArtifactKindScreenshot ArtifactKind = "screenshot"
	ArtifactKindVideo      ArtifactKind = "video"
)

// EvidenceFile: A file of an execution, as evidence states it.
type EvidenceFile struct {
	ID          string       `json:"id"`
	Kind        ArtifactKind `json:"kind"`
	FileName    string       `json:"file_name"`
	ContentType string       `json:"content_type"`
	SizeBytes   int64        `json:"size_bytes"`
	Sha256      string       `json:"sha256"`
}

// EvidenceManifest: What evidence states of an execution that has ended.
type EvidenceManifest struct {
	Type string `json:"type"`
	// The base URL of the service.
	Issuer      string          `json:"issuer"`
	AccountID   string          `json:"account_id"`
	ExecutionID string          `json:"execution_id"`
	Status      ExecutionStatus `json:"status"`
	Reference   string          `json:"reference"`
	// The API key in whose name it ran, and the request that made it.
	RequestedBy EvidenceManifestRequestedBy `json:"requested_by"`
	RerunOf     *string                     `json:"rerun_of"`
	ScheduleID  *string                     `json:"schedule_id"`
	Task        EvidenceManifestTask        `json:"task"`
	Agent       EvidenceManifestAgent       `json:"agent"`
	// How often the work was started.
	Attempts   int64      `json:"attempts"`
	CreatedAt  time.Time  `json:"created_at"`
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt time.Time  `json:"finished_at"`
	// Of the canonical JSON (RFC 8785) of the params as the API shows them, with `"[secret]"` in place of each secret.
	ParamsSha256 string `json:"params_sha256"`
	// Of the canonical JSON (RFC 8785) of the result; null when there is none.
	ResultSha256 *string `json:"result_sha256"`
	// The changes, oldest first: the newest 2,000.
	History []EvidenceEvent `json:"history"`
	Files   []EvidenceFile  `json:"files"`
	// Whether no more files can come: an attempt may upload files for five minutes after its end.
	FilesComplete bool `json:"files_complete"`
}

// EvidenceManifestRequestedBy: The API key in whose name it ran, and the request that made it.
type EvidenceManifestRequestedBy struct {
	KeyID     string `json:"key_id"`
	Name      string `json:"name"`
	RequestID string `json:"request_id"`
}

// EvidenceManifestTask is an answer.
type EvidenceManifestTask struct {
	ID            string `json:"id"`
	Slug          string `json:"slug"`
	VersionID     string `json:"version_id"`
	VersionNumber int64  `json:"version_number"`
}

// EvidenceManifestAgent is an answer.
type EvidenceManifestAgent struct {
	ID   string  `json:"id"`
	Name *string `json:"name"`
}

// EventExecution: An execution as it was when its event occurred.
type EventExecution struct {
	ID            string          `json:"id"`
	AccountID     string          `json:"account_id"`
	AgentID       string          `json:"agent_id"`
	TaskID        string          `json:"task_id"`
	TaskVersionID string          `json:"task_version_id"`
	Status        ExecutionStatus `json:"status"`
	// What the work produced; null unless completed.
	Result JSON `json:"result"`
	// Null unless the run has failed.
	ErrorMessage *string    `json:"error_message"`
	StartedAt    *time.Time `json:"started_at"`
	StoppedAt    *time.Time `json:"stopped_at"`
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
}

// ExecutionEvent: An execution entered a status; it is shown as it was then.
type ExecutionEvent struct {
	// The same on every attempt, and in X-Webhook-Event-Id.
	EventID    string    `json:"event_id"`
	OccurredAt time.Time `json:"occurred_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string             `json:"request_id"`
	Reference string             `json:"reference"`
	Metadata  JSON               `json:"metadata"`
	Type      ExecutionEventType `json:"type"`
	Execution EventExecution     `json:"execution"`
}

// TestEvent: A test of the receiver, about no execution.
type TestEvent struct {
	// The same on every attempt, and in X-Webhook-Event-Id.
	EventID    string    `json:"event_id"`
	OccurredAt time.Time `json:"occurred_at"`
	// Correlation id of the request; the same as in the X-Request-Id header.
	RequestID string `json:"request_id"`
	Reference string `json:"reference"`
	Metadata  JSON   `json:"metadata"`
	Type      string `json:"type"`
	Message   string `json:"message"`
}
