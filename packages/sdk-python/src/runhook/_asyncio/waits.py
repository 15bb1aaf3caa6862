"""Calls of more than one request, for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from typing import Any, Literal
from uuid import UUID

from .. import types
from .._call.request import MakeAndWait
from .._call.waits import events, execution_end, job_end, log_lines, replay_end
from .._generated import requests
from .._json import wire_fields
from .._typing import Unpack
from .noun import AsyncNoun


class AsyncExecutionWaits(AsyncNoun):
    """What there is of executions beside their requests."""

    def create_and_wait(
        self,
        *,
        idempotency_key: str | UUID | None = None,
        until: Literal["finished", "input"] = "finished",
        timeout: float | None = None,
        **fields: Unpack[types.CreateExecution],
    ) -> Coroutine[Any, Any, types.ExecutionDetail]:
        """Queues an execution and waits until it is over, however it ended: look at its `status`.

        Takes what `create` and `wait_for` take, and fails as they do. An error after the create has the execution in
        its `execution_id`.
        """
        return self._call(
            MakeAndWait(
                requests.executions_create(idempotency_key=idempotency_key, **fields),
                lambda created: execution_end(created.execution_id, until, timeout),
            )
        )

    def wait_for(
        self,
        id: str | UUID,
        *,
        until: Literal["finished", "input"] = "finished",
        timeout: float | None = None,
    ) -> Coroutine[Any, Any, types.ExecutionDetail]:
        """Waits until the execution is over, however it ended: look at its `status`.

        With `until="input"` also until the work asks for input. The wait goes on while the service is away. After
        `timeout` seconds, if given, it raises a `TimeoutError`.
        """
        return self._call(execution_end(id, until, timeout))

    def cancel_all(
        self,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | UUID | None = None,
        **filter: Unpack[types.CancelFilter],
    ) -> Coroutine[Any, Any, types.CancelBegun | types.CancelRepeated | types.WouldCancel]:
        """Begins to stop every execution that matches, all that are not finished without a filter: those that were
        created by now. `jobs` follows how far that has come, waits for its end, and stops it.

        With `dry_run` it says how many match, and `job_id` is None. Has an idempotency key as `create` has.

            job = await runhook.executions.cancel_all(status=["queued"], task_id=task.id, reason="Wrong list")
            ended = await runhook.executions.jobs.wait_for(job.job_id)
            print(ended.cancelled)
        """
        wire: Any = wire_fields(filter)
        body: types.CancelExecutions = {"filter": wire}
        if reason is not None:
            body["reason"] = reason
        if dry_run:
            body["dry_run"] = True
        return self._call(requests.executions_cancel_all(idempotency_key=idempotency_key, **body))

    def follow(self, id: str | UUID, *, after: int = 0) -> AsyncIterator[types.ExecutionHistoryEvent]:
        """The events of an execution as they happen, until it is over.

        Goes on over lost connections and a restart of the service, without a gap. `after` skips those up to a
        `sequence`.

            async for event in runhook.executions.follow(id):
                print(event.type, event.status)
        """
        return self._follow(events(id, after))

    def follow_logs(self, id: str | UUID, *, after: int = 0) -> AsyncIterator[types.ExecutionLogLine]:
        """The lines of its log as the work writes them, until it is over; otherwise as `follow`.

            async for line in runhook.executions.follow_logs(id):
                print(line.level, line.message)
        """
        return self._follow(log_lines(id, after))


class AsyncJobWaits(AsyncNoun):
    """What there is of jobs beside their requests."""

    def wait_for(
        self, id: str | UUID, *, timeout: float | None = None
    ) -> Coroutine[Any, Any, types.CancelJob]:
        """Waits until the job is completed or stopped. The wait goes on while the service is away."""
        return self._call(job_end(id, timeout))


class AsyncReplayWaits(AsyncNoun):
    """What there is of replays beside their requests."""

    def wait_for(self, id: str | UUID, *, timeout: float | None = None) -> Coroutine[Any, Any, types.Replay]:
        """Waits until the replay is completed or cancelled. The wait goes on while the service is away."""
        return self._call(replay_end(id, timeout))
