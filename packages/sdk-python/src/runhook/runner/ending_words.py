"""What the log of a runner says about the end of an attempt."""

from __future__ import annotations

import math
from typing import Any

from .intervals import retry_ms
from .outcome import Outcome, message_of
from .stopping import StoppedError

_MILLISECONDS_MAX = 9_999
"""Longer waits are in seconds."""


def again_in(ending: Any) -> str:
    """When another attempt follows, to be added to how this one ended; empty where none does."""
    wait = (ending or {}).get("retry_in_ms")
    if not isinstance(wait, (int, float)):
        return ""
    milliseconds = _whole(retry_ms(wait))
    if milliseconds == 0:
        return ", again at once"
    if milliseconds > _MILLISECONDS_MAX:
        return f", again in {_whole(milliseconds / 1_000):,} s"
    return f", again in {milliseconds:,} ms"


def _whole(number: float) -> int:
    """As JavaScript rounds, so that both SDKs say the same."""
    return math.floor(number + 0.5)


def end_of(outcome: Outcome, ending: Any) -> str:
    """How work ended whose outcome the service has taken."""
    if outcome["outcome"] == "completed":
        return "completed"
    message = str(outcome["error"]["message"])
    if outcome["outcome"] == "cancelled":
        return f"cancelled: {message}"
    again = again_in(ending)
    return message + again if again else "error"


def stop_of(cause: BaseException) -> str:
    """How work ended that was stopped, or could not be reported."""
    if isinstance(cause, StoppedError) and cause.kind == "cancelled":
        return f"cancelled: {message_of(cause)}"
    return message_of(cause)
