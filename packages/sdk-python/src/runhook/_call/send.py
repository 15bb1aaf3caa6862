"""Makes calls: their attempts, the pauses between them, and the time limits.

Everything is a coroutine. With parts that never suspend, `modes.run` runs one to its end at once.
"""

from __future__ import annotations

import builtins
import logging
import math
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPException
from typing import Any, TypeVar, cast
from urllib.parse import urljoin

from .._http.connect import TunnelRefusedError
from .._http.exchange import Response
from .._http.pool import Pool
from .._json import json_object
from ..errors import ConnectionError, RunhookError, TimeoutError, UnexpectedAnswerError, api_error
from .clock import Clock
from .request import NOTHING, Batch, MakeAndWait, Request, Wait
from .refused_items import answered_again, refused_items
from .retry import LOOK_SECONDS, is_worth_retrying, pause_after, retries_after, retry_after_of
from .settings import USER_AGENT, Address, Limits
from .values import json_text

A = TypeVar("A")
B = TypeVar("B")
Attempt = Callable[[Request[A], int, float], Coroutine[Any, Any, B]]
"""Makes an attempt, by the number of it and its time limit."""

_LOG = logging.getLogger("runhook")


@dataclass(frozen=True)
class Sender:
    """What calls are made with."""

    address: Address
    limits: Limits
    pool: Pool
    clock: Clock
    observe: Callable[[Request[Any], RunhookError | None, bool], None] | None = None
    """Told of each attempt of a call, with its error, and whether another follows."""

    async def perform(self, described: Request[A] | Wait[A] | MakeAndWait[A] | Batch[A]) -> A:
        if isinstance(described, Batch):
            return cast(A, await self.batch(described))
        if isinstance(described, Wait):
            return await self.wait(described)
        if isinstance(described, MakeAndWait):
            return await self.wait(described.wait_for(await self.send(described.make)))
        return await self.send(described)

    async def send(self, request: Request[A]) -> A:
        """Retries until an attempt succeeds or retrying cannot help."""
        return await self._retried(request, self._answer)

    async def open(self, request: Request[Any]) -> Response:
        """The answer to a request for a file, whose body the caller reads."""
        return await self._retried(request, self._opened)

    async def batch(self, batch: Batch[Any]) -> Any:
        """Sends the items, and those again that were refused for now, until all are in or the call ends."""
        clock, limits = self.clock, self.limits
        ends_at = clock.now() + limits.timeout
        answered = await self.send(batch.request_of(batch.items))
        attempt = 0
        while True:
            attempt += 1
            places, pause = refused_items(
                answered.data, attempt, ends_at - clock.now(), clock.random(), limits.retries
            )
            if not places:
                return answered
            await clock.sleep(pause)
            timed = replace(self, limits=limits.with_changes(timeout=max(0, ends_at - clock.now())))
            try:
                again = await timed.send(batch.request_of([batch.items[place] for place in places]))
            except RunhookError as error:
                # Nothing was done, so the items are as they were.
                if error.status == 429:
                    return answered
                raise
            answered = replace(again, data=answered_again(answered.data, places, again.data))

    async def wait(self, wait: Wait[A]) -> A:
        """Looks until the result is final, at most every two seconds."""
        ends_at = self.clock.now() + (math.inf if wait.timeout is None else wait.timeout)
        attempts = 0
        failures = 0
        while True:
            looked_at = self.clock.now()
            attempts += 1
            try:
                limit = min(self._limit_of(wait.look), ends_at - looked_at)
                seen = await self._answer(wait.look, attempts, limit)
                if wait.is_over(seen):
                    return seen
                failures = 0
                pause = max(0, looked_at + LOOK_SECONDS - self.clock.now())
            except RunhookError as error:
                if not is_worth_retrying(error.status, True):
                    raise
                failures += 1
                pause = pause_after(failures, error.retry_after, self.clock.random)
            left = ends_at - self.clock.now()
            await self.clock.sleep(max(0, min(pause, left)))
            if left <= pause:
                raise TimeoutError(
                    f"{wait.name} is not over after {wait.timeout:g} s",
                    attempts=attempts,
                    execution_id=wait.look.execution_id,
                )

    def _limit_of(self, request: Request[Any]) -> float:
        return self.limits.attempt_timeout + request.wait

    async def _retried(self, request: Request[A], attempt: Attempt[A, B]) -> B:
        ends_at = self.clock.now() + self.limits.timeout
        attempts = 0
        while True:
            attempts += 1
            try:
                limit = min(self._limit_of(request), ends_at - self.clock.now())
                answer = await attempt(request, attempts, limit)
                self._observed(request, None, False)
                return answer
            except RunhookError as error:
                retries = self.limits.retries
                pause = pause_after(attempts, error.retry_after, self.clock.random)
                is_over = (
                    attempts > (retries_after(error.status) if retries is None else retries)
                    or not is_worth_retrying(error.status, request.is_repeatable)
                    or self.clock.now() + pause >= ends_at
                )
                self._observed(request, error, not is_over)
                if is_over:
                    raise
                await self.clock.sleep(pause)

    def _observed(self, request: Request[Any], error: RunhookError | None, is_retried: bool) -> None:
        if self.observe is not None:
            self.observe(request, error, is_retried)

    async def _answer(self, request: Request[A], attempt: int, limit: float) -> A:
        """The body of a success, which is a JSON object unless the request says that there is none."""
        with self._naming(request, attempt, limit):
            response = await self._sent(request, limit)
            text = (await response.read()).decode(errors="replace")
            if response.status == 204 and request.may_be_empty:
                return cast(A, None)
            value = json_object(text)
            if not response.is_success or (value is None and request.read is not None):
                raise self._error_of(response, text, request, attempt)
            return cast(A, None) if request.read is None else request.read(value)

    async def _opened(self, request: Request[Any], attempt: int, limit: float) -> Response:
        """Follows the redirect to the storage, without the key."""
        with self._naming(request, attempt, limit):
            response = await self._sent(request, limit)
            location = response.headers.get("location")
            if response.status == 302 and location is not None:
                await response.read()
                response = await self.pool.request(
                    "GET",
                    urljoin(request.url(self.address.api_root), location),
                    headers={"user-agent": USER_AGENT},
                    deadline=time.monotonic() + limit,
                )
            if not response.is_success:
                text = (await response.read()).decode(errors="replace")
                raise self._error_of(response, text, request, attempt)
            response.take_time()
            return response

    async def _sent(self, request: Request[Any], limit: float) -> Response:
        headers = {"user-agent": USER_AGENT}
        headers.update(
            {name.lower(): value for name, value in {**self.limits.headers, **request.headers}.items()}
        )
        body = b""
        if request.body is not NOTHING:
            body = json_text(request.body).encode()
            headers["content-type"] = "application/json"
        if request.idempotency_key is not None:
            headers["idempotency-key"] = str(request.idempotency_key)
        if request.method != "GET":
            headers["content-length"] = str(len(body))
        headers["authorization"] = f"Bearer {self.address.api_key}"
        return await self.pool.request(
            request.method,
            request.url(self.address.api_root),
            headers=headers,
            body=body,
            deadline=time.monotonic() + limit,
        )

    @contextmanager
    def _naming(self, request: Request[Any], attempt: int, limit: float) -> Iterator[None]:
        """Names what goes wrong below HTTP, and logs how the attempt went."""
        log = partial(_log, request, attempt, time.monotonic())
        try:
            yield
        except RunhookError as error:
            log(error.message, error.status, error.request_id)
            raise
        except (OSError, HTTPException) as cause:
            is_late = isinstance(cause, builtins.TimeoutError)
            words = self.address.without_key(
                f"No answer within {limit:g} s"
                if is_late
                else f"Could not reach {self.address.origin}: {cause}"
            )
            # What refuses the way, such as for a wrong password, need not be asked again.
            status = cause.status if isinstance(cause, TunnelRefusedError) else None
            log(words, status, None)
            # The object of the failure stays behind, since it may hold the request.
            raise (TimeoutError if is_late else ConnectionError)(
                _named(request.execution_id, words),
                status=status,
                attempts=attempt,
                execution_id=request.execution_id,
            ) from None
        log("answered", None, None)

    def _error_of(self, response: Response, raw: str, request: Request[Any], attempt: int) -> RunhookError:
        # Some proxies quote the request in their pages.
        text = self.address.without_key(raw)
        about: dict[str, Any] = {
            "status": response.status,
            "request_id": response.headers.get("x-request-id"),
            "attempts": attempt,
            "retry_after": retry_after_of(response.headers),
            "execution_id": request.execution_id,
        }
        error = (json_object(text) or {}).get("error")
        if not response.is_success and isinstance(error, dict) and isinstance(error.get("code"), str):
            about["request_id"] = error.get("request_id", about["request_id"])
            words = _named(request.execution_id, str(error.get("message", error["code"])))
            return api_error(words, code=error["code"], details=error.get("details"), **about)
        kind = response.headers.get("content-type", "no content type")
        words = f"Something else than the service answered: {response.status} with {kind}. Is base_url right?"
        return UnexpectedAnswerError(_named(request.execution_id, words), body=text[:1_000], **about)


def _named(execution_id: str | None, words: str) -> str:
    """The message of a failure, and the execution that it concerns."""
    return words if execution_id is None else f"Execution {execution_id}: {words}"


def _log(
    request: Request[Any],
    attempt: int,
    started_at: float,
    words: str,
    status: int | None,
    request_id: str | None,
) -> None:
    """Never a header, a body or a query, which may contain secrets."""
    about = {
        "method": request.method,
        "path": request.path,
        "attempt": attempt,
        "status": status,
        "request_id": request_id,
        "seconds": time.monotonic() - started_at,
    }
    _LOG.debug("%s %s, attempt %d: %s", request.method, request.path, attempt, words, extra=about)
