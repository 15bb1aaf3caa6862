"""The JSON of the integration API. Generated from the contract by `npm run generate`: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

from .._typing import NotRequired

__all__ = [
    "KnownExecutionEventType",
    "CreateExecution",
    "ExecutionCreated",
    "ExecutionReplayed",
    "WouldCreate",
    "BatchItem",
    "CreateExecutions",
    "ErrorObject",
    "BatchItemAnswer",
    "ExecutionsCreated",
    "ExecutionFilter",
    "InputRequestSummary",
    "KnownExecutionStatus",
    "Execution",
    "FileArtifact",
    "ExecutionDetail",
    "CancelExecution",
    "ExecutionCancelled",
    "CancelFilter",
    "CancelExecutions",
    "CancelBegun",
    "CancelRepeated",
    "WouldCancel",
    "AcceptedCancelFilter",
    "KnownJobStatus",
    "CancelJob",
    "ExecutionMoved",
    "RerunExecution",
    "RescheduleExecution",
    "ExecutionRescheduled",
    "HistoryQuery",
    "KnownHistoryEventType",
    "ExecutionHistoryEvent",
    "ExecutionHistory",
    "ExecutionLogLine",
    "ExecutionLog",
    "KnownBlockKind",
    "ExecutionBlock",
    "KnownWaitState",
    "ExecutionExplained",
    "ExecutionEvidence",
    "VideoArtifact",
    "ExecutionArtifacts",
    "InputMode",
    "InputTimeout",
    "InputRequest",
    "InputList",
    "AnswerInput",
    "InputAnswered",
    "ScheduledExecution",
    "KnownErrorCode",
    "RefusedCreate",
    "LastDue",
    "Schedule",
    "CreateSchedule",
    "ScheduleDetail",
    "UpdateSchedule",
    "TriggerSchedule",
    "ScheduleTriggered",
    "TaskFilter",
    "Platform",
    "TaskVersion",
    "Task",
    "RetryPolicy",
    "TaskDetail",
    "VersionQuery",
    "ParamsSchema",
    "PageQuery",
    "KnownAgentStatus",
    "Agent",
    "TestWebhook",
    "TestWebhookQueued",
    "KnownAnswerClass",
    "DeliveryFilter",
    "KnownDeliveryEventType",
    "KnownDeliveryState",
    "KnownWaitingFor",
    "KnownDeliveryCause",
    "Delivery",
    "DeliveryRequest",
    "DeliveryResponse",
    "AttemptTimings",
    "KnownAttemptPhase",
    "KnownAttemptCause",
    "DeliveryAttempt",
    "DeliveryDetail",
    "DeliveryReplayed",
    "KnownReplayableState",
    "ReplayDeliveries",
    "ReplayFilter",
    "Replay",
    "WouldReplayOrigin",
    "WouldReplay",
    "ReplayJob",
    "WebhookEndpoint",
    "WebhookEndpointList",
    "CreateWebhookEndpoint",
    "WebhookEndpointCreated",
    "WebhookEndpointDetail",
    "UpdateWebhookEndpoint",
    "RotateEndpointSecret",
    "EndpointSecretRotated",
    "EndpointTested",
    "FetchMessages",
    "WebhookMessage",
    "WebhookMessageList",
    "AcknowledgeMessages",
    "MessagesAcknowledged",
    "Alert",
    "AlertList",
    "AlertTarget",
    "AlertTargetList",
    "CreateAlertTarget",
    "AlertTargetCreated",
    "AlertTargetDetail",
    "UpdateAlertTarget",
    "AlertTargetTested",
    "RateLimit",
    "KnownCapability",
    "Me",
    "EvidenceEvent",
    "ArtifactKind",
    "EvidenceFile",
    "EvidenceManifestRequestedBy",
    "EvidenceManifestTask",
    "EvidenceManifestAgent",
    "EvidenceManifest",
    "EventExecution",
    "ExecutionEvent",
    "TestEvent",
]


KnownExecutionEventType: TypeAlias = Literal[
    "execution.queued",
    "execution.started",
    "execution.completed",
    "execution.failed",
    "execution.aborted",
]


class CreateExecution(TypedDict):
    """A request to queue an execution."""

    agent_id: str
    """The agent that executes the run."""
    task_id: NotRequired[str]
    """The task to run; this or task_version_id."""
    task_version_id: NotRequired[str]
    """A specific version; wins over v and version."""
    version: NotRequired[str]
    """`current`, `tag:<name>` or a version's id."""
    v: NotRequired[int]
    """A version's number; wins over version."""
    params: NotRequired[Mapping[str, Any]]
    """Input values, by the task's params schema."""
    reference: NotRequired[str]
    """Your own name for it."""
    metadata: NotRequired[Mapping[str, Any]]
    """At most 8192 bytes of JSON and 50 keys; each value at most 500 characters; no key starts with
    `_service.`.
    """
    callback_url: NotRequired[str | None]
    """Where callbacks are sent; null: nowhere."""
    callback_events: NotRequired[Sequence[KnownExecutionEventType] | None]
    """The event types to send; all unless given."""
    scheduled_at: NotRequired[str | None]
    """Not to start before."""
    priority: NotRequired[int]
    """Higher runs first; 0 unless given."""
    hold: NotRequired[bool]
    """Accept as pending, to be queued by a release."""
    expires_at: NotRequired[str | None]
    """Cancelled if not started by then."""
    timeout_seconds: NotRequired[int | None]
    """Longest run once started; the task's own unless given."""
    concurrency_key: NotRequired[str | None]
    """Executions of one key of the account share its limit, whatever their task and agent. Required
    with a limit or a policy.
    """
    concurrency_limit: NotRequired[int]
    """Only beside `concurrency_key`. This one is not handed out while so many of its key are at
    work; 1 unless given.
    """
    concurrency_policy: NotRequired[Literal["queue", "reject", "cancel_running"]]
    """Only beside `concurrency_key`. While the limit is reached: `queue`, unless given, waits,
    `reject` is refused with 409, `cancel_running` goes first. As soon as it is due, it cancels
    the unfinished executions of the key that are older, all but the newest `concurrency_limit -
    1`: at work, waiting, between attempts, held or awaiting input.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionCreated:
    """The execution was accepted."""

    execution_id: str
    status: Literal["queued", "pending"] | str
    reference: str
    metadata: dict[str, Any]
    task_id: str
    task_version_id: str
    scheduled_at: str | None
    priority: int
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionReplayed:
    """An equal request under the same key had made it before."""

    execution_id: str
    status: KnownExecutionStatus | str
    """The execution's present status."""
    idempotent_replay: Literal[True]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldCreate:
    """The request is valid; nothing was stored."""

    would_create: Literal[True]
    status: Literal["would_create"]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class BatchItem(TypedDict):
    """One request of several to queue an execution."""

    agent_id: str
    """The agent that executes the run."""
    task_id: NotRequired[str]
    """The task to run; this or task_version_id."""
    task_version_id: NotRequired[str]
    """A specific version; wins over v and version."""
    version: NotRequired[str]
    """`current`, `tag:<name>` or a version's id."""
    v: NotRequired[int]
    """A version's number; wins over version."""
    params: NotRequired[Mapping[str, Any]]
    """Input values, by the task's params schema."""
    reference: NotRequired[str]
    """Your own name for it."""
    metadata: NotRequired[Mapping[str, Any]]
    """At most 8192 bytes of JSON and 50 keys; each value at most 500 characters; no key starts with
    `_service.`.
    """
    callback_url: NotRequired[str | None]
    """Where callbacks are sent; null: nowhere."""
    callback_events: NotRequired[Sequence[KnownExecutionEventType] | None]
    """The event types to send; all unless given."""
    scheduled_at: NotRequired[str | None]
    """Not to start before."""
    priority: NotRequired[int]
    """Higher runs first; 0 unless given."""
    hold: NotRequired[bool]
    """Accept as pending, to be queued by a release."""
    expires_at: NotRequired[str | None]
    """Cancelled if not started by then."""
    timeout_seconds: NotRequired[int | None]
    """Longest run once started; the task's own unless given."""
    concurrency_key: NotRequired[str | None]
    """Executions of one key of the account share its limit, whatever their task and agent. Required
    with a limit or a policy.
    """
    concurrency_limit: NotRequired[int]
    """Only beside `concurrency_key`. This one is not handed out while so many of its key are at
    work; 1 unless given.
    """
    concurrency_policy: NotRequired[Literal["queue", "reject", "cancel_running"]]
    """Only beside `concurrency_key`. While the limit is reached: `queue`, unless given, waits,
    `reject` is refused with 409, `cancel_running` goes first. As soon as it is due, it cancels
    the unfinished executions of the key that are older, all but the newest `concurrency_limit -
    1`: at work, waiting, between attempts, held or awaiting input.
    """
    idempotency_key: NotRequired[str]
    """As the header `Idempotency-Key` of a single create."""


