"""Makes calls for tests that are written elsewhere: one JSON object a line, in and out.

In: `{"mode": "sync" | "async", "options": {…}, "names": {…}, "call": "executions.get(done)", "clock": true}`.
Out: `{"value": …}` or `{"error": {…}}`, with the `pauses` of a clock whose pauses are over at once.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sys
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

from runhook import AsyncRunhook, Runhook, RunhookError
from runhook._asyncio.files import AsyncDownload
from runhook._asyncio.lists import AsyncListing
from runhook._blocking.files import Download
from runhook._blocking.lists import Listing


class Clock:
    """Its pauses are over at once, and make it later by their length. Chance is always the middle."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def now(self) -> float:
        return sum(self.pauses)

    def random(self) -> float:
        return 0.5

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


def plain(value: Any) -> Any:
    """What JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = {field.name: field.name.rstrip("_") for field in dataclasses.fields(value)}
        return {wire: plain(getattr(value, name)) for name, wire in names.items()}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value.decode() if isinstance(value, bytes) else value


def failed(error: RunhookError) -> dict[str, Any]:
    return {"class": type(error).__name__, **{name: plain(value) for name, value in vars(error).items()}}


class Meeting:
    """One request of a test."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked
        self.options = asked["options"]
        self.clock = Clock()
        self.names = {
            name: SimpleNamespace(**value) if isinstance(value, dict) else value
            for name, value in asked.get("names", {}).items()
        }

    def call(self, runhook: Any) -> Any:
        if self.asked.get("clock"):
            runhook._begin(dataclasses.replace(runhook._sender, clock=self.clock))
        # The tests of this repository alone say what is evaluated.
        return eval("runhook." + self.asked["call"], {**self.names, "runhook": runhook})

    def sync(self) -> Any:
        with Runhook(**self.options) as runhook:
            answer = self.call(runhook)
            if isinstance(answer, (Listing, Iterator)):
                return list(answer)
            return answer.read() if isinstance(answer, Download) else answer

    async def asyncio(self) -> Any:
        async with AsyncRunhook(**self.options) as runhook:
            answer = self.call(runhook)
            if isinstance(answer, (AsyncListing, AsyncIterator)):
                return [each async for each in answer]
            answer = await answer
            return await answer.read() if isinstance(answer, AsyncDownload) else answer

    def answer(self) -> dict[str, Any]:
        try:
            value = self.sync() if self.asked["mode"] == "sync" else asyncio.run(self.asyncio())
            return {"value": plain(value), "pauses": self.clock.pauses}
        except RunhookError as error:
            return {"error": failed(error), "pauses": self.clock.pauses}
        except Exception as error:
            return {
                "error": {"class": type(error).__name__, "message": str(error)},
                "pauses": self.clock.pauses,
            }


for line in sys.stdin:
    print(json.dumps(Meeting(json.loads(line)).answer()), flush=True)
