"""Outcomes that wait for the next claim."""

from __future__ import annotations

import asyncio
from typing import Any

from .._call.values import json_text
from .._generated.runner import LeaseRef
from ..errors import ApiError, api_error
from .outcome import Outcome

_CARRIED_BYTES_MAX = 48 * 1_024
"""Most bytes of outcomes that go along with a claim.

The service reads bodies of more than 64 KiB one after the other, and a claim also names what is in flight.
"""


class Report:
    """An outcome on its way."""

    def __init__(self, lease: LeaseRef, outcome: Outcome) -> None:
        self.lease = lease
        self.body = {**lease, **outcome}
        self.bytes = len(json_text(self.body).encode())
        self.told: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        """What follows once the service has taken it; None when it must be told by itself; or the refusal."""

    def settle(self, answer: Any) -> None:
        """By the service's answer; None if there is none."""
        if self.told.done():
            return
        if answer is None or answer["accepted"]:
            self.told.set_result(answer)
        elif answer["http_status"] == 429 or answer["http_status"] >= 500:
            # The same may be accepted another time.
            self.told.set_result(None)
        else:
            self.told.set_exception(_refusal_of(answer))


class Reports:
    """In the order in which they are taken along."""

    def __init__(self) -> None:
        self._waiting: list[Report] = []

    def add(self, report: Report) -> bool:
        """False for one that is too large."""
        if report.bytes > _CARRIED_BYTES_MAX:
            return False
        self._waiting.append(report)
        return True

    def remove(self, report: Report) -> None:
        if report in self._waiting:
            self._waiting.remove(report)

    def take(self) -> list[Report]:
        """As many as fit in one claim, the oldest first."""
        taken = 0
        size = 0
        for report in self._waiting:
            size += report.bytes
            if size > _CARRIED_BYTES_MAX:
                break
            taken += 1
        reports, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return reports

    def take_all(self) -> list[Report]:
        reports, self._waiting = self._waiting, []
        return reports


def _refusal_of(answer: Any) -> ApiError:
    error = answer["error"]
    return api_error(
        error["message"],
        code=error["code"],
        details=error.get("details"),
        request_id=error.get("request_id"),
        status=answer["http_status"],
        attempts=1,
    )
