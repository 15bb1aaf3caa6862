"""The ways in which work ends other than with a result."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Literal, TypeAlias, TypeVar

A = TypeVar("A")


class TaskError(Exception):
    """Fails the execution with this message, which its caller is shown.

    `retryable`: whether another attempt may succeed; the task's `retry` then decides whether there is one. `delay`:
    seconds to wait before that attempt, a day at most; as the task's `retry` says unless given.
    """

    def __init__(self, message: str, *, retryable: bool = False, delay: float | None = None) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.delay = delay


class TaskCancelled(Exception):
    """Ends the execution as `cancelled`, with the message as its reason."""


StopKind: TypeAlias = Literal["cancelled", "lease_lost", "released", "stopping"]
"""Why work must stop:

- `cancelled`: its caller, an operator or its time limit ended the execution. Files are still accepted for a while.
- `lease_lost`: the execution no longer belongs to this runner. Nothing more can be written.
- `released`: it released its runner to wait for an answer, and will be claimed again.
- `stopping`: this runner stops. What the handler returns still counts; if it raises, the execution may be retried.
"""


class StoppedError(Exception):
    """The work must stop. Raised by what the handler waits for in its context."""

    def __init__(self, kind: StopKind, message: str) -> None:
        super().__init__(message)
        self.kind: StopKind = kind


class Stop:
    """Ends what is waited for, with a reason. The first reason counts."""

    def __init__(self) -> None:
        self.reason: Exception | None = None
        self._set = asyncio.Event()

    def set(self, reason: Exception) -> None:
        if self.reason is None:
            self.reason = reason
            self._set.set()

    async def wait(self) -> None:
        await self._set.wait()

    def check(self) -> None:
        if self.reason is not None:
            raise self.reason

    async def ends(self, coroutine: Coroutine[Any, Any, A]) -> A:
        """The coroutine's result. Raises the reason, and cancels the coroutine, as soon as there is one."""
        if self.reason is not None:
            coroutine.close()
            raise self.reason
        task = asyncio.ensure_future(coroutine)
        stopped = asyncio.ensure_future(self._set.wait())
        try:
            await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            self.check()
            raise AssertionError("nothing ended")
        finally:
            stopped.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
