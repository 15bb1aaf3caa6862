"""One execution held by a runner, from its claim to its end."""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from .._call.request import Request
from .._call.send import Sender
from .._generated.runner import BeatProgress
from ..errors import ApiError
from . import requests
from .context import AsyncContext, Context, Handler
from .ending_words import again_in, end_of, stop_of
from .heartbeats import Heartbeats
from .logs import LogLevel, Logs
from .outcome import Outcome, message_of, outcome_of_failure, outcome_of_result
from .problems import Problem, ProblemKind, Problems
from .questions import Questions
from .stopping import Stop, StoppedError, StopKind, TaskCancelled, TaskError
from .uploads import Uploads

A = TypeVar("A")


class Attempt:
    """Performs one claim. `report` tells its outcome, and gives what follows; `fails_as` is what it is if it raises."""

    def __init__(
        self,
        claim: Any,
        *,
        sender: Sender,
        heartbeats: Heartbeats,
        problems: Problems,
        logs: Logs,
        config: Any,
        handler: Handler,
        fails_as: ProblemKind,
        is_begun: bool,
        is_resumed: bool,
        report: Callable[[Any, Outcome, Stop], Awaitable[Any]],
    ) -> None:
        self.claim = claim
        self.lease = requests.lease_of(claim)
        self.is_resumed = is_resumed
        self.loop = asyncio.get_running_loop()
        self._process = os.getpid()
        self.work = Stop()
        """Set when the work must stop."""
        self.write = Stop()
        """Set when the service accepts nothing more from this attempt."""
        self._sender = sender
        self._heartbeats = heartbeats
        self._problems = problems
        self._logs = logs
        self._config = config
        self._handler = handler
        self._fails_as: ProblemKind = fails_as
        self._report = report
        self._lease_ms: int | None = claim["lease_ms"] if is_begun else None
        self._stopped: StopKind | None = None
        self._is_parting = False
        """Whether a call that ends the lease is in progress."""
        self._failure: BaseException | None = None
        """What the handler raised."""
        self._timers: list[asyncio.TimerHandle] = []
        self._questions = Questions(self)
        self._uploads = Uploads(sender, claim, config["max_artifact_bytes"])

    @property
    def is_held(self) -> bool:
        """Whether the lease is believed to be held."""
        return self._stopped in (None, "stopping")

    def is_of(self, lease: Any) -> bool:
        """Whether this is the attempt that the lease is for."""
        return self.lease == requests.lease_of(lease)

    def check_process(self) -> None:
        """What belongs to an attempt works only where its runner does: a fork of it has no event loop to wait for."""
        if os.getpid() != self._process:
            raise RuntimeError("the context works only in the process of its runner, and not in a fork of it")

    def call(self, request: Request[Any]) -> Coroutine[Any, Any, Any]:
        return self._sender.send(request)

    def answered(self, input_id: str, value: Any) -> None:
        self._questions.answered(input_id, value)

    def progress(self, progress: BeatProgress) -> None:
        self.check_process()
        self._heartbeats.progress(self.lease, progress)

    def say(self, level: LogLevel, message: str) -> None:
        """Adds a line to the log of the execution. Safe to call from any thread."""
        self.check_process()

        def add() -> None:
            if self.is_held and self.write.reason is None:
                self._logs.add(self.lease, level, message)

        self.loop.call_soon_threadsafe(add)

    def stop(self, reason: StoppedError) -> None:
        """Stops the work. The first reason counts, except that a lost lease overrides it."""
        is_lost = reason.kind == "lease_lost"
        # The lease ends with a call whose answer is still to come.
        if self._is_parting if is_lost else not self.is_held:
            return
        if is_lost and self.is_held:
            self._problem("lease_lost", str(reason))
        self._stopped = reason.kind
        if not self.is_held:
            self._heartbeats.drop(self.lease)
        if reason.kind == "cancelled":
            finalize = self._config["finalize_ms"] / 1_000
            self._timers.append(self.loop.call_later(finalize, self.write.set, reason))
        elif reason.kind != "stopping" or self._lease_ms is None:
            # Work that was not started goes back with the session.
            self.write.set(reason)
        self.work.set(reason)

    async def perform(self) -> str | None:
        """Runs the handler and reports how it ended. Never raises; gives how it went, unless the log says so already."""
        try:
            if self._lease_ms is None:
                started = await self.write.ends(self.call(requests.start(self.claim)))
                self._lease_ms = started["lease_ms"]
            if self.is_held and self._lease_ms is not None:
                self._heartbeats.hold(self.lease, self._lease_ms)
            outcome = await self._outcome()
            reported: tuple[Outcome, Any] | None = None
            again = ""
            try:
                if self.is_held:
                    reported = await self.part(self._reported(outcome))
                    again = again_in(reported[1])
            finally:
                self._tell(again)
            if reported is None:
                return stop_of(self.work.reason or Exception())
            return None if self._failure is not None and again else end_of(*reported)
        except Exception as cause:
            return stop_of(cause if self.is_held else self.work.reason or cause)
        finally:
            self._heartbeats.drop(self.lease)
            self._logs.drop(self.lease)
            for timer in self._timers:
                timer.cancel()
            # Nothing that the handler left behind may write on.
            self.write.set(StoppedError("lease_lost", "the attempt is over"))

    async def _outcome(self) -> Outcome:
        try:
            self.work.check()
            return outcome_of_result(await self._handled())
        except (Exception, asyncio.CancelledError) as cause:
            reason = self.work.reason
            # What is raised after a stop is most often its echo.
            is_own = isinstance(cause, (TaskError, TaskCancelled)) or reason is None
            if is_own and not isinstance(cause, TaskCancelled):
                self._failure = cause
            return outcome_of_failure(cause if is_own or reason is None else reason)

    async def _handled(self) -> Any:
        """What the handler returns. It has some time to obey once it must stop."""
        handler: Any = self._handler
        if inspect.iscoroutinefunction(handler):
            context = AsyncContext(self, self._uploads, self._questions)
            work: asyncio.Future[Any] = asyncio.create_task(_without_exit(handler(context)))
        else:
            work = self._in_thread()
        stopped = asyncio.ensure_future(self.work.wait())
        try:
            await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # The event loop ends, such as after `sys.exit`: no failure of the work, and no time left to report one.
            self.stop(StoppedError("lease_lost", "the runner ended"))
            raise
        finally:
            stopped.cancel()
        if not work.done():
            # In a thread it learns from its context.
            if isinstance(work, asyncio.Task):
                work.cancel()
            await asyncio.wait({work}, timeout=self._config["cancel_grace_ms"] / 1_000)
        if not work.done():
            # Its end is nobody's any more.
            work.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            self._problem("abort_ignored", f"the handler went on after it was to stop: {self.work.reason}")
            self.work.check()
        return work.result()

    def _in_thread(self) -> asyncio.Future[Any]:
        """Each attempt has a thread of its own, since one that goes on must not keep others waiting."""
        ended = self.loop.create_future()
        context = Context(self, self._uploads, self._questions)
        handler: Any = self._handler

        def settle(set: Callable[[Any], None], value: Any) -> None:
            if not ended.done():
                set(value)

        def run() -> None:
            end: tuple[Callable[[Any], None], Any]
            try:
                end = ended.set_result, handler(context)
            except BaseException as cause:
                end = ended.set_exception, _catchable(cause)
            try:
                self.loop.call_soon_threadsafe(settle, *end)
            except RuntimeError:
                # The loop is gone, and with it everybody who would have liked to know.
                pass

        threading.Thread(target=run, name=f"runhook-{self.claim['task']['slug']}", daemon=True).start()
        return ended

    def _tell(self, again: str) -> None:
        """The runner's author sees the cause only here: the service gets the message alone."""
        if self._failure is None:
            return
        number = self.claim["attempt"]
        words = f"attempt {number} failed{again}: {message_of(self._failure)}"
        self._problem(self._fails_as, words, attempt=number, cause=self._failure)

    async def _reported(self, outcome: Outcome) -> tuple[Outcome, Any]:
        """The outcome that the service has taken, and what it answered."""
        try:
            logs = await self._logs.take(self.lease)
            whole = {**outcome, "logs": logs} if logs else outcome
            return outcome, await self._report(self.claim, whole, self.write)
        except Exception as cause:
            if self.write.reason is not None or _is_lease_lost(cause):
                raise
            # The caller must hear of work whose result cannot be reported.
            message = f"the outcome was refused: {message_of(cause)}"
            self._problem("outcome_refused", message)
            refused = {"outcome": "error", "error": {"message": message, "retryable": False}}
            return refused, await self._report(self.claim, refused, self.write)

    async def kept(self, kind: ProblemKind, what: str, keeping: Coroutine[Any, Any, A]) -> A:
        """What the service keeps for the work. Reports what it did not, unless it keeps nothing more."""
        try:
            return await self.write.ends(keeping)
        except Exception as cause:
            if self.write.reason is None:
                self._problem(kind, f"{what} was not kept: {message_of(cause)}")
            raise

    async def part(self, call: Coroutine[Any, Any, A]) -> A:
        """A call that ends the lease."""
        self._is_parting = True
        try:
            return await call
        finally:
            self._is_parting = False

    def _problem(
        self,
        kind: ProblemKind,
        message: str,
        *,
        attempt: int | None = None,
        cause: BaseException | None = None,
    ) -> None:
        id, slug = self.claim["execution_id"], self.claim["task"]["slug"]
        self._problems.tell(Problem(kind, message, id, slug, attempt, cause))


async def _without_exit(work: Awaitable[A]) -> A:
    """`sys.exit` in a handler is its failure, and not the end of the runner."""
    try:
        return await work
    except SystemExit as cause:
        raise _catchable(cause) from cause


def _catchable(cause: BaseException) -> BaseException:
    """What a future can hold."""
    if isinstance(cause, Exception) and not isinstance(cause, StopIteration):
        return cause
    held = RuntimeError(f"the handler raised {type(cause).__name__}: {cause}")
    held.__cause__ = cause
    return held


def _is_lease_lost(cause: Exception) -> bool:
    return (
        isinstance(cause, ApiError)
        and isinstance(cause.details, dict)
        and cause.details.get("reason") == "lease_lost"
    )
