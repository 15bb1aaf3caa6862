"""A session and its long poll: takes work, and follows the service's orders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal

from .._call.send import Sender
from .._generated.runner import LeaseRef
from ..errors import NotFoundError, UnexpectedAnswerError
from . import requests
from .attempt import Attempt
from .claiming import STRANGER_PAUSE, Claiming, Workload, events_handled
from .context import Handler
from .heartbeats import Heartbeats
from .intervals import usable
from .logs import Logs
from .problems import LOG, Problem, Problems
from .settings import Settings
from .stopping import Stop, StoppedError, TaskError

_LEAVE_SECONDS = 5.0
"""How long closing the session may take; after that the service notices by itself."""

_CLAIM_SIZE_MAX = 100
"""Most work that one claim may take."""


class Woken(Exception):
    """The state in the waiting poll is out of date."""


class RunnerLoop:
    def __init__(
        self, settings: Settings, sender: Sender, heartbeats: Heartbeats, problems: Problems
    ) -> None:
        self._settings = settings
        self._sender = sender
        self._heartbeats = heartbeats
        self._problems = problems
        self._logs = Logs(sender, lambda: None if self._session is None else self._session["session_id"])
        self._attempts: dict[Attempt, asyncio.Task[None]] = {}
        self._changed = Stop()
        self._ended = Stop()
        self._claiming = Claiming(
            sender,
            workload=self._workload,
            obey=self.obey,
            reopen=self._open,
            wake=self._wake,
            ended=self._ended,
        )
        self._asides: set[asyncio.Task[Any]] = set()
        self._session: Any = None
        self._is_draining = False
        self._is_interrupted = False

    async def open(self) -> None:
        """Opens the session. Raises when the service refuses this runner, or something else answers in its place."""
        try:
            await self._open()
        except Exception:
            if not self._is_done:
                raise

    async def serve(self) -> None:
        """Serves until drained, then leaves. Raises when the service refuses this runner."""
        try:
            while not self._is_done:
                try:
                    await self._poll()
                except UnexpectedAnswerError as cause:
                    self._problems.tell(Problem("service_away", cause.message))
                    await asyncio.wait({asyncio.ensure_future(self._changed.wait())}, timeout=STRANGER_PAUSE)
                except Exception:
                    # A call that was cut off at the end did not fail.
                    if not self._is_done:
                        raise
        finally:
            for attempt in self._attempts:
                attempt.stop(StoppedError("lease_lost", "the runner ended"))
            await asyncio.gather(*self._attempts.values())
            await self._leave()

    def drain(self) -> None:
        """Takes no more work; `serve` ends when the work in flight has."""
        if not self._is_draining:
            self._is_draining = True
            self._tell_change()

    def interrupt(self) -> None:
        """Stops the work in flight, which may be retried."""
        self._is_interrupted = True
        for attempt in self._attempts:
            attempt.stop(_interrupted())

    def obey(self, news: Any) -> None:
        for lease in news["lost"]:
            self._stop(lease, StoppedError("lease_lost", "the lease was lost"))
        for command in news["commands"]:
            if command["type"] == "cancel":
                self._stop(command, StoppedError("cancelled", command["reason"]))
            elif command["type"] == "drain":
                self.drain()
            elif command["type"] == "input_answered":
                for attempt in self._attempts:
                    if attempt.lease["execution_id"] == command["execution_id"]:
                        attempt.answered(command["input_id"], command["value"])

    def _stop(self, lease: Any, reason: StoppedError) -> None:
        attempt = self._find(lease)
        if attempt is not None:
            attempt.stop(reason)

    @property
    def _is_done(self) -> bool:
        return self._is_draining and not self._attempts and not self._claiming.may_bring_work

    def _wake(self) -> None:
        woken, self._changed = self._changed, Stop()
        woken.set(Woken())

    def _tell_change(self) -> None:
        if self._is_done:
            self._ended.set(Woken())
        self._wake()

    async def _open(self) -> Any:
        origin: Origin = "earlier life" if self._session is None else "lost answer"
        # Work that ends during this call may still be in the answer.
        known = list(self._attempts)
        opening = self._sender.send(requests.open_session(self._settings.introduction))
        session = usable(await self._ended.ends(opening))
        is_new = self._session is None or session["session_id"] != self._session["session_id"]
        self._session = session
        if is_new:
            self._heartbeats.session(session["session_id"], session["config"]["heartbeat_ms"])
            LOG.info("session open", extra={"session_id": session["session_id"]})
            self._check_agents(session)
        for claim in session["recover"]:
            if not any(attempt.is_of(claim) for attempt in known):
                self._take(claim, origin)
        return session

    def _check_agents(self, session: Any) -> None:
        served = {agent["id"] for agent in session["agents"]}
        missing = [id for id in self._settings.agent_ids or [] if id not in served]
        if missing:
            words = f"no work comes for these agents: {', '.join(missing)}"
            self._problems.tell(Problem("agents_missing", words))
        elif not served:
            self._problems.tell(Problem("agents_missing", "the key may serve no agent"))

    async def _poll(self) -> None:
        """One claim. It is made again until it is answered, whatever came between."""
        was_draining = self._is_draining
        while True:
            session = self._session or await self._open()
            await events_handled()
            if self._is_done:
                return
            # An answer that the drain cut off may have brought work: it is shown again, and goes back unless it has
            # begun.
            if self._is_draining and not was_draining:
                await self._open()
                return
            changed = self._changed
            try:
                answer = await self._claiming.claim(session, changed)
            except NotFoundError:
                # The service no longer knows the session: it was silent for too long.
                await self._open()
            except Woken as woken:
                if woken is not changed.reason:
                    raise
            else:
                for claim in answer["claims"]:
                    self._take(claim, "claim")
                self.obey(answer)
                return

    def _workload(self, told: Iterable[LeaseRef]) -> Workload:
        leases = list(told)
        working = [attempt for attempt in self._attempts if attempt.lease not in leases]
        free = max(0, self._settings.capacity - len(working))
        return {
            "free_slots": 0 if self._is_draining else min(free, _CLAIM_SIZE_MAX),
            "in_flight": [attempt.lease for attempt in working if attempt.is_held],
            "draining": self._is_draining,
        }

    def _take(self, claim: Any, origin: Origin) -> None:
        """Begins work that is not begun yet: the repeated answer of a claim is nothing new."""
        if self._session is None or self._find(claim) is not None:
            return
        has_begun = claim["status"] != "queued"
        if self._is_draining and not has_begun:
            # Should this fail, closing the session gives it back.
            self._aside(self._give_back(claim))
            return
        slug = claim["task"]["slug"]
        is_resumed = has_begun and origin == "earlier life"
        attempt = Attempt(
            claim,
            sender=self._sender,
            heartbeats=self._heartbeats,
            problems=self._problems,
            logs=self._logs,
            config=self._session["config"],
            handler=self._handler_of(slug, is_resumed),
            fails_as="attempt_failed" if slug in self._settings.handlers else "no_handler",
            is_begun=has_begun and origin == "claim",
            is_resumed=is_resumed,
            report=self._claiming.report,
        )
        LOG.info(
            "begins %s", slug, extra={"execution_id": claim["execution_id"], "attempt": claim["attempt"]}
        )
        if self._is_interrupted:
            attempt.stop(_interrupted())
        self._attempts[attempt] = asyncio.create_task(self._perform(attempt, claim))

    async def _give_back(self, claim: Any) -> None:
        with suppress(Exception):
            await self._ended.ends(self._sender.send(requests.give_back(claim, "the runner stops")))

    def _aside(self, coroutine: Any) -> None:
        task = asyncio.create_task(coroutine)
        self._asides.add(task)
        task.add_done_callback(self._asides.discard)

    def _handler_of(self, slug: str, is_resumed: bool) -> Handler:
        if is_resumed and self._settings.recover == "fail":
            return _failing("the runner was restarted")
        return self._settings.handlers.get(slug) or _failing(
            f"this runner has no handler for the task {slug}"
        )

    async def _perform(self, attempt: Attempt, claim: Any) -> None:
        ending = await attempt.perform()
        del self._attempts[attempt]
        if ending is not None:
            LOG.info("ends: %s", ending, extra={"execution_id": claim["execution_id"]})
        if self._claiming.wants_no_work or self._is_done:
            self._tell_change()

    def _find(self, lease: Any) -> Attempt | None:
        return next((attempt for attempt in self._attempts if attempt.is_of(lease)), None)

    async def _leave(self) -> None:
        if self._session is None:
            return
        closing = self._sender.send(requests.close_session(self._session["session_id"]))
        try:
            await asyncio.wait_for(closing, _LEAVE_SECONDS)
            LOG.info("session closed")
        except Exception as cause:
            LOG.warning("session not closed: %s", cause)


Origin = Literal["claim", "earlier life", "lost answer"]
"""Where work was found: in the answer to a claim, or held by the instance although unknown here."""


def _interrupted() -> StoppedError:
    return StoppedError("stopping", "the runner stops")


def _failing(message: str) -> Handler:
    def fail(_: object) -> None:
        raise TaskError(message, retryable=True)

    return fail
