"""What is waited for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, Protocol
from uuid import UUID

from .. import types
from .._generated import requests
from .._generated.rules import FINISHED_STATUSES
from .follow import Follow
from .request import Request, Wait

_WAIT_SECONDS = 25
"""How long the service is asked to wait each time: less than the usual time-out of proxies."""


class _HasStatus(Protocol):
    @property
    def status(self) -> str: ...


def is_finished(execution: _HasStatus) -> bool:
    """Whether an execution is over. A status of a later version counts as unfinished."""
    return execution.status in FINISHED_STATUSES


def execution_end(
    id: str | UUID, until: Literal["finished", "input"], timeout: float | None
) -> Wait[types.ExecutionDetail]:
    look = replace(requests.executions_get(id, wait=_WAIT_SECONDS), execution_id=str(id))
    return Wait(
        f"Execution {id}",
        look,
        lambda seen: is_finished(seen) or (until == "input" and seen.status == "awaiting_input"),
        timeout,
    )


def job_end(id: str | UUID, timeout: float | None) -> Wait[types.CancelJob]:
    look = requests.execution_jobs_get(id)
    return Wait(f"Job {id}", look, lambda seen: seen.finished_at is not None, timeout)


def replay_end(id: str | UUID, timeout: float | None) -> Wait[types.Replay]:
    look = requests.delivery_replays_get(id)
    return Wait(f"Replay {id}", look, lambda seen: seen.finished_at is not None, timeout)


def events(id: str | UUID, after: int) -> Follow[types.ExecutionHistoryEvent]:
    look = _looks(requests.executions_events, id)
    return Follow(look, after, is_finished)


def log_lines(id: str | UUID, after: int) -> Follow[types.ExecutionLogLine]:
    look = _looks(requests.executions_logs, id)
    return Follow(look, after, lambda _: False, owner=requests.executions_get(id))


def _looks(request_of: Callable[..., Request[Any]], id: str | UUID) -> Callable[[int], Request[Any]]:
    return lambda position: request_of(id, after=position, wait=_WAIT_SECONDS)
