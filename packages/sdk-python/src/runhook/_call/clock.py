"""Time and chance of a call."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since an arbitrary moment; monotonic."""
        ...

    def random(self) -> float:
        """A number from 0 to 1, without 1."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class BlockingClock:
    """Its sleep never suspends."""

    def now(self) -> float:
        return time.monotonic()

    def random(self) -> float:
        return random.random()

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class AsyncioClock(BlockingClock):
    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