class CreateExecutions(TypedDict):
    """Requests to queue executions."""

    items: Sequence[BatchItem]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorObject:
    """What is wrong, for programs and for people."""

    code: KnownErrorCode | str
    message: str
    """Human-readable description."""
    details: Any
    """Extra information, null when there is none."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItemAnswer:
    """What a single create would have answered: the execution, or the error."""

    index: int
    """Its place among the items, from 0."""
    status: int
    """The status with which a single create would be answered."""
    execution: ExecutionCreated | ExecutionReplayed | None = None
    error: ErrorObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionsCreated:
    """An answer to each item, in their order."""

    data: list[BatchItemAnswer]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class ExecutionFilter(TypedDict):
    """Which executions a list wants; all of the account unless given."""

    status: NotRequired[KnownExecutionStatus | Sequence[KnownExecutionStatus]]
    """May be repeated."""
    task_id: NotRequired[str]
    agent_id: NotRequired[str]
    reference: NotRequired[str]
    schedule_id: NotRequired[str]
    """Made for this schedule."""
    from_: NotRequired[str]
    """Created at or after."""
    to: NotRequired[str]
    """Created at or before."""
    cursor: NotRequired[str]
    """next_cursor of the previous page."""
    limit: NotRequired[int]
    """The most items on the page; 50 unless given. A page of large items ends early, and so does
    one by a filter that few match: next_cursor alone says whether there is more.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRequestSummary:
    """The question the work is waiting on."""

    input_id: str
    prompt: str
    schema: dict[str, Any]
    """JSON Schema of the answer."""
    expires_at: str


