"""The claims of a runner: each waits for work and news, or reports outcomes."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from .._call.send import Sender
from .._generated.runner import LeaseRef
from ..errors import InvalidRequestError, RunhookError, UnexpectedAnswerError
from . import requests
from .outcome import Outcome
from .reports import Report, Reports
from .stopping import Stop

STRANGER_PAUSE = 5.0
"""The pause after an answer that does not come from the service."""

_FAREWELL_SECONDS = 5.0
"""How long to wait for a poll that may bring work after asking it to end."""

Workload = dict[str, Any]
"""The state of the runner, as a claim reports it."""


class Claiming:
    """`workload` gives the state of the runner once some outcomes are reported; `reopen` opens the session again, with
    the work that it holds; `wake` ends the poll that waits, so that another claim follows.
    """

    def __init__(
        self,
        sender: Sender,
        *,
        workload: Callable[[Iterable[LeaseRef]], Workload],
        obey: Callable[[Any], None],
        reopen: Callable[[], Awaitable[Any]],
        wake: Callable[[], None],
        ended: Stop,
    ) -> None:
        self._sender = sender
        self._workload = workload
        self._obey = obey
        self._reopen = reopen
        self._wake = wake
        self._ended = ended
        self._reports = Reports()
        self._knows_outcomes = False
        """Whether the service supports starts and outcomes in claims: each of its answers says so."""
        self._claim_id: str | None = None
        """Of the claim without an answer so far."""
        self._parked: dict[str, Any] | None = None
        """The waiting poll, if any."""
        self._carried: list[Report] = []
        """The outcomes that are being reported beside it."""
        self._carrying: asyncio.Task[None] | None = None

    @property
    def wants_no_work(self) -> bool:
        """Whether the waiting poll is for news only."""
        return self._parked is not None and self._parked["free_slots"] == 0

    @property
    def may_bring_work(self) -> bool:
        """Whether the waiting poll may bring work that is already started."""
        return self._parked is not None and self._parked.get("start") is True

    async def claim(self, session: Any, changed: Stop) -> Any:
        """One claim. Until one is answered they all have its claim id, so that no work gets lost on the way.

        Its work begins with it, so whoever has made one hears its answer: `changed` cuts off a poll only when it cannot
        bring any, or is not answered although the service was asked to.
        """
        reports = self._reports.take()
        work = self._workload([report.lease for report in [*self._carried, *reports]])
        begins = bool(reports) or (self._knows_outcomes and work["free_slots"] > 0)
        if self._claim_id is None:
            self._claim_id = str(uuid.uuid4())
        request = {**work, "session_id": session["session_id"], "claim_id": self._claim_id}
        if begins:
            request["start"] = True
        if reports:
            # A claim with outcomes is answered at once.
            request |= {"wait_ms": 0, "outcomes": [report.body for report in reports]}
        else:
            request["wait_ms"] = session["config"]["poll_wait_ms"]
            self._parked = request
        cut = Stop()
        stop = self._ended if reports else cut if begins else changed
        farewell = (
            asyncio.create_task(self._end_poll(session["session_id"], changed, cut))
            if self.may_bring_work
            else None
        )
        try:
            answer = await self._send(request, reports, stop)
            self._claim_id = None
            return answer
        except RunhookError as cause:
            # Whatever failed, the claim may have brought work.
            if reports and self._ended.reason is None:
                return await self.claim(await self._reopen(), changed)
            if reports or not begins or not isinstance(cause, InvalidRequestError):
                raise
            # An older process of the service does not know that work may begin with its claim.
            self._knows_outcomes = False
            return await self.claim(session, changed)
        finally:
            self._parked = None
            if farewell is not None:
                farewell.cancel()

    async def _end_poll(self, session_id: str, changed: Stop, cut: Stop) -> None:
        """Has the service answer the poll that waits, once something has changed; cuts it off if that takes too long."""
        await changed.wait()
        asking = asyncio.create_task(self._tell(requests.claim({**self._aside(session_id), "wait_ms": 1})))
        try:
            await asyncio.sleep(_FAREWELL_SECONDS)
            if changed.reason is not None:
                cut.set(changed.reason)
        finally:
            asking.cancel()

    async def _tell(self, request: Any) -> None:
        with suppress(RunhookError):
            self._obey(await self._sender.send(request))

    def _aside(self, session_id: str) -> dict[str, Any]:
        """A claim beside the waiting one, which takes no work."""
        own = {"free_slots": 0, "session_id": session_id, "claim_id": str(uuid.uuid4())}
        return {**self._workload([]), **own}

    async def report(self, claim: Any, outcome: Outcome, stop: Stop) -> Any:
        """Tells how work ended: along with a claim, or by itself. Gives what follows."""
        report = Report(requests.lease_of(claim), outcome)
        if self._knows_outcomes and self._reports.add(report):
            if self.wants_no_work:
                # A poll without slots gives way to a claim for the slot that is free now.
                self._wake()
            elif self._parked is not None and not self._workload([])["draining"]:
                # A poll that is about to end may still take what goes back with this outcome: the claim after it tells.
                self._carry(self._parked["session_id"])
            try:
                ending = await stop.ends(_result(report.told))
            finally:
                self._reports.remove(report)
            if ending is not None:
                return ending
        return await stop.ends(self._complete(claim, outcome))

    async def _complete(self, claim: Any, outcome: Outcome) -> Any:
        while True:
            try:
                return await self._sender.send(requests.complete(claim, outcome))
            except UnexpectedAnswerError:
                # The answer does not come from the service, so nothing was refused.
                await asyncio.sleep(STRANGER_PAUSE)

    def _carry(self, session_id: str) -> None:
        """Takes outcomes along beside the poll that waits for work."""
        if self._carrying is None or self._carrying.done():
            self._carrying = asyncio.create_task(self._carry_all(session_id))

    async def _carry_all(self, session_id: str) -> None:
        await events_handled()
        while reports := self._reports.take():
            outcomes = [report.body for report in reports]
            request = {**self._aside(session_id), "in_flight": [], "wait_ms": 0, "outcomes": outcomes}
            self._carried = reports
            with suppress(Exception):
                self._obey(await self._send(request, reports, self._ended))
            self._carried = []

    async def _send(self, request: dict[str, Any], reports: list[Report], stop: Stop) -> Any:
        """An outcome that could not go with a claim is sent on its own, without waiting for the next claim."""
        try:
            answer = await stop.ends(self._sender.send(requests.claim(request)))
        except BaseException:
            if reports:
                # Such as by an older service, which has done nothing of it. The next answer says whether it is one.
                self._knows_outcomes = False
                for report in [*reports, *self._reports.take_all()]:
                    report.settle(None)
            raise
        for place, report in enumerate(reports):
            report.settle(answer["outcomes"][place] if "outcomes" in answer else None)
        self._knows_outcomes = "outcomes" in answer
        return answer


async def _result(told: asyncio.Future[Any]) -> Any:
    return await told


async def events_handled() -> None:
    """After everything that goes on by itself: attempts that were answered have ended, and so has short work."""
    for _ in range(5):
        await asyncio.sleep(0)
