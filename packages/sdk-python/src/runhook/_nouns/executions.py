"""Queue executions, follow them, stop them, see what they captured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Protocol
from uuid import UUID

from .. import types
from .._call.request import MakeAndWait, Request, Wait
from .._call.send import Sender
from .._generated import nouns
from .._generated.rules import FINISHED_STATUSES
from .._json import wire_fields
from .._typing import Unpack
from .calls import Follow, Mode, call, following

_WAIT_SECONDS = 25
"""How long the service is asked to wait each time: less than the usual time-out of proxies."""


class _HasStatus(Protocol):
    @property
    def status(self) -> str: ...


def is_finished(execution: _HasStatus) -> bool:
    """Whether an execution is over. A status of a later version counts as unfinished."""
    return execution.status in FINISHED_STATUSES


def _wait_for(
    id: str | UUID, until: Literal["finished", "input"], timeout: float | None
) -> Wait[types.ExecutionDetail]:
    look = nouns.executions_get(id, wait=_WAIT_SECONDS)
    return Wait(
        f"Execution {id}",
        replace(look, execution_id=str(id)),
        lambda seen: is_finished(seen) or (until == "input" and seen.status == "awaiting_input"),
        timeout,
    )


class Executions(nouns.Executions[Mode]):
    """Queue executions, follow them, stop them."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.jobs: Jobs[Mode] = Jobs(sender, mode)

    @call
    def create_and_wait(
        self,
        *,
        idempotency_key: str | UUID | None = None,
        until: Literal["finished", "input"] = "finished",
        timeout: float | None = None,
        **fields: Unpack[types.CreateExecution],
    ) -> MakeAndWait[types.ExecutionDetail]:
        """Queues an execution and waits until it is over, however it ended: look at its `status`.

        Takes what `create` and `wait_for` take, and fails as they do. An error after the create has the execution in
        its `execution_id`.
        """
        return MakeAndWait(
            nouns.executions_create(idempotency_key=idempotency_key, **fields),
            lambda created: _wait_for(created.execution_id, until, timeout),
        )

    @call
    def wait_for(
        self,
        id: str | UUID,
        *,
        until: Literal["finished", "input"] = "finished",
        timeout: float | None = None,
    ) -> Wait[types.ExecutionDetail]:
        """Waits until the execution is over, however it ended: look at its `status`.

        With `until="input"` also until the work asks for input. The wait goes on while the service is away. After
        `timeout` seconds, if given, it raises a `TimeoutError`.
        """
        return _wait_for(id, until, timeout)

    @call
    def cancel_all(
        self,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | UUID | None = None,
        **filter: Unpack[types.CancelFilter],
    ) -> Request[types.CancelBegun | types.CancelRepeated | types.WouldCancel]:
        """Begins to stop every execution that matches, all that are not finished without a filter: those that were
        created by now. `jobs` follows how far that has come, waits for its end, and stops it.

        With `dry_run` it says how many match, and `job_id` is None. Has an idempotency key as `create` has.

            job = runhook.executions.cancel_all(status=["queued"], task_id=task.id, reason="Wrong list")
            print(runhook.executions.jobs.wait_for(job.job_id).cancelled)
        """
        wire: Any = wire_fields(filter)
        body: types.CancelExecutions = {"filter": wire}
        if reason is not None:
            body["reason"] = reason
        if dry_run:
            body["dry_run"] = True
        return nouns.executions_cancel_all(idempotency_key=idempotency_key, **body)

    @following
    def follow(self, id: str | UUID, *, after: int = 0) -> Follow[types.ExecutionHistoryEvent]:
        """The events of an execution as they happen, until it is over.

        Goes on over lost connections and a restart of the service, without a gap. `after` skips those up to a
        `sequence`.

            for event in runhook.executions.follow(id):
                print(event.type, event.status)
        """
        def look(position: int) -> Request[types.ExecutionHistory]:
            return nouns.executions_events(id, after=position, wait=_WAIT_SECONDS)

        return Follow(look, after, is_finished)

    @following
    def follow_logs(self, id: str | UUID, *, after: int = 0) -> Follow[types.ExecutionLogLine]:
        """The lines of its log as the work writes them, until it is over; otherwise as `follow`.

            for line in runhook.executions.follow_logs(id):
                print(line.level, line.message)
        """
        def look(position: int) -> Request[types.ExecutionLog]:
            return nouns.executions_logs(id, after=position, wait=_WAIT_SECONDS)

        return Follow(look, after, lambda _: False, owner=nouns.executions_get(id))


class Jobs(nouns.ExecutionJobs[Mode]):
    """The jobs that `cancel_all` begins."""

    @call
    def wait_for(self, id: str | UUID, *, timeout: float | None = None) -> Wait[types.CancelJob]:
        """Waits until the job is completed or stopped. The wait goes on while the service is away."""
        look = nouns.execution_jobs_get(id)
        return Wait(f"Job {id}", look, lambda seen: seen.finished_at is not None, timeout)
