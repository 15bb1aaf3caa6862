"""A complete receiver of callbacks: verifies, handles each event once, and answers as the service expects.

As in the clients, what decides is written once, as a coroutine that a server of WSGI runs to its end at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, BinaryIO, Literal, Protocol, TypeAlias, TypeVar

from .._call.modes import run
from .verify import Secrets, WebhookEvent, WebhookRejectedError, verify_webhook

A = TypeVar("A")
Maybe: TypeAlias = A | Awaitable[A]

_BODY_BYTES_MAX = 2**21
"""Longest body that is read. Events are far smaller."""

_CHUNK_BYTES = 65_536


class Dedupe(Protocol):
    """Remembers which events were handled, best in the receiver's own database.

    For `webhook_asgi` its methods may be coroutines.
    """

    def begin(self, event_id: str) -> Maybe[Literal["new", "busy", "done"]]:
        """`new` marks the event as being handled; `busy` when it is already, `done` when it was."""
        ...

    def done(self, event_id: str) -> Maybe[None]:
        """The event was handled."""
        ...

    def forget(self, event_id: str) -> Maybe[None]:
        """The event was not handled, and is new again.

        Also let marks of `begin` expire, in case the process dies.
        """
        ...


class _FramingError(Exception):
    """Where the body ends cannot be told from what the server passes on."""

    def __init__(self, status: Literal[400, 411], message: str) -> None:
        super().__init__(message)
        self.status: int = status


@dataclass(frozen=True, repr=False)
class _Receiver:
    secrets: Secrets
    on_event: Callable[[WebhookEvent], Maybe[object]]
    dedupe: Dedupe | None
    on_error: Callable[[Exception], object] | None

    async def answer(
        self, method: str, headers: Mapping[str, str], chunks: AsyncIterator[bytes]
    ) -> tuple[int, str]:
        """The status of the answer, and its text."""
        try:
            return await self._status(method, headers, chunks), ""
        except Exception as error:
            if self.on_error is not None:
                self.on_error(error)
            # The failed delivery then shows what the receiver has to change.
            if isinstance(error, _FramingError):
                return error.status, str(error)
            if not isinstance(error, WebhookRejectedError):
                return 500, ""
            return (500, str(error)) if error.reason == "body_already_read" else (401, "")

    async def _status(self, method: str, headers: Mapping[str, str], chunks: AsyncIterator[bytes]) -> int:
        if method != "POST":
            return 405
        body = bytearray()
        async for chunk in chunks:
            body += chunk
            if len(body) > _BODY_BYTES_MAX:
                return 413
        had_body = headers.get("content-length", "0") not in ("", "0") or "transfer-encoding" in headers
        if not body and had_body:
            raise WebhookRejectedError("body_already_read")
        return await self._handle_once(verify_webhook(bytes(body), headers, self.secrets))

    async def _handle_once(self, event: WebhookEvent) -> int:
        if self.dedupe is None:
            await _done(self.on_event(event))
            return 200
        state = await _done(self.dedupe.begin(event.event_id))
        # After a 200 it would not be sent again, even if the first handling failed.
        if state == "busy":
            return 503
        if state == "done":
            return 200
        try:
            await _done(self.on_event(event))
        except BaseException:
            await _done(self.dedupe.forget(event.event_id))
            raise
        await _done(self.dedupe.done(event.event_id))
        return 200


async def _done(value: Maybe[A]) -> A:
    if isinstance(value, Awaitable):
        return await value
    return value


def webhook_wsgi(
    secrets: Secrets,
    on_event: Callable[[WebhookEvent], object],
    *,
    dedupe: Dedupe | None = None,
    on_error: Callable[[Exception], object] | None = None,
) -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """A receiver as an application of WSGI, for Flask, Django, gunicorn and the like.

    Be quick: the service waits 12 seconds. What `on_event` raises is answered 500, and the service sends the event
    again. Without a `dedupe` a repeated delivery is handled again. `on_error` gets the reason why a callback was
    refused or not handled. A body without a `content-length` is read where the server sets `wsgi.input_terminated`, as
    gunicorn does, and otherwise answered 411.
    """
    receiver = _Receiver(secrets, on_event, dedupe, on_error)

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        headers = {
            name.removeprefix("HTTP_").replace("_", "-").lower(): str(value)
            for name, value in environ.items()
            if name.startswith("HTTP_") or name == "CONTENT_LENGTH"
        }
        status, text = run(receiver.answer(environ["REQUEST_METHOD"], headers, _wsgi_chunks(environ)))
        length = ("content-length", str(len(text)))
        start_response(f"{status} {HTTPStatus(status).phrase}", [("content-type", "text/plain"), length])
        return [text.encode()]

    return application


async def _wsgi_chunks(environ: Mapping[str, Any]) -> AsyncIterator[bytes]:
    source: BinaryIO = environ["wsgi.input"]
    left = _wsgi_length(environ)
    has_begun = False
    while left > 0 and (chunk := source.read(int(min(left, _CHUNK_BYTES)))):
        has_begun = True
        left -= len(chunk)
        yield chunk
    # A body of which nothing is left was read by something else.
    if has_begun and 0 < left < math.inf:
        raise ConnectionError("the service hung up")


def _wsgi_length(environ: Mapping[str, Any]) -> float:
    """Bytes of the body at most. Infinite where the server itself ends it, as those do that read chunks."""
    text = str(environ.get("CONTENT_LENGTH", "")).strip()
    is_ended = bool(environ.get("wsgi.input_terminated"))
    # Beside an encoding, a length says nothing.
    if is_ended and ("HTTP_TRANSFER_ENCODING" in environ or text == ""):
        return math.inf
    if text == "":
        raise _FramingError(
            411, "a request needs a content-length here: this server does not set wsgi.input_terminated"
        )
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise _FramingError(400, "content-length must be a whole number")
    return int(text)


def webhook_asgi(
    secrets: Secrets,
    on_event: Callable[[WebhookEvent], Maybe[object]],
    *,
    dedupe: Dedupe | None = None,
    on_error: Callable[[Exception], object] | None = None,
) -> Callable[[Any, Any, Any], Awaitable[None]]:
    """A receiver as an application of ASGI, for Starlette, FastAPI, uvicorn and the like.

    Takes what `webhook_wsgi` takes; `on_event` may be a coroutine.
    """
    receiver = _Receiver(secrets, on_event, dedupe, on_error)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"a receiver of webhooks does not serve {scope['type']}")
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        status, text = await receiver.answer(scope["method"], headers, _asgi_chunks(receive))
        length = (b"content-length", str(len(text)).encode())
        answer = {"status": status, "headers": [(b"content-type", b"text/plain"), length]}
        await send({"type": "http.response.start", **answer})
        await send({"type": "http.response.body", "body": text.encode()})

    return application


async def _asgi_chunks(receive: Any) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError("the service hung up")
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return
