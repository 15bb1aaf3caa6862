"""What a handler receives."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, BinaryIO, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar, overload

from .._call.values import cleaned
from .._generated.integration import InputMode, InputTimeout
from .._generated.integration import ArtifactKind
from .._generated.runner import BeatProgress, InputAnswer, TaskRef
from . import requests
from .problems import LOG
from .questions import NO_DEFAULT
from .uploads import SavedArtifact

if TYPE_CHECKING:
    from .attempt import Attempt
    from .questions import Questions
    from .uploads import Uploads

P = ParamSpec("P")
A = TypeVar("A")

ArtifactSource: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO | Iterable[bytes]
"""A path, the bytes, or something to read them from, which is spooled to a temporary file."""


class Sync:
    """A handler that is a plain function, in a thread."""


class Async:
    """A handler of asyncio."""


Mode = TypeVar("Mode")
"""Sync or Async."""


class _Held(Generic[Mode]):
    """Something of an attempt."""

    _mode: type[Mode]
    _attempt: Attempt

    def _finish(self, step: Coroutine[Any, Any, A]) -> Any:
        """Its result in the thread of a handler, something to await for one of asyncio."""
        if self._mode is Async:
            return step
        return asyncio.run_coroutine_threadsafe(step, self._attempt.loop).result()


class step(Generic[P, A]):
    """A coroutine that a handler awaits, or that its thread waits for."""

    def __init__(self, perform: Callable[Concatenate[Any, P], Coroutine[Any, Any, A]]) -> None:
        self._perform = perform
        self.__doc__ = perform.__doc__

    @overload
    def __get__(self, held: _Held[Sync], owner: object = None) -> Callable[P, A]: ...
    @overload
    def __get__(self, held: _Held[Async], owner: object = None) -> Callable[P, Coroutine[Any, Any, A]]: ...
    def __get__(self, held: _Held[Any], owner: object = None) -> Any:
        @wraps(self._perform)
        def method(*args: Any, **kwargs: Any) -> Any:
            held._attempt.check_process()
            return held._finish(self._perform(held, *args, **kwargs))

        return method


class Artifacts(_Held[Mode]):
    """Uploads files for the execution's caller. Each call returns when the service has verified the bytes; also after a
    cancel, for a while. `file_name` is the last part of a path, or the kind with an extension, unless given.
    """

    def __init__(self, attempt: Attempt, mode: type[Mode], uploads: Uploads) -> None:
        self._attempt = attempt
        self._mode = mode
        self._uploads = uploads

    @step
    async def download(
        self, source: ArtifactSource, *, file_name: str | None = None, content_type: str | None = None
    ) -> SavedArtifact:
        """A file of any kind."""
        return await self._save("download", source, file_name, content_type)

    @step
    async def print(
        self, source: ArtifactSource, *, file_name: str | None = None, content_type: str | None = None
    ) -> SavedArtifact:
        """A printed page, a PDF unless said otherwise."""
        return await self._save("print", source, file_name, content_type)

    @step
    async def screenshot(
        self, source: ArtifactSource, *, file_name: str | None = None, content_type: str | None = None
    ) -> SavedArtifact:
        """A picture, a PNG unless said otherwise."""
        return await self._save("screenshot", source, file_name, content_type)

    @step
    async def video(
        self,
        source: ArtifactSource,
        *,
        platform_id: str,
        handler: str,
        started_offset_ms: int,
        file_name: str | None = None,
        content_type: str | None = None,
    ) -> SavedArtifact:
        """A recording of the platform that is seen, with what drove it, begun so long after the start of the work."""
        about = {"platform_id": platform_id, "handler": handler, "started_offset_ms": started_offset_ms}
        return await self._save("video", source, file_name, content_type, **about)

    async def _save(
        self,
        kind: ArtifactKind,
        source: ArtifactSource,
        file_name: str | None,
        content_type: str | None,
        **about: Any,
    ) -> SavedArtifact:
        saving = self._uploads.save(kind, source, file_name=file_name, content_type=content_type, **about)
        return await self._attempt.kept("upload_failed", "a file", saving)


class ExecutionLog:
    """Lines for the execution's caller, sent once a second. Arguments go into a message as in `logging`.

    A message of more than 4,096 characters is shortened.

    The newest 1,000 lines of an execution are kept. Write nothing here that callers must not see.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt

    def debug(self, message: str, *args: object) -> None:
        self._attempt.say("debug", message % args if args else message)

    def info(self, message: str, *args: object) -> None:
        self._attempt.say("info", message % args if args else message)

    def warning(self, message: str, *args: object) -> None:
        self._attempt.say("warn", message % args if args else message)

    def error(self, message: str, *args: object) -> None:
        self._attempt.say("error", message % args if args else message)


