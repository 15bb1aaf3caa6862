"""The JSON of the runner API. Generated from the contract by `npm run generate`: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from .._typing import NotRequired
from .integration import ArtifactKind, ErrorObject, InputMode, InputTimeout, KnownExecutionStatus

__all__ = [
    "OpenSession",
    "SessionConfig",
    "InputAnswer",
    "TaskRef",
    "Claim",
    "ServedAgent",
    "Session",
    "SaidLine",
    "OutcomeReportError",
    "OutcomeReport",
    "LeaseRef",
    "ClaimWork",
    "CommandCancel",
    "CommandInputAnswered",
    "CommandDrain",
    "Command",
    "OutcomeAnswerAccepted",
    "OutcomeAnswerNotAccepted",
    "OutcomeAnswer",
    "ClaimAnswer",
    "BeatProgress",
    "Beat",
    "Heartbeat",
    "HeartbeatAnswerLease",
    "HeartbeatAnswer",
    "Fenced",
    "Started",
    "RegisterArtifact",
    "ArtifactRegisteredUpload",
    "ArtifactRegistered",
    "ArtifactReady",
    "AskInput",
    "Asked",
    "KeepCheckpoint",
    "CompleteExecutionError",
    "CompleteExecution",
    "Completed",
    "ReleaseExecution",
    "GivenBack",
]


class OpenSession(TypedDict):
    instance_id: str
    """The process's own name for itself; the same name finds the session again."""
    runner_name: str
    version: NotRequired[str]
    agent_ids: NotRequired[Sequence[str]]
    """All the key may serve unless given."""
    capacity: int
    labels: NotRequired[Mapping[str, str]]


class SessionConfig(TypedDict):
    """The durations a runner keeps, in milliseconds."""

    poll_wait_ms: int
    lease_ms: int
    heartbeat_ms: int
    start_deadline_ms: int
    cancel_grace_ms: int
    """How long a runner has to obey a cancel."""
    finalize_ms: int
    """How long after a cancel files are still accepted."""
    max_artifact_bytes: int


class InputAnswer(TypedDict):
    input_id: str
    input_key: str
    value: Any


class TaskRef(TypedDict):
    id: str
    slug: str
    version_id: str
    number: int


class Claim(TypedDict):
    """Work to do."""

    execution_id: str
    attempt: int
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    lease_ms: int
    """How long until the lease ends, unless the work is started or the lease extended."""
    fencing_token: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    status: KnownExecutionStatus | str
    """queued, unless the work was already started, as recovered work may be."""
    task: TaskRef
    agent_id: str
    params: dict[str, Any]
    """With the schema's defaults filled in."""
    reference: str
    metadata: dict[str, Any]
    timeout_ms: int | None
    traceparent: NotRequired[str]
    """The place of the execution in its caller's trace, by W3C Trace Context; absent if it has
    none.
    """
    input_answer: NotRequired[InputAnswer]
    checkpoint: NotRequired[Any]
    """What was last kept by `/checkpoint`; absent if nothing was."""


class ServedAgent(TypedDict):
    id: str
    name: str
    capacity: int


class Session(TypedDict):
    """The session is open; `recover` is the work that the instance still holds from before."""

    session_id: str
    config: SessionConfig
    agents: list[ServedAgent]
    recover: list[Claim]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class SaidLine(TypedDict):
    """A line of the log."""

    level: Literal["debug", "info", "warn", "error"]
    message: str
    age_ms: NotRequired[int]
    """How long ago it was written, in milliseconds; now unless given."""
    number: NotRequired[int]
    """Counted by the runner from 1 under one epoch. A line whose number is not above that of the
    last line is skipped, so lines may be sent again until they are answered. Without it every
    line is kept.
    """


class OutcomeReportError(TypedDict):
    message: str
    retryable: NotRequired[bool]
    delay_ms: NotRequired[int]
    """Milliseconds to wait before the next attempt, with `retryable`; by the task's policy unless
    given.
    """


class OutcomeReport(TypedDict):
    """How an execution ended: its id, and what `/complete` takes."""

    execution_id: str
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    outcome: Literal["completed", "error", "cancelled"]
    result: NotRequired[Mapping[str, Any] | None]
    """What the work produced, with the outcome completed only. null: none, as when left out."""
    error: NotRequired[OutcomeReportError | None]
    """Why it failed, required with the outcome error; or why it was cancelled. null: none, as when
    left out.
    """
    logs: NotRequired[Sequence[SaidLine]]
    """Lines of the log, oldest first. The newest 1000 of an execution are kept."""


class LeaseRef(TypedDict):
    """Work that a runner holds, or believes to hold."""

    execution_id: str
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""


class ClaimWork(TypedDict):
    session_id: str
    claim_id: str
    """Repeating it while its leases live answers the same work."""
    free_slots: int
    """The most executions wanted; large ones come in several answers. 0 asks for commands only."""
    wait_ms: NotRequired[int]
    start: NotRequired[bool]
    """The claim also starts the work, as `/start` does. Work that continues with an `input_answer`
    still needs its `/start`.
    """
    outcomes: NotRequired[Sequence[OutcomeReport]]
    """Outcomes of work that has ended since the last claim."""
    in_flight: NotRequired[Sequence[LeaseRef]]
    draining: NotRequired[bool]


