"""Keeps the leases of a process alive from a thread of its own, and knows which have expired.

Handlers that compute, block or stop the event loop do not stop it: Python lets every thread run for a while.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .._call.modes import run
from .._call.retry import pause_after
from .._call.send import Sender
from .._generated.runner import BeatProgress, LeaseRef
from ..errors import RunhookError
from . import requests
from .intervals import lease_seconds

ATTEMPT_SECONDS = 15.0
"""Longest wait for the answer of one attempt, beyond the wait that is asked for."""

_PROGRESS_PAUSE = 1.0
"""Shortest time between beats that only report progress."""


@dataclass
class _Held:
    lease: LeaseRef
    ends_at: float
    """When the service stops accepting writes under it, by this machine's clock."""
    progress: BeatProgress | None = None
    """Progress that the service has not received."""


class Heartbeats:
    """`tell` receives the service's answers, and leases that expired while it could not be reached."""

    def __init__(self, sender: Sender, tell: Callable[[dict[str, Any]], None]) -> None:
        self._sender = sender
        self._tell = tell
        self._changed = threading.Condition()
        self._held: dict[tuple[str, int], _Held] = {}
        self._session_id = ""
        self._pause = 0.0
        self._beat_at = 0.0
        self._retry_at: float | None = None
        self._failures = 0
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name="runhook-heartbeats", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._changed.notify()

    def session(self, id: str, heartbeat_ms: float) -> None:
        with self._changed:
            self._session_id = id
            self._pause = heartbeat_ms / 1_000
            self._changed.notify()

    def hold(self, lease: LeaseRef, lease_ms: int) -> None:
        with self._changed:
            now = time.monotonic()
            # A claim has just told the service as much as a heartbeat would.
            if not self._held:
                self._beat_at = now
            self._held[_key_of(lease)] = _Held(lease, now + lease_seconds(lease_ms))
            self._changed.notify()

    def progress(self, lease: LeaseRef, progress: BeatProgress) -> None:
        with self._changed:
            held = self._held.get(_key_of(lease))
            if held is not None:
                held.progress = progress
                self._changed.notify()

    def drop(self, lease: LeaseRef) -> None:
        with self._changed:
            self._held.pop(_key_of(lease), None)
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while not self._is_stopped:
                wait = self._seconds_to_beat()
                if wait is None or wait > 0:
                    self._changed.wait(wait)
                else:
                    self._beat()

    def _seconds_to_beat(self) -> float | None:
        """None while there is nothing to keep alive."""
        if not self._held or not self._session_id:
            return None
        if self._retry_at is not None:
            return self._retry_at - time.monotonic()
        has_news = any(held.progress is not None for held in self._held.values())
        pause = min(_PROGRESS_PAUSE, self._pause) if has_news else self._pause
        return self._beat_at + pause - time.monotonic()

    def _beat(self) -> None:
        telling = list(self._held.values())
        beats: list[dict[str, Any]] = [
            {**held.lease} if held.progress is None else {**held.lease, "progress": held.progress}
            for held in telling
        ]
        # Sent once, even if the call fails: a lease must not depend on progress texts.
        for held in telling:
            held.progress = None
        beat_at = self._beat_at = time.monotonic()
        # No answer is awaited past the end of a lease. One that seems to be over already is the service's to judge.
        left = self._seconds_left()
        limit = left if left > 0 else self._pause
        # Others may give orders meanwhile.
        self._changed.release()
        try:
            answer = self._answer(beats, limit)
        finally:
            self._changed.acquire()
        if isinstance(answer, RunhookError):
            self._failures += 1
            pause = pause_after(self._failures, answer.retry_after, self._sender.clock.random)
            lost = self._expired()
            self._retry_at = time.monotonic() + min(pause, max(0.0, self._seconds_left()))
            if lost:
                self._tell({"commands": [], "lost": lost})
            return
        self._failures = 0
        self._retry_at = None
        for held in telling:
            for renewed in answer["leases"]:
                if renewed["execution_id"] == held.lease["execution_id"]:
                    # Counted from the request, since the time of the answer's way is unknown.
                    held.ends_at = beat_at + lease_seconds(renewed["lease_ms"])
        self._tell(answer)

    def _answer(self, beats: list[dict[str, Any]], limit: float) -> Any:
        """One attempt for each beat: the heartbeats decide when to try again."""
        limits = replace(self._sender.limits, retries=0, attempt_timeout=min(limit, ATTEMPT_SECONDS))
        try:
            return run(
                replace(self._sender, limits=limits).send(requests.heartbeat(self._session_id, beats))
            )
        except RunhookError as error:
            return error

    def _seconds_left(self) -> float:
        """Until the first lease ends."""
        return min((held.ends_at for held in self._held.values()), default=float("inf")) - time.monotonic()

    def _expired(self) -> list[LeaseRef]:
        """Drops the leases that were not extended in time."""
        now = time.monotonic()
        over = [held.lease for held in self._held.values() if held.ends_at <= now]
        for lease in over:
            del self._held[_key_of(lease)]
        return over


def _key_of(lease: LeaseRef) -> tuple[str, int]:
    return lease["execution_id"], lease["epoch"]