class _Context(_Held[Mode]):
    """One attempt at an execution."""

    def __init__(self, attempt: Attempt, uploads: Uploads, questions: Questions) -> None:
        claim = attempt.claim
        self._attempt = attempt
        self._questions = questions
        self.execution_id: str = claim["execution_id"]
        self.task: TaskRef = claim["task"]
        self.agent_id: str = claim["agent_id"]
        self.params: dict[str, Any] = claim["params"]
        """Checked against the task's schema by the service, its defaults filled in."""
        self.metadata: dict[str, Any] = claim["metadata"]
        self.reference: str = claim["reference"]
        self.attempt: int = claim["attempt"]
        """From 1."""
        self.fencing_token: int = claim["fencing_token"]
        """Rises with every attempt. Pass it to systems that must refuse a writer presumed dead."""
        self.timeout_ms: int | None = claim["timeout_ms"]
        """The time limit of the attempt, after which the service ends it."""
        self.traceparent: str | None = claim.get("traceparent")
        """The place of the attempt in its caller's trace, as the header of W3C Trace Context, for calls of your own."""
        self.input_answer: InputAnswer | None = claim.get("input_answer")
        """The answer for which the execution released its runner."""
        self.last_checkpoint: Any = claim.get("checkpoint")
        """The latest checkpoint of the execution, of this attempt or an earlier one; None if there is none."""
        self.is_resumed = attempt.is_resumed
        """Whether an earlier process of this instance had already started it: only with `recover="resume"`."""
        self.artifacts: Artifacts[Mode] = Artifacts(attempt, self._mode, uploads)
        self.log = ExecutionLog(attempt)
        """The log of the execution, which its caller and people of the account can read."""
        self.logger = logging.LoggerAdapter(
            LOG, {"execution_id": self.execution_id, "task": self.task["slug"]}
        )
        """The runner's own log, the logger `runhook.runner`, whose records have the execution beside."""

    @property
    def stopped(self) -> Exception | None:
        """Why the work must stop: a `StoppedError`; None while it may go on."""
        return self._attempt.work.reason

    def raise_if_stopped(self) -> None:
        """For work that waits for nothing: raises the `StoppedError`, if there is one."""
        self._attempt.work.check()

    def progress(
        self, *, percent: float | None = None, message: str | None = None, step: str | None = None
    ) -> None:
        """Reports progress. Only the latest call is sent, with the next heartbeat."""
        # Within the service's bounds, since it is not worth failing for.
        progress: BeatProgress = {}
        if percent is not None and percent == percent:
            progress["percent"] = float(min(100, max(0, percent)))
        if message is not None:
            progress["message"] = cleaned(message, 1_000)
        if step is not None:
            progress["step"] = cleaned(step, 200)
        self._attempt.progress(progress)

    @step
    async def checkpoint(self, value: Any) -> None:
        """Keeps how far the work is, in a value of at most 64 KiB as JSON, in place of the one before.

        If another attempt follows, it begins with it as `last_checkpoint`.
        """
        attempt = self._attempt
        keeping = attempt.call(requests.keep_checkpoint(attempt.claim, value))
        await attempt.kept("checkpoint_failed", "a checkpoint", keeping)

    @step
    async def ask(
        self,
        key: str,
        prompt: str,
        schema: Mapping[str, Any],
        *,
        expires_in_s: int = 3_600,
        on_timeout: InputTimeout = "error",
        default: Any = NO_DEFAULT,
        mode: InputMode = "hold",
    ) -> Any:
        """Asks the execution's caller, and gives the answer, which fits the JSON Schema.

        `key` names the question: asking again under it in one attempt is the same question. Without an answer in time,
        `on_timeout` says what happens; `"default"` needs a `default`. With `mode="release"` the work ends here: the
        handler is called again once there is an answer, and the same question then gives it at once. Raises a
        `StoppedError` when there will be no answer.
        """
        return await self._questions.ask(
            key,
            prompt,
            schema,
            expires_in_s=expires_in_s,
            on_timeout=on_timeout,
            default=default,
            mode=mode,
        )

    @step
    async def sleep(self, seconds: float) -> None:
        """Waits. Raises the `StoppedError` as soon as the work must stop."""
        await self._attempt.work.ends(asyncio.sleep(seconds))


class Context(_Context[Sync]):
    """What a handler receives that is a function: it runs in a thread of its own, and its calls block.

    When it must stop, `stopped` says why, and whatever it waits for in its context raises a `StoppedError`.
    """

    _mode = Sync


class AsyncContext(_Context[Async]):
    """What a handler receives that is `async`: it runs as a task, which is cancelled when it must stop."""

    _mode = Async


Handler: TypeAlias = (
    Callable[[Context], Mapping[str, Any] | None]
    | Callable[[AsyncContext], Awaitable[Mapping[str, Any] | None]]
)
"""Does the work of a task. What it returns is the result; what it raises is the error."""