KnownExecutionStatus: TypeAlias = Literal[
    "pending",
    "queued",
    "running",
    "awaiting_input",
    "completed",
    "cancelled",
    "aborted",
    "error",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """An execution as lists show it."""

    id: str
    status: KnownExecutionStatus | str
    status_reason: str | None
    """Why it was stopped, if a reason was given."""
    task_id: str
    task_version_id: str
    agent_id: str
    reference: str
    """The caller's own name; the execution's id when none was given."""
    metadata: dict[str, Any]
    params: dict[str, Any]
    """As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`.
    """
    result: dict[str, Any] | None
    """What the work produced; null unless completed."""
    error_message: str | None
    """Null unless the run has failed."""
    started_at: str | None
    stopped_at: str | None
    created_at: str
    updated_at: str
    scheduled_at: str | None
    """Deferred start; null when not deferred."""
    priority: int
    attempt: int
    """How often the work has been started."""
    input_request: InputRequestSummary | None
    rerun_of: str | None
    schedule_id: str | None
    """The schedule that it was made for."""
    concurrency_key: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileArtifact:
    """A file the run captured."""

    id: str
    file_name: str
    content_type: str
    size_bytes: int
    url: str
    """Stable link, opened with the same key; redirects to a signed URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionDetail:
    """An execution with the files it captured."""

    execution_id: str
    status: KnownExecutionStatus | str
    status_reason: str | None
    """Why it was stopped, if a reason was given."""
    task_id: str
    task_version_id: str
    agent_id: str
    reference: str
    """The caller's own name; the execution's id when none was given."""
    metadata: dict[str, Any]
    params: dict[str, Any]
    """As given at creation, with `"[secret]"` in place of what the schema marks `writeOnly: true`.
    """
    result: dict[str, Any] | None
    """What the work produced; null unless completed."""
    error_message: str | None
    """Null unless the run has failed."""
    started_at: str | None
    stopped_at: str | None
    created_at: str
    updated_at: str
    scheduled_at: str | None
    """Deferred start; null when not deferred."""
    priority: int
    attempt: int
    """How often the work has been started."""
    input_request: InputRequestSummary | None
    rerun_of: str | None
    schedule_id: str | None
    """The schedule that it was made for."""
    concurrency_key: str | None
    downloads: list[FileArtifact]
    prints: list[FileArtifact]
    screenshots: list[FileArtifact]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class CancelExecution(TypedDict):
    """Why an execution is stopped."""

    reason: NotRequired[str]
    """Kept as status_reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionCancelled:
    """The execution as it is now."""

    execution_id: str
    status: KnownExecutionStatus | str
    already_finished: Literal[True] | None = None
    """Present if it was already finished."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class CancelFilter(TypedDict):
    """Which executions, as a list of them is filtered. An empty one means all that are not
    finished.
    """

    status: NotRequired[Sequence[KnownExecutionStatus]]
    """All that are not finished unless given. Finished ones match nothing."""
    task_id: NotRequired[str]
    agent_id: NotRequired[str]
    reference: NotRequired[str]
    schedule_id: NotRequired[str]
    """Made for this schedule."""
    from_: NotRequired[str]
    """Created at or after."""
    to: NotRequired[str]
    """Created at or before."""


class CancelExecutions(TypedDict):
    """Which executions are to be stopped, and why."""

    filter: CancelFilter
    reason: NotRequired[str]
    """Kept as status_reason."""
    dry_run: NotRequired[bool]
    """Answer how many match, and cancel nothing. False unless given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelBegun:
    """A job has begun to cancel what matches."""

    job_id: str
    matched: int | None
    """How many match now; null if more than 100,000 executions are unfinished."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelRepeated:
    """An equal request under the same key had begun the job before."""

    job_id: str
    matched: int | None
    """How many matched when it began."""
    idempotent_replay: Literal[True]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldCancel:
    """What a job would do. Nothing has been changed."""

    job_id: str | None
    """Null: there is no job."""
    matched: int | None
    """How many match now; null if more than 100,000 executions are unfinished."""
    dry_run: Literal[True]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedCancelFilter:
    """As requested; null for any."""

    status: list[KnownExecutionStatus | str] | None
    task_id: str | None
    agent_id: str | None
    reference: str | None
    schedule_id: str | None
    from_: str | None
    to: str | None


KnownJobStatus: TypeAlias = Literal["running", "completed", "cancelled"]
"""`cancelled`: the job itself was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelJob:
    """A job that cancels executions."""

    job_id: str
    status: KnownJobStatus | str
    """`cancelled`: the job itself was stopped."""
    matched: int | None
    """How many matched when it began; null if there were too many to count."""
    cancelled: int
    """Executions that it has cancelled so far."""
    skipped: int
    """Those that had ended or changed a moment before it reached them."""
    failed: int
    """Those that it could not cancel: look at them one by one."""
    reason: str | None
    filter: AcceptedCancelFilter
    created_at: str
    """Executions created after this are not touched."""
    updated_at: str
    finished_at: str | None
    """Null while it runs; the job is removed 30 days later."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionMoved:
    """The execution as it is now."""

    execution_id: str
    status: KnownExecutionStatus | str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class RerunExecution(TypedDict):
    """How an execution is run again."""

    version: NotRequired[Literal["same", "current"]]
    """The task version it had, or the task's current one; `same` unless given."""
    params: NotRequired[Mapping[str, Any]]
    """In place of the original ones. `"[secret]"` in the place of a secret means the original's:
    for the key that gave it, for members and operators, and for all others beside the params of
    the original as they are shown.
    """


class RescheduleExecution(TypedDict):
    """What to change; missing fields stay as they are."""

    scheduled_at: NotRequired[str | None]
    """Not to start before then; null or a moment in the past means now."""
    priority: NotRequired[int]
    expires_at: NotRequired[str | None]
    """Cancelled if not started by then; null: never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionRescheduled:
    """The execution as it is now."""

    execution_id: str
    status: KnownExecutionStatus | str
    scheduled_at: str | None
    priority: int
    expires_at: str | None
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class HistoryQuery(TypedDict):
    """Which changes of an execution, and how long to wait for one."""

    after: NotRequired[int]
    """The number of the last one that the caller has; from the first unless given."""
    cursor: NotRequired[str]
    """next_cursor of the previous page."""
    limit: NotRequired[int]
    """The most items on the page; 50 unless given. A page of large items ends early, and so does
    one by a filter that few match: next_cursor alone says whether there is more.
    """
    wait: NotRequired[int]
    """Seconds to wait for something new; none unless given."""


KnownHistoryEventType: TypeAlias = Literal[
    "created",
    "released",
    "claimed",
    "given_back",
    "started",
    "input_requested",
    "input_answered",
    "requeued",
    "rescheduled",
    "completed",
    "failed",
    "cancelled",
    "aborted",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionHistoryEvent:
    """One change of an execution."""

    sequence: int
    """Counted from 1 without gaps."""
    type: KnownHistoryEventType | str
    at: str
    status: KnownExecutionStatus | str
    """After the change."""
    attempt: int
    """How often the work had been started."""
    data: Any
    """Details: a reason, an error, a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionHistory:
    """Changes, oldest first."""

    data: list[ExecutionHistoryEvent]
    next_cursor: str | None
    """Where the next page begins; null on the last page."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionLogLine:
    """One line of the log of an execution."""

    sequence: int
    """Counted from 1. The oldest lines of a long log are gone."""
    at: str
    level: Literal["debug", "info", "warn", "error"] | str
    message: str
    attempt: int
    """The attempt that wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionLog:
    """Lines of the log, oldest first."""

    data: list[ExecutionLogLine]
    next_cursor: str | None
    """Where the next page begins; null on the last page."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


KnownBlockKind: TypeAlias = Literal[
    "held",
    "not_before",
    "agent_paused",
    "agent_disabled",
    "no_runner",
    "runners_draining",
    "agent_capacity",
    "concurrency_key",
    "queue",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionBlock:
    """One obstacle to the start of an execution."""

    kind: KnownBlockKind | str
    id: str
    """Of the waiting execution itself if the kind is `held`, `not_before` or `concurrency_key`; of
    its agent if it is another.
    """
    key: str | None
    """The concurrency key, if the kind is `concurrency_key`; otherwise null."""
    limit: int | None
    """The most that may be at work at once: for the key, or at the agent."""
    current: int | None
    """How many there are now."""


KnownWaitState: TypeAlias = Literal[
    "held",
    "scheduled",
    "waiting",
    "claimed",
    "started",
    "finished",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionExplained:
    """Why an execution has not started."""

    execution_id: str
    state: KnownWaitState | str
    position: int | None
    """Its place in the queue of its agent, from 1; null when it is not in the queue, or behind 1000
    others.
    """
    blocked_by: list[ExecutionBlock]
    runners_online: int
    not_before: str | None
    expires_at: str | None
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionEvidence:
    """A signed statement of what ran."""

    evidence: str
    """A compact JSON Web Signature by Ed25519 (`alg` is `EdDSA`) of an `EvidenceManifest`. Its
    `kid` names a key of /.well-known/runhook/jwks.json.
    """
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoArtifact:
    """A video of the session."""

    platform_id: str | None
    handler: str | None
    started_offset_ms: int | None
    storage_key: str
    signed_url: str | None
    """Opens without a key until it expires."""
    expires_in_seconds: int
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionArtifacts:
    """Everything the run captured."""

    execution_id: str
    status: KnownExecutionStatus | str
    started_at: str | None
    stopped_at: str | None
    videos: list[VideoArtifact]
    downloads: list[FileArtifact]
    prints: list[FileArtifact]
    screenshots: list[FileArtifact]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


InputMode: TypeAlias = Literal["hold", "release"]


InputTimeout: TypeAlias = Literal["error", "cancel", "default"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRequest:
    """A question that the work asked."""

    input_id: str
    input_key: str
    prompt: str
    schema: dict[str, Any]
    """JSON Schema of the answer."""
    mode: InputMode | str
    on_timeout: InputTimeout | str
    asked_at: str
    expires_at: str
    answered_at: str | None
    value: Any
    """The answer; null until answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputList:
    """Every question, oldest first."""

    data: list[InputRequest]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class AnswerInput(TypedDict):
    """The answer, by the question's schema."""

    value: Any
    """By the question's schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputAnswered:
    """The answer was taken."""

    execution_id: str
    input_id: str
    status: KnownExecutionStatus | str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledExecution:
    """What each due time creates: a body of POST /executions."""

    agent_id: str
    task_id: str | None = None
    task_version_id: str | None = None
    version: str | None = None
    v: int | None = None
    params: dict[str, Any]
    reference: str | None = None
    metadata: dict[str, Any]
    callback_url: str | None
    callback_events: list[KnownExecutionEventType | str] | None
    priority: int
    hold: bool
    timeout_seconds: int | None
    concurrency_key: str | None
    concurrency_limit: int | None = None
    concurrency_policy: Literal["queue", "reject", "cancel_running"] | str | None = None


KnownErrorCode: TypeAlias = Literal[
    "invalid_request",
    "unauthorized",
    "forbidden",
    "not_found",
    "idempotency_conflict",
    "invalid_params",
    "rate_limited",
    "concurrency_limit_reached",
    "internal_error",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCreate:
    """What a create would have answered."""

    code: KnownErrorCode | str
    message: str
    details: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class LastDue:
    """What came of a due time."""

    at: str
    """The due time."""
    execution_id: str | None
    """What it created; null if it created nothing."""
    outcome: Literal["created", "skipped", "missed", "refused"] | str
    """`created`; `skipped` since an earlier execution was unfinished; `missed`; or `refused`, as a
    create would have been.
    """
    error: RefusedCreate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A request for an execution that is made again and again."""

    id: str
    name: str
    key_id: str
    """The key that creates its executions: within its tasks, agents and limits, signed with its
    secret.
    """
    cron: str | None
    time_zone: str | None
    every_seconds: int | None
    starts_at: str | None
    """No due time is earlier."""
    ends_at: str | None
    """No due time is later."""
    overlap: Literal["allow", "skip", "cancel_running"] | str
    """What a due time does while an earlier execution of the schedule is unfinished: begin another,
    skip itself, or cancel the other.
    """
    missed: Literal["skip", "last", "all"] | str
    """Which due times are made up for that are more than 60 seconds late, as after an outage: none,
    one for all, or the last 100.
    """
    jitter_seconds: int
    enabled: bool
    """Whether it is due at all. It becomes false by itself when its key is revoked or expires."""
    execution: ScheduledExecution
    next_at: list[str]
    """The next due times, five at most, without jitter; none during a pause."""
    last: LastDue | None
    created_at: str
    updated_at: str


class CreateSchedule(TypedDict):
    """A request for an execution, and when it is made again and again."""

    name: str
    cron: NotRequired[str | None]
    """Minute, hour, day of month, month, day of week, in the time zone; or give every_seconds.
    null: not given.
    """
    time_zone: NotRequired[str | None]
    """A name of the time zone database, such as Europe/Berlin; given with cron. null: not given.
    """
    every_seconds: NotRequired[int | None]
    """Seconds between due times, counted from starts_at, or else from when this value was given
    first. null: not given.
    """
    starts_at: NotRequired[str | None]
    """No due time is earlier."""
    ends_at: NotRequired[str | None]
    """No due time is later."""
    overlap: NotRequired[Literal["allow", "skip", "cancel_running"]]
    """`allow` unless given."""
    missed: NotRequired[Literal["skip", "last", "all"]]
    """`last` unless given."""
    jitter_seconds: NotRequired[int]
    """0 unless given."""
    enabled: NotRequired[bool]
    """true unless given."""
    execution: CreateExecution


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleDetail:
    """A schedule."""

    id: str
    name: str
    key_id: str
    """The key that creates its executions: within its tasks, agents and limits, signed with its
    secret.
    """
    cron: str | None
    time_zone: str | None
    every_seconds: int | None
    starts_at: str | None
    """No due time is earlier."""
    ends_at: str | None
    """No due time is later."""
    overlap: Literal["allow", "skip", "cancel_running"] | str
    """What a due time does while an earlier execution of the schedule is unfinished: begin another,
    skip itself, or cancel the other.
    """
    missed: Literal["skip", "last", "all"] | str
    """Which due times are made up for that are more than 60 seconds late, as after an outage: none,
    one for all, or the last 100.
    """
    jitter_seconds: int
    enabled: bool
    """Whether it is due at all. It becomes false by itself when its key is revoked or expires."""
    execution: ScheduledExecution
    next_at: list[str]
    """The next due times, five at most, without jitter; none during a pause."""
    last: LastDue | None
    created_at: str
    updated_at: str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class UpdateSchedule(TypedDict):
    """What is to change. With other times, or enabled again, it goes on with the first due time
    from then. A value that it has already changes nothing. Who changes anything but its name,
    other than by a pause, takes it over by their key, which must be allowed to create what it
    asks for.
    """

    name: NotRequired[str]
    cron: NotRequired[str | None]
    """Minute, hour, day of month, month, day of week, in the time zone; or give every_seconds.
    null: not given.
    """
    time_zone: NotRequired[str | None]
    """A name of the time zone database, such as Europe/Berlin; given with cron. null: not given.
    """
    every_seconds: NotRequired[int | None]
    """Seconds between due times, counted from starts_at, or else from when this value was given
    first. null: not given.
    """
    starts_at: NotRequired[str | None]
    """No due time is earlier."""
    ends_at: NotRequired[str | None]
    """No due time is later."""
    overlap: NotRequired[Literal["allow", "skip", "cancel_running"]]
    """What a due time does while an earlier execution of the schedule is unfinished: begin another,
    skip itself, or cancel the other.
    """
    missed: NotRequired[Literal["skip", "last", "all"]]
    """Which due times are made up for that are more than 60 seconds late, as after an outage: none,
    one for all, or the last 100.
    """
    jitter_seconds: NotRequired[int]
    """Each due time is created up to so much later, always by the same part of it."""
    enabled: NotRequired[bool]
    """Whether it is due at all: false is a pause."""
    execution: NotRequired[CreateExecution]


class TriggerSchedule(TypedDict):
    """How this one execution differs."""

    params: NotRequired[Mapping[str, Any]]
    """In place of those of the schedule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleTriggered:
    """The execution that was created."""

    schedule_id: str
    execution_id: str
    status: KnownExecutionStatus | str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class TaskFilter(TypedDict):
    """Which tasks a list wants."""

    q: NotRequired[str]
    """A part of the slug or name."""
    tag: NotRequired[str]
    """Only tasks with a version of this tag."""
    cursor: NotRequired[str]
    """next_cursor of the previous page."""
    limit: NotRequired[int]
    """The most items on the page; 50 unless given. A page of large items ends early, and so does
    one by a filter that few match: next_cursor alone says whether there is more.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """A system the task works on."""

    platform_id: str
    name: str
    handler: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskVersion:
    """One published version of a task, which never changes."""

    id: str
    number: int
    tags: list[str]
    published_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task as lists show it."""

    id: str
    slug: str
    name: str
    description: str
    platforms: list[Platform]
    current_version: TaskVersion | None
    latest_version: TaskVersion | None
    tags: dict[str, str]
    """Which version each tag names."""
    enabled: bool
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """What happens after a failure that its runner calls retryable, or when a runner is lost."""

    max_attempts: int
    """How often the work may be started in all."""
    initial_seconds: float
    """The wait before the second attempt."""
    factor: float
    """What each further wait is multiplied by."""
    max_seconds: float
    """The longest wait."""
    jitter: float
    """The share by which a wait may be longer or shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDetail:
    """A task with its policies."""

    id: str
    slug: str
    name: str
    description: str
    platforms: list[Platform]
    current_version: TaskVersion | None
    latest_version: TaskVersion | None
    tags: dict[str, str]
    """Which version each tag names."""
    enabled: bool
    created_at: str
    updated_at: str
    params_schema_url: str
    result_schema: dict[str, Any] | None
    timeout_seconds: int | None
    """Longest run once started; null for no limit."""
    retry: RetryPolicy
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class VersionQuery(TypedDict):
    """Which version of a task; the current one unless given."""

    v: NotRequired[int]
    """A version's number; wins over version."""
    version: NotRequired[str]
    """`current`, `tag:<name>` or a version's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamsSchema:
    """The JSON Schema of a version's params."""

    task_id: str
    task_version_id: str
    version_number: int
    schema: dict[str, Any]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class PageQuery(TypedDict):
    """What chooses a page of a list."""

    cursor: NotRequired[str]
    """next_cursor of the previous page."""
    limit: NotRequired[int]
    """The most items on the page; 50 unless given. A page of large items ends early, and so does
    one by a filter that few match: next_cursor alone says whether there is more.
    """


KnownAgentStatus: TypeAlias = Literal["online", "offline", "draining", "paused", "disabled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent with its load and its runners."""

    id: str
    name: str
    description: str
    status: KnownAgentStatus | str
    labels: dict[str, str]
    capacity: int
    """Executions it runs at once."""
    busy: int
    """Executions it runs now."""
    queued: int
    """Executions waiting for it."""
    runners: int
    """Runners that serve it and are present."""
    last_seen_at: str | None
    """When a runner that serves it was last heard from, to about ten seconds."""
    created_at: str
    updated_at: str


class TestWebhook(TypedDict):
    callback_url: str
    """Where the test is sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestWebhookQueued:
    """The test event is queued for delivery."""

    event_id: str
    delivery_id: str
    status: Literal["queued"]
    callback_url: str
    waiting_for: KnownWaitingFor | str | None
    """What it waits for: the back-off after a failed attempt, a receiver that keeps failing
    (breaker_open) or that asked for a pause, an earlier event of its execution, or the attempt
    in flight. Null if it is due now, or settled.
    """
    next_attempt_at: str | None
    """When it is sent next; while it is being sent, when that attempt counts as lost. Null once
    settled.
    """
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


KnownAnswerClass: TypeAlias = Literal["2xx", "3xx", "4xx", "5xx", "none"]
"""What the latest attempt was answered; `none` when it failed without an answer."""


class DeliveryFilter(TypedDict):
    """What a list of deliveries is narrowed down by."""

    type: NotRequired[KnownDeliveryEventType]
    execution_id: NotRequired[str]
    endpoint_id: NotRequired[str]
    """The standing endpoint that they are for."""
    answer: NotRequired[KnownAnswerClass]
    """The answer to the latest attempt; none if it failed without one."""
    cause: NotRequired[KnownDeliveryCause]
    """Why the latest attempt failed."""
    url_origin: NotRequired[str]
    """The origin of the callback URL, as in https://hooks.example.com."""
    q: NotRequired[str]
    """A part of the event type or URL, or an id."""
    from_: NotRequired[str]
    """Created at or after."""
    to: NotRequired[str]
    """Created at or before."""
    status: NotRequired[KnownDeliveryState | Sequence[KnownDeliveryState]]
    """May be repeated."""
    cursor: NotRequired[str]
    """next_cursor of the previous page."""
    limit: NotRequired[int]
    """The most items on the page; 50 unless given. A page of large items ends early, and so does
    one by a filter that few match: next_cursor alone says whether there is more.
    """


KnownDeliveryEventType: TypeAlias = Literal[
    "execution.queued",
    "execution.started",
    "execution.completed",
    "execution.failed",
    "execution.aborted",
    "webhook.test",
]


KnownDeliveryState: TypeAlias = Literal["pending", "delivered", "dead", "cancelled"]


KnownWaitingFor: TypeAlias = Literal[
    "backoff",
    "breaker_open",
    "earlier_event",
    "paused",
    "sending",
]


KnownDeliveryCause: TypeAlias = Literal[
    "unauthorized",
    "not_found",
    "not_accepted",
    "redirected",
    "too_large",
    "bad_request",
    "rate_limited",
    "server_error",
    "dns",
    "connect_refused",
    "connect_timeout",
    "connect_failed",
    "tls_expired",
    "tls_wrong_host",
    "tls_untrusted",
    "tls_failed",
    "no_answer",
    "broken_off",
    "blocked",
    "send_failed",
    "invalid_answer",
    "expired",
]
"""Why the latest attempt failed; `expired`: given up without an attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The delivery of one event to one URL."""

    id: str
    event_id: str
    """The same on every attempt and replay."""
    type: KnownDeliveryEventType | str
    state: KnownDeliveryState | str
    callback_url: str
    execution_id: str | None
    """Null for a test."""
    endpoint_id: str | None
    """The standing endpoint that it is for; null for the callback of an execution."""
    key_id: str | None
    """Null for an endpoint of the whole account."""
    reference: str | None
    attempts: int
    """Attempts of the present round."""
    round: int
    """Rises with each replay."""
    waiting_for: KnownWaitingFor | str | None
    """What it waits for: the back-off after a failed attempt, a receiver that keeps failing
    (breaker_open) or that asked for a pause, an earlier event of its execution, or the attempt
    in flight. Null if it is due now, or settled.
    """
    next_attempt_at: str | None
    """When it is sent next; while it is being sent, when that attempt counts as lost. Null once
    settled.
    """
    expires_at: str
    last_status: int | None
    last_error: str | None
    last_cause: KnownDeliveryCause | str | None
    """Why the latest attempt failed, in words that stay the same; expired if it was given up
    without an attempt. Null after a success, and before the first attempt.
    """
    created_at: str
    settled_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRequest:
    """As it was sent, signatures included."""

    headers: dict[str, str]
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryResponse:
    """What the receiver answered."""

    status: int
    headers: dict[str, str]
    body: str | None
    truncated: bool
    """Whether there was more of the body than is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptTimings:
    """How long the parts of an attempt took, in milliseconds; null for what it did not come to or
    did not need.
    """

    dns: int | None
    connect: int | None
    tls: int | None
    headers: int | None
    body: int | None


KnownAttemptPhase: TypeAlias = Literal[
    "policy",
    "dns",
    "connect",
    "request",
    "headers",
    "body",
    "done",
]
"""How far it got."""


KnownAttemptCause: TypeAlias = Literal[
    "unauthorized",
    "not_found",
    "not_accepted",
    "redirected",
    "too_large",
    "bad_request",
    "rate_limited",
    "server_error",
    "dns",
    "connect_refused",
    "connect_timeout",
    "connect_failed",
    "tls_expired",
    "tls_wrong_host",
    "tls_untrusted",
    "tls_failed",
    "no_answer",
    "broken_off",
    "blocked",
    "send_failed",
    "invalid_answer",
]
"""Why an attempt failed: by the status of the answer, or by what kept it from being one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """One request to the receiver."""

    round: int
    number: int
    """Counts up from 1 within the round."""
    started_at: str
    duration_ms: int
    timings_ms: AttemptTimings
    """How long each part took; null for a part that was not reached or not needed, such as a
    connection that was still open.
    """
    phase: KnownAttemptPhase | str
    """How far it got."""
    error: str | None
    """What went wrong; null after a success."""
    cause: KnownAttemptCause | str | None
    """Why it failed, in words that stay the same; null after a success."""
    remote_address: str | None
    request: DeliveryRequest | None
    """Null when nothing was sent."""
    response: DeliveryResponse | None
    """Null when no answer began to arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryDetail:
    """A delivery with its payload and attempts."""

    id: str
    event_id: str
    """The same on every attempt and replay."""
    type: KnownDeliveryEventType | str
    state: KnownDeliveryState | str
    callback_url: str
    execution_id: str | None
    """Null for a test."""
    endpoint_id: str | None
    """The standing endpoint that it is for; null for the callback of an execution."""
    key_id: str | None
    """Null for an endpoint of the whole account."""
    reference: str | None
    attempts: int
    """Attempts of the present round."""
    round: int
    """Rises with each replay."""
    waiting_for: KnownWaitingFor | str | None
    """What it waits for: the back-off after a failed attempt, a receiver that keeps failing
    (breaker_open) or that asked for a pause, an earlier event of its execution, or the attempt
    in flight. Null if it is due now, or settled.
    """
    next_attempt_at: str | None
    """When it is sent next; while it is being sent, when that attempt counts as lost. Null once
    settled.
    """
    expires_at: str
    last_status: int | None
    last_error: str | None
    last_cause: KnownDeliveryCause | str | None
    """Why the latest attempt failed, in words that stay the same; expired if it was given up
    without an attempt. Null after a success, and before the first attempt.
    """
    created_at: str
    settled_at: str | None
    payload: str
    """The exact body that is signed and sent."""
    attempts_log: list[DeliveryAttempt]
    """The latest attempts, oldest first: at most 100, fewer if the body is large."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryReplayed:
    """The delivery is due again."""

    id: str
    state: KnownDeliveryState | str
    round: int
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


KnownReplayableState: TypeAlias = Literal["dead", "delivered", "cancelled"]


class ReplayDeliveries(TypedDict):
    """Which of the settled deliveries; all dead ones unless given."""

    type: NotRequired[KnownDeliveryEventType]
    execution_id: NotRequired[str]
    endpoint_id: NotRequired[str]
    """The standing endpoint that they are for."""
    answer: NotRequired[KnownAnswerClass]
    """The answer to the latest attempt; none if it failed without one."""
    cause: NotRequired[KnownDeliveryCause]
    """Why the latest attempt failed."""
    url_origin: NotRequired[str]
    """The origin of the callback URL, as in https://hooks.example.com."""
    q: NotRequired[str]
    """A part of the event type or URL, or an id."""
    from_: NotRequired[str]
    """Created at or after."""
    to: NotRequired[str]
    """Created at or before."""
    status: NotRequired[Sequence[KnownReplayableState]]
    """States to replay; only dead unless given."""
    ids: NotRequired[Sequence[str]]
    """Only these, if they match: at most 200."""
    last_only: NotRequired[bool]
    """Leave out events that a later one of their execution follows, however that one fared. False
    unless given.
    """
    dry_run: NotRequired[bool]
    """Answer what would be replayed, and replay nothing. False unless given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayFilter:
    """As requested; null for any."""

    status: list[KnownReplayableState | str]
    type: KnownDeliveryEventType | str | None
    execution_id: str | None
    endpoint_id: str | None
    key_id: str | None
    answer: KnownAnswerClass | str | None
    cause: KnownDeliveryCause | str | None
    url_origin: str | None
    q: str | None
    from_: str | None
    to: str | None
    ids: list[str] | None
    last_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A job that sends settled deliveries again."""

    id: str
    status: KnownJobStatus | str
    expected: int | None
    """How many it would replay, counted when it began; null if there were too many to count."""
    replayed: int
    """Deliveries that it has made due again so far."""
    delivered: int
    """Of them, those that have arrived."""
    failed: int
    """Of them, those that were given up again."""
    waiting: int
    """Of them, those that are still being delivered."""
    filter: ReplayFilter
    created_at: str
    """Deliveries settled after this are not replayed."""
    updated_at: str
    finished_at: str | None
    """Null while it runs; the job is removed 30 days later."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldReplayOrigin:
    origin: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldReplay:
    """What a replay would do. Nothing has been changed."""

    would_replay: int
    """Deliveries that match. The count stops at 10000, or after looking at 100000."""
    is_more: bool
    """Whether there may be more than were counted."""
    origins: list[WouldReplayOrigin]
    """The receivers that get the most of them, at most 20."""
    types: dict[str, int]
    """How many of each event type."""
    oldest_at: str | None
    """When the oldest of those counted was made."""
    newest_at: str | None
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayJob:
    """A job that sends settled deliveries again."""

    id: str
    status: KnownJobStatus | str
    expected: int | None
    """How many it would replay, counted when it began; null if there were too many to count."""
    replayed: int
    """Deliveries that it has made due again so far."""
    delivered: int
    """Of them, those that have arrived."""
    failed: int
    """Of them, those that were given up again."""
    waiting: int
    """Of them, those that are still being delivered."""
    filter: ReplayFilter
    created_at: str
    """Deliveries settled after this are not replayed."""
    updated_at: str
    finished_at: str | None
    """Null while it runs; the job is removed 30 days later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """A receiver of the events of many executions."""

    id: str
    kind: Literal["push", "poll"] | str
    url: str | None
    """Null for poll."""
    description: str
    event_types: list[KnownExecutionEventType | str] | None
    """Which events it gets; null: all."""
    task_ids: list[str] | None
    """Of which tasks; null: all that its key may run."""
    agent_ids: list[str] | None
    """On which agents; null: all that its key may use."""
    enabled: bool
    """Events that happen while it is false are never told to it. What waits already is still
    delivered.
    """
    key_id: str | None
    """The key that made it, whose tasks and agents bound what it is told; null: all of the account.
    """
    remove_after_seconds: int | None
    previous_expires_at: str | None
    """Until when the signing secret before the present one signs as well."""
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointList:
    """All of them, oldest first: at most 20."""

    data: list[WebhookEndpoint]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class CreateWebhookEndpoint(TypedDict):
    """It is enabled and gets all events unless given."""

    kind: Literal["push", "poll"]
    """push: events are sent to `url`. poll: they are fetched as messages and acknowledged."""
    url: NotRequired[str]
    """Where events are sent, for push alone; under the rules of callback_url."""
    description: NotRequired[str]
    event_types: NotRequired[Sequence[KnownExecutionEventType] | None]
    """Which events it gets; null: all."""
    task_ids: NotRequired[Sequence[str] | None]
    """Of which tasks; null: all that its key may run."""
    agent_ids: NotRequired[Sequence[str] | None]
    """On which agents; null: all that its key may use."""
    enabled: NotRequired[bool]
    """Events that happen while it is false are never told to it. What waits already is still
    delivered.
    """
    remove_after_seconds: NotRequired[int | None]
    """For poll alone: it is removed when nobody has fetched from it for so long, give or take an
    hour; null: never.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointCreated:
    """The endpoint, with its signing secret, shown this once."""

    id: str
    kind: Literal["push", "poll"] | str
    url: str | None
    """Null for poll."""
    description: str
    event_types: list[KnownExecutionEventType | str] | None
    """Which events it gets; null: all."""
    task_ids: list[str] | None
    """Of which tasks; null: all that its key may run."""
    agent_ids: list[str] | None
    """On which agents; null: all that its key may use."""
    enabled: bool
    """Events that happen while it is false are never told to it. What waits already is still
    delivered.
    """
    key_id: str | None
    """The key that made it, whose tasks and agents bound what it is told; null: all of the account.
    """
    remove_after_seconds: int | None
    previous_expires_at: str | None
    """Until when the signing secret before the present one signs as well."""
    created_at: str
    updated_at: str
    signing_secret: str
    """Verifies what it is sent."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpointDetail:
    """A receiver of the events of many executions."""

    id: str
    kind: Literal["push", "poll"] | str
    url: str | None
    """Null for poll."""
    description: str
    event_types: list[KnownExecutionEventType | str] | None
    """Which events it gets; null: all."""
    task_ids: list[str] | None
    """Of which tasks; null: all that its key may run."""
    agent_ids: list[str] | None
    """On which agents; null: all that its key may use."""
    enabled: bool
    """Events that happen while it is false are never told to it. What waits already is still
    delivered.
    """
    key_id: str | None
    """The key that made it, whose tasks and agents bound what it is told; null: all of the account.
    """
    remove_after_seconds: int | None
    previous_expires_at: str | None
    """Until when the signing secret before the present one signs as well."""
    created_at: str
    updated_at: str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class UpdateWebhookEndpoint(TypedDict):
    url: NotRequired[str | None]
    """For push alone. Events that wait already go where they were to go. null: not given."""
    description: NotRequired[str]
    event_types: NotRequired[Sequence[KnownExecutionEventType] | None]
    """Which events it gets; null: all."""
    task_ids: NotRequired[Sequence[str] | None]
    """Of which tasks; null: all that its key may run."""
    agent_ids: NotRequired[Sequence[str] | None]
    """On which agents; null: all that its key may use."""
    enabled: NotRequired[bool]
    """Events that happen while it is false are never told to it. What waits already is still
    delivered.
    """


class RotateEndpointSecret(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long the old secret signs the Standard Webhooks header as well; 86400 unless given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSecretRotated:
    """The new signing secret, shown this once."""

    signing_secret: str
    previous_expires_at: str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTested:
    """The test event is queued for the endpoint."""

    event_id: str
    delivery_id: str
    status: Literal["queued"]
    endpoint_id: str
    waiting_for: KnownWaitingFor | str | None
    """What it waits for: the back-off after a failed attempt, a receiver that keeps failing
    (breaker_open) or that asked for a pause, an earlier event of its execution, or the attempt
    in flight. Null if it is due now, or settled.
    """
    next_attempt_at: str | None
    """When it is sent next; while it is being sent, when that attempt counts as lost. Null once
    settled.
    """
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class FetchMessages(TypedDict):
    """How many messages to fetch, and how many seconds to wait for the first."""

    limit: NotRequired[int]
    """The most items on the page; 50 unless given. A page of large items ends early, and so does
    one by a filter that few match: next_cursor alone says whether there is more.
    """
    wait: NotRequired[int]
    """Seconds to wait for something new; none unless given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookMessage:
    """An event that was fetched in place of being sent."""

    message_id: str
    """The id of its event and of its delivery."""
    attempt: int
    """How often it was given out; dead after 12 times without an acknowledgement."""
    headers: dict[str, str]
    """As they would be sent, with timestamp and signatures of this moment."""
    body: str
    """The exact text that is signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookMessageList:
    """Messages in their order, yours for 60 seconds: those that are not acknowledged by then are
    given out again.
    """

    data: list[WebhookMessage]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class AcknowledgeMessages(TypedDict):
    message_ids: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesAcknowledged:
    """They are delivered, and not given out again."""

    acknowledged: int
    """How many of them were waiting for it. A repeat acknowledges nothing more."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Something that is wrong in an account, or was."""

    kind: Literal["dead_letters", "receiver_held", "no_runner", "failing_rate"] | str
    account_id: str
    account_name: str
    subject: str | None
    """The id of the agent or task, or the origin of the receiver; null for the account itself."""
    title: str
    detail: str
    advice: str
    """What to do."""
    count: int
    """Callbacks or executions that it is about. The count stops at 1000."""
    url: str | None
    """Where the Integrations page shows it; null without one."""
    since: str
    """When it began, as far as that is known."""
    opened_at: str
    closed_at: str | None
    """When it was over; null while it is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertList:
    """Those that are open first, each part newest first. An alert is shown for 7 days after its
    end.
    """

    data: list[Alert]
    is_more: bool
    """Whether there are more than are listed."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertTarget:
    """Somebody who is told of alerts."""

    id: str
    channel: Literal["webhook", "email"] | str
    address: str
    """The e-mail address, or the origin of the URL: its path may let others post to a chat."""
    kinds: list[Literal["dead_letters", "receiver_held", "no_runner", "failing_rate"] | str]
    """Which alerts it gets."""
    paused_until: str | None
    """Nothing is sent before. After that it is told what is still open; null: no pause."""
    failures: int
    """Messages in a row that were not taken."""
    last_error: str | None
    """Why the last one was not taken; null if it was, or if there was none."""
    last_sent_at: str | None
    """When it took a message last. Tests do not count."""
    next_attempt_at: str | None
    """The next message is sent then or later."""
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertTargetList:
    """All targets, oldest first: at most 10."""

    data: list[AlertTarget]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class CreateAlertTarget(TypedDict):
    """It gets all kinds of alerts unless given."""

    channel: Literal["webhook", "email"]
    address: str
    """The URL of the webhook, or one e-mail address."""
    kinds: NotRequired[Sequence[Literal["dead_letters", "receiver_held", "no_runner", "failing_rate"]]]
    """Which alerts it gets."""
    paused_until: NotRequired[str | None]
    """Nothing is sent before. After that it is told what is still open; null: no pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertTargetCreated:
    """The target, with its signing secret, shown this once."""

    id: str
    channel: Literal["webhook", "email"] | str
    address: str
    """The e-mail address, or the origin of the URL: its path may let others post to a chat."""
    kinds: list[Literal["dead_letters", "receiver_held", "no_runner", "failing_rate"] | str]
    """Which alerts it gets."""
    paused_until: str | None
    """Nothing is sent before. After that it is told what is still open; null: no pause."""
    failures: int
    """Messages in a row that were not taken."""
    last_error: str | None
    """Why the last one was not taken; null if it was, or if there was none."""
    last_sent_at: str | None
    """When it took a message last. Tests do not count."""
    next_attempt_at: str | None
    """The next message is sent then or later."""
    created_at: str
    updated_at: str
    signing_secret: str | None
    """Verifies the signatures of its webhooks; null for e-mail."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertTargetDetail:
    """Somebody who is told of alerts."""

    id: str
    channel: Literal["webhook", "email"] | str
    address: str
    """The e-mail address, or the origin of the URL: its path may let others post to a chat."""
    kinds: list[Literal["dead_letters", "receiver_held", "no_runner", "failing_rate"] | str]
    """Which alerts it gets."""
    paused_until: str | None
    """Nothing is sent before. After that it is told what is still open; null: no pause."""
    failures: int
    """Messages in a row that were not taken."""
    last_error: str | None
    """Why the last one was not taken; null if it was, or if there was none."""
    last_sent_at: str | None
    """When it took a message last. Tests do not count."""
    next_attempt_at: str | None
    """The next message is sent then or later."""
    created_at: str
    updated_at: str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class UpdateAlertTarget(TypedDict):
    kinds: NotRequired[Sequence[Literal["dead_letters", "receiver_held", "no_runner", "failing_rate"]]]
    """Which alerts it gets."""
    paused_until: NotRequired[str | None]
    """Nothing is sent before. After that it is told what is still open; null: no pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertTargetTested:
    """What came of a test."""

    taken: bool
    """Whether the receiver, or the mail server, took it."""
    error: str | None
    """Why not; null if it was taken."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """Requests a key may make: on average, and at once."""

    per_second: int
    burst: int


KnownCapability: TypeAlias = Literal[
    "executions:read",
    "executions:write",
    "artifacts:read",
    "catalog:read",
    "webhooks:test",
    "webhooks:read",
    "webhooks:replay",
    "alerts:manage",
    "endpoints:manage",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The calling key: what it may do, and how much."""

    key_id: str
    name: str
    prefix: str
    """The public part of the key."""
    account_id: str
    capabilities: list[KnownCapability | str] | None
    """null: everything."""
    allowed_task_ids: list[str] | None
    """The tasks of which it creates work, and changes any: also what it names by id. It reads all
    executions and schedules of its account. null: all tasks of the account; []: none.
    """
    allowed_agent_ids: list[str] | None
    """The agents for which it creates work, and changes any, as for tasks. null: all agents of the
    account; []: none.
    """
    expires_at: str | None
    live: int
    """Unfinished executions that it has queued."""
    max_live: int
    """Unfinished executions it may have at once: its own limit, or its account's if that is lower.
    """
    rate_limit: RateLimit | None
    """Its own rate, or its account's where that is lower; null: no limit."""
    batch_rate_limit: RateLimit | None
    """The same for the items of its batches, which are counted apart from requests; a whole batch
    at once at least.
    """
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceEvent:
    """One change of an execution, as evidence states it."""

    sequence: int
    """Counted from 1 without gaps."""
    type: KnownHistoryEventType | str
    at: str
    status: KnownExecutionStatus | str
    """After the change."""
    attempt: int
    """How often the work had been started."""


ArtifactKind: TypeAlias = Literal["download", "print", "screenshot", "video"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceFile:
    """A file of an execution, as evidence states it."""

    id: str
    kind: ArtifactKind | str
    file_name: str
    content_type: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceManifestRequestedBy:
    """The API key in whose name it ran, and the request that made it."""

    key_id: str
    name: str
    request_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceManifestTask:
    id: str
    slug: str
    version_id: str
    version_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceManifestAgent:
    id: str
    name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceManifest:
    """What evidence states of an execution that has ended."""

    type: Literal["runhook.execution"]
    issuer: str
    """The base URL of the service."""
    account_id: str
    execution_id: str
    status: KnownExecutionStatus | str
    reference: str
    requested_by: EvidenceManifestRequestedBy
    """The API key in whose name it ran, and the request that made it."""
    rerun_of: str | None
    schedule_id: str | None
    task: EvidenceManifestTask
    agent: EvidenceManifestAgent
    attempts: int
    """How often the work was started."""
    created_at: str
    started_at: str | None
    finished_at: str
    params_sha256: str
    """Of the canonical JSON (RFC 8785) of the params as the API shows them, with `"[secret]"` in
    place of each secret.
    """
    result_sha256: str | None
    """Of the canonical JSON (RFC 8785) of the result; null when there is none."""
    history: list[EvidenceEvent]
    """The changes, oldest first: the newest 2,000."""
    files: list[EvidenceFile]
    files_complete: bool
    """Whether no more files can come: an attempt may upload files for five minutes after its end.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class EventExecution:
    """An execution as it was when its event occurred."""

    id: str
    account_id: str
    agent_id: str
    task_id: str
    task_version_id: str
    status: KnownExecutionStatus | str
    result: dict[str, Any] | None
    """What the work produced; null unless completed."""
    error_message: str | None
    """Null unless the run has failed."""
    started_at: str | None
    stopped_at: str | None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionEvent:
    """An execution entered a status; it is shown as it was then."""

    event_id: str
    """The same on every attempt, and in X-Webhook-Event-Id."""
    occurred_at: str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""
    reference: str
    metadata: dict[str, Any]
    type: KnownExecutionEventType | str
    execution: EventExecution


@dataclass(frozen=True, slots=True, kw_only=True)
class TestEvent:
    """A test of the receiver, about no execution."""

    event_id: str
    """The same on every attempt, and in X-Webhook-Event-Id."""
    occurred_at: str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""
    reference: str
    metadata: dict[str, Any]
    type: Literal["webhook.test"]
    execution: None
    message: str
