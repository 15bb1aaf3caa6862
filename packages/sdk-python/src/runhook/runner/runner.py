"""A runner: serves the executions of agents."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, TypeVar

from .._call.clock import AsyncioClock, BlockingClock
from .._call.send import Sender
from .._call.settings import UNLIMITED, address_of
from .._http.connect import connect_asyncio, connect_socket, only_here
from .._http.origins import Proxies
from .._http.pool import Pool
from .._typing import Self
from .context import Handler
from .heartbeats import ATTEMPT_SECONDS, Heartbeats
from .loop import RunnerLoop
from .outcome import message_of
from .problems import Problem, Problems
from .settings import Settings

H = TypeVar("H", bound=Handler)


class Runner:
    """Serves the tasks that it has handlers for.

        # RUNHOOK_BASE_URL and RUNHOOK_RUNNER_KEY, unless base_url and api_key are given.
        runner = Runner(capacity=4)

        @runner.task("greet")
        def greet(context: Context) -> dict[str, object]:
            return {"text": f"Hello {context.params['name']}"}

        runner.run()

    - `capacity`: how many executions run at once.
    - `name`, `version` and `labels` are shown to operators; `name` is the host's unless given.
    - `agent_ids`: the agents to serve; all that the key may serve unless given.
    - `instance_id`: the name of this process, unique at any time. A process that restarts under its name takes up the
      work it still holds; a random one of each start unless given, and then that work ends with its leases.
    - `recover`: what happens to work that an earlier process of this instance had started. `fail` reports an error that
      may be retried, `resume` calls the handler again, with `is_resumed`, under the same attempt.
    - `drain_grace`: how many seconds `stop` lets handlers finish before they must stop.
    - `on_problem` receives problems that need attention. They are in the log `runhook.runner` too.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        capacity: int = 1,
        name: str | None = None,
        version: str | None = None,
        labels: Mapping[str, str] | None = None,
        agent_ids: Sequence[str] | None = None,
        instance_id: str | None = None,
        recover: Literal["fail", "resume"] = "fail",
        drain_grace: float = 25,
        ssl_context: ssl.SSLContext | None = None,
        proxy: str | None = None,
        on_problem: Callable[[Problem], object] | None = None,
    ) -> None:
        if capacity < 1:
            raise ValueError("capacity must be a whole number above 0")
        if not drain_grace >= 0:
            raise ValueError("drain_grace must be a number that is not negative")
        self._address = address_of(
            "runner", base_url=base_url, api_key=api_key, key_variable="RUNHOOK_RUNNER_KEY"
        )
        self._ssl_context = ssl_context
        self._proxies = Proxies(proxy)
        self._drain_grace = drain_grace
        self._problems = Problems(on_problem)
        self._handlers: dict[str, Handler] = {}
        self._settings = Settings(
            handlers=self._handlers,
            capacity=capacity,
            name=name or socket.gethostname(),
            version=version,
            labels=None if labels is None else dict(labels),
            agent_ids=None if agent_ids is None else list(agent_ids),
            instance_id=instance_id,
            recover=recover,
        )
        self._event_loop: asyncio.AbstractEventLoop | None = None
        self._loop: RunnerLoop | None = None
        self._serving: asyncio.Task[None] | None = None

    def task(self, slug: str) -> Callable[[H], H]:
        """Makes a function the handler of a task.

        One that is `async` runs as a task of asyncio, with an `AsyncContext`; any other runs in a thread, with a
        `Context`. What it returns is the result, an object or None.
        """

        def add(handler: H) -> H:
            if slug in self._handlers:
                raise ValueError(f"there is a handler for {slug} already")
            self._handlers[slug] = handler
            return handler

        return add

    def run(self) -> None:
        """Serves until SIGTERM or SIGINT, or until the service wants it to end.

        The first signal lets handlers finish, the second stops them. Raises when the service refuses this runner.
        """
        asyncio.run(self.run_async())

    async def run_async(self) -> None:
        """The same in an event loop that runs already."""
        signals = _Signals(self)
        try:
            await self.start()
            if self._serving is not None:
                await asyncio.shield(self._serving)
        finally:
            signals.forget()

    async def start(self) -> None:
        """Returns when the session is open. While the service is away, it goes on trying."""
        if self._loop is not None:
            raise RuntimeError("a runner is started once")
        self._event_loop = asyncio.get_running_loop()
        limits = replace(UNLIMITED, attempt_timeout=ATTEMPT_SECONDS)
        pool, beating_pool = (
            Pool(only_here(connect), self._ssl_context, self._proxies)
            for connect in (connect_asyncio, connect_socket)
        )
        sender = Sender(self._address, limits, pool, AsyncioClock(), self._problems.watch)
        beating = replace(sender, pool=beating_pool, clock=BlockingClock(), observe=None)
        heartbeats = Heartbeats(beating, self._tell)
        # Not before: runners of several processes may be copies of one that was made before a fork.
        settings = replace(self._settings, instance_id=self._settings.instance_id or str(uuid.uuid4()))
        self._loop = loop = RunnerLoop(settings, sender, heartbeats, self._problems)
        heartbeats.start()
        try:
            await loop.open()
        except BaseException:
            heartbeats.stop()
            raise

        async def serve() -> None:
            try:
                await loop.serve()
            except Exception as cause:
                self._problems.tell(Problem("refused", message_of(cause)))
                raise
            finally:
                heartbeats.stop()
                sender.pool.close()

        self._serving = asyncio.create_task(serve())

    def drain(self) -> None:
        """Takes no more work; running work goes on. Safe to call from any thread."""
        self._in_loop(lambda loop: loop.drain())

    async def stop(self, *, grace: float | None = None) -> None:
        """Drains, waits for what is in flight, and closes the session. After the grace handlers must stop."""
        if self._loop is None:
            return
        self._loop.drain()
        seconds = self._drain_grace if grace is None else grace
        timer = asyncio.get_running_loop().call_later(min(seconds, 1e6), self._loop.interrupt)
        try:
            if self._serving is not None:
                await asyncio.shield(self._serving)
        finally:
            timer.cancel()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _tell(self, news: Any) -> None:
        """What the heartbeats were answered, in their thread."""
        self._in_loop(lambda loop: loop.obey(news))

    def _in_loop(self, act: Callable[[RunnerLoop], None]) -> None:
        if self._event_loop is not None and self._loop is not None:
            # The loop may have ended.
            with suppress(RuntimeError):
                self._event_loop.call_soon_threadsafe(act, self._loop)


class _Signals:
    """The first SIGTERM or SIGINT stops a runner, the second does so without grace."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._loop = asyncio.get_running_loop()
        self._process = os.getpid()
        self._heard = 0
        self._stopping: list[asyncio.Task[None]] = []
        self._before: dict[signal.Signals, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for each in (signal.SIGTERM, signal.SIGINT):
                self._before[each] = signal.signal(each, self._hear)

    def _hear(self, number: int, *_: object) -> None:
        # A process that work has forked ends as it would without a runner.
        if os.getpid() != self._process:
            self.forget()
            os.kill(os.getpid(), number)
            return
        self._loop.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        grace = None if self._heard == 0 else 0.0
        self._heard += 1
        stopping = asyncio.ensure_future(self._runner.stop(grace=grace))
        # What goes wrong while it stops, `run` itself raises.
        stopping.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        self._stopping.append(stopping)

    def forget(self) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)
