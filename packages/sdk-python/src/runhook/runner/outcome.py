"""The outcome of an attempt, from how its handler ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._call.values import cleaned
from .stopping import StoppedError, TaskCancelled, TaskError

_MESSAGE_LENGTH_MAX = 4_000
_REASON_LENGTH_MAX = 1_000
"""Longest error message that the service takes, in characters; reasons of a cancel are shorter."""

Outcome = dict[str, Any]


def outcome_of_result(result: Mapping[str, Any] | None) -> Outcome:
    if result is None:
        return {"outcome": "completed"}
    if not isinstance(result, Mapping):
        raise TypeError(f"a handler returns a dictionary or None, and not a {type(result).__name__}")
    return {"outcome": "completed", "result": dict(result)}


def outcome_of_failure(cause: BaseException) -> Outcome:
    message = message_of(cause)
    if isinstance(cause, TaskCancelled):
        return {"outcome": "cancelled", "error": {"message": message[:_REASON_LENGTH_MAX]}}
    return {"outcome": "error", "error": {"message": message, **_next_attempt(cause)}}


def _next_attempt(cause: BaseException) -> dict[str, Any]:
    # A stopping runner says nothing about the work: another attempt may succeed, at once.
    if isinstance(cause, StoppedError):
        return {"retryable": True, "delay_ms": 0}
    if not isinstance(cause, TaskError):
        return {"retryable": False}
    if not cause.retryable or cause.delay is None:
        return {"retryable": cause.retryable}
    return {"retryable": True, "delay_ms": round(cause.delay * 1_000)}


def message_of(raised: BaseException) -> str:
    """The message of anything that was raised, never its traceback."""
    try:
        message = str(raised)
    except Exception:
        message = ""
    # An error of Python may say only what it is about: KeyError('user').
    if message and type(raised).__module__ == "builtins" and not isinstance(raised, StoppedError):
        message = f"{type(raised).__name__}: {message}"
    return cleaned(message.strip(), _MESSAGE_LENGTH_MAX).strip() or f"{type(raised).__name__} without a message"