class CommandCancel(TypedDict):
    type: Literal["cancel"]
    execution_id: str
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    reason: str
    grace_ms: int


class CommandInputAnswered(TypedDict):
    type: Literal["input_answered"]
    execution_id: str
    input_id: str
    value: Any


class CommandDrain(TypedDict):
    type: Literal["drain"]


Command: TypeAlias = CommandCancel | CommandInputAnswered | CommandDrain
"""Repeated until in_flight shows that it took effect."""


class OutcomeAnswerAccepted(TypedDict):
    execution_id: str
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    accepted: Literal[True]
    status: KnownExecutionStatus | str
    retry_in_ms: NotRequired[int]
    """Milliseconds until the next attempt may begin; only where the execution is queued again."""


class OutcomeAnswerNotAccepted(TypedDict):
    execution_id: str
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    accepted: Literal[False]
    http_status: int
    """The status that `/complete` answers with this error."""
    error: ErrorObject


OutcomeAnswer: TypeAlias = OutcomeAnswerAccepted | OutcomeAnswerNotAccepted
"""What `/complete` would have answered: the status of the execution, or the error."""


class ClaimAnswer(TypedDict):
    """Work, commands and losses, empty if nothing came in time; and the answer to each of the
    `outcomes`, in their order.
    """

    claims: list[Claim]
    commands: list[Command]
    lost: list[LeaseRef]
    outcomes: list[OutcomeAnswer]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class BeatProgress(TypedDict):
    percent: NotRequired[float]
    message: NotRequired[str]
    step: NotRequired[str]


class Beat(TypedDict):
    execution_id: str
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    progress: NotRequired[BeatProgress]
    logs: NotRequired[Sequence[SaidLine]]
    """Lines of the log, oldest first. The newest 1000 of an execution are kept."""


class Heartbeat(TypedDict):
    session_id: str
    beats: Sequence[Beat]


class HeartbeatAnswerLease(TypedDict):
    execution_id: str
    lease_ms: int


class HeartbeatAnswer(TypedDict):
    """The leases that the session has, commands, and in `lost` the work that it no longer holds.
    """

    leases: list[HeartbeatAnswerLease]
    commands: list[Command]
    lost: list[LeaseRef]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class Fenced(TypedDict):
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""


class Started(TypedDict):
    """The work has begun."""

    status: KnownExecutionStatus | str
    lease_ms: int
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class RegisterArtifact(TypedDict):
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    kind: ArtifactKind
    file_name: str
    content_type: str
    size_bytes: int
    """At most 512 MiB, unless the host of the service sets another limit."""
    sha256: str
    platform_id: NotRequired[str]
    """The platform seen; videos only, and required."""
    handler: NotRequired[str]
    """What drove it; videos only, and required."""
    started_offset_ms: NotRequired[int]
    """When the recording began, after the start of the work; required for videos, and only for
    them.
    """


class ArtifactRegisteredUpload(TypedDict):
    method: Literal["PUT"]
    url: str
    headers: dict[str, str]
    expires_in_s: int


class ArtifactRegistered(TypedDict):
    """Where to send the bytes."""

    artifact_id: str
    upload: ArtifactRegisteredUpload
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class ArtifactReady(TypedDict):
    """Callers can fetch it now."""

    state: Literal["ready"]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class AskInput(TypedDict):
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    input_key: str
    prompt: str
    schema: Mapping[str, Any]
    expires_in_s: int
    on_timeout: InputTimeout
    default: NotRequired[Any]
    mode: InputMode


class Asked(TypedDict):
    """The caller is asked, or has answered already."""

    input_id: str
    status: KnownExecutionStatus | str
    input_answer: NotRequired[InputAnswer]
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class KeepCheckpoint(TypedDict):
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    value: Any
    """At most 64 KiB of JSON, for the next attempt alone."""


class CompleteExecutionError(TypedDict):
    message: str
    retryable: NotRequired[bool]
    delay_ms: NotRequired[int]
    """Milliseconds to wait before the next attempt, with `retryable`; by the task's policy unless
    given.
    """


class CompleteExecution(TypedDict):
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    outcome: Literal["completed", "error", "cancelled"]
    result: NotRequired[Mapping[str, Any] | None]
    """What the work produced, with the outcome completed only. null: none, as when left out."""
    error: NotRequired[CompleteExecutionError | None]
    """Why it failed, required with the outcome error; or why it was cancelled. null: none, as when
    left out.
    """
    logs: NotRequired[Sequence[SaidLine]]
    """Lines of the log, oldest first. The newest 1000 of an execution are kept."""


class Completed(TypedDict):
    """The attempt is over."""

    status: KnownExecutionStatus | str
    retry_in_ms: NotRequired[int]
    """Milliseconds until the next attempt may begin; only where the execution is queued again."""
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""


class ReleaseExecution(TypedDict):
    epoch: int
    """The fencing token of the lease. One that was never given out is stale, like an old one."""
    reason: str
    delay_ms: NotRequired[int]


class GivenBack(TypedDict):
    """The execution waits for a runner again."""

    status: KnownExecutionStatus | str
    request_id: str
    """Correlation id of the request; the same as in the X-Request-Id header."""
