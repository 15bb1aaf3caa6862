"""Sends what handlers log: once a second in a heartbeat of its own, for all attempts together, and the rest with their
outcomes. Lines are numbered, and sent again until they are answered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from .._call.send import Sender
from .._call.values import cleaned
from .._generated.runner import LeaseRef, SaidLine
from ..errors import InvalidRequestError, RunhookError
from . import requests

_WAITING_MAX = 1_000
"""Lines that wait for the service, of one attempt; beyond them the oldest are dropped. The service keeps as many."""

_LINES_MAX = 200
_BYTES_MAX = 48 * 1_024
"""Lines of one attempt in a request, and bytes of all messages in it."""

_LAST_BYTES_MAX = 8 * 1_024
"""Bytes that go along with an outcome."""

_MESSAGE_LENGTH_MAX = 4_096
_PAUSE_SECONDS = 1.0
_AGE_MS_MAX = 3_600_000

LogLevel: TypeAlias = Literal["debug", "info", "warn", "error"]


@dataclass(frozen=True)
class _Line:
    level: LogLevel
    message: str
    number: int
    at: float
    """When it was written, by this machine's clock."""

    @property
    def size(self) -> int:
        return len(self.message.encode()) + 80


@dataclass
class _Log:
    lease: LeaseRef
    lines: list[_Line] = field(default_factory=list)
    last: int = 0


class Logs:
    """Of all attempts of a runner."""

    def __init__(self, sender: Sender, session_id: Callable[[], str | None]) -> None:
        # One attempt each: what is not answered goes with the next.
        self._sender = replace(sender, limits=replace(sender.limits, retries=0))
        self._session_id = session_id
        self._logs: dict[str, _Log] = {}
        self._planned: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    def add(self, lease: LeaseRef, level: LogLevel, message: str) -> None:
        log = self._logs.setdefault(_key_of(lease), _Log(lease))
        log.last += 1
        log.lines.append(_Line(level, cleaned(message, _MESSAGE_LENGTH_MAX), log.last, time.monotonic()))
        del log.lines[:-_WAITING_MAX]
        if self._planned is None or self._planned.done():
            self._planned = asyncio.create_task(self._send_planned())

    async def take(self, lease: LeaseRef) -> list[SaidLine]:
        """The last lines of an attempt, for its outcome. Sends those that are too many for it before."""
        log = self._logs.get(_key_of(lease))
        if log is None:
            return []
        while _size_of(log.lines) > _LAST_BYTES_MAX and await self._send():
            pass
        self.drop(lease)
        lines = log.lines[-_LINES_MAX:]
        while _size_of(lines) > _LAST_BYTES_MAX:
            del lines[0]
        return _said(lines)

    def drop(self, lease: LeaseRef) -> None:
        """Forgets lines that the service would not take any more."""
        self._logs.pop(_key_of(lease), None)

    async def _send_planned(self) -> None:
        while True:
            await asyncio.sleep(_PAUSE_SECONDS)
            await self._send()
            if not any(log.lines for log in self._logs.values()):
                return

    async def _send(self) -> bool:
        """One request after the other. Whether the service has answered."""
        async with self._sending:
            session_id = self._session_id()
            told = self._next()
            if session_id is None or not told:
                return False
            beats: list[dict[str, Any]] = [{**log.lease, "logs": _said(lines)} for log, lines in told]
            try:
                await self._sender.send(requests.heartbeat(session_id, beats))
            except InvalidRequestError:
                # What the service refuses it would refuse again.
                pass
            except RunhookError:
                return False
            for log, lines in told:
                log.lines[:] = [line for line in log.lines if line.number > lines[-1].number]
            return True

    def _next(self) -> list[tuple[_Log, list[_Line]]]:
        """The oldest lines of all attempts, as many as one request may have."""
        left = _BYTES_MAX
        told = []
        for log in self._logs.values():
            lines: list[_Line] = []
            for line in log.lines[:_LINES_MAX]:
                left -= line.size
                if left < 0:
                    break
                lines.append(line)
            if lines:
                told.append((log, lines))
        return told


def _said(lines: Sequence[_Line]) -> list[SaidLine]:
    now = time.monotonic()
    return [
        {
            "level": line.level,
            "message": line.message,
            "number": line.number,
            "age_ms": min(_AGE_MS_MAX, round((now - line.at) * 1_000)),
        }
        for line in lines
    ]


def _size_of(lines: Sequence[_Line]) -> int:
    return sum(line.size for line in lines)


def _key_of(lease: LeaseRef) -> str:
    return f"{lease['execution_id']} {lease['epoch']}"
