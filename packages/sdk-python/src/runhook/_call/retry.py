"""Whether and when a failed attempt is retried."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import Message
from email.utils import parsedate_to_datetime

from .bounds import Bounds

LOOK_SECONDS = 2.0
"""Shortest time between two looks of a wait, for when the service answers at once."""

_FIRST_PAUSE = 0.5
_PAUSE_MAX = 8.0


def is_worth_retrying(status: int | None, is_repeatable: bool) -> bool:
    """Whether another attempt might succeed."""
    # A 429 means that nothing was done. Anything else may have taken effect unseen.
    return status == 429 or (is_repeatable and (status is None or status == 408 or status >= 500))


def retries_after(status: int | None) -> int:
    """Attempts that may follow the first, by default.

    An unavailable service may be restarting: ten retries take half a minute. A fault or limit of a service that
    answers rarely passes soon.
    """
    return 10 if status is None or status > 501 else 3


def pause_after(attempt: int, retry_after: float | None, random: Callable[[], float]) -> float:
    """The pause after the attempt of this number, from 1, in seconds.

    Anything up to a bound that doubles, so that clients that failed together do not return together. What the service
    asked for comes first.
    """
    return (retry_after or 0) + random() * min(_PAUSE_MAX, _FIRST_PAUSE * 2.0 ** min(attempt - 1, 10))


RETRY_AFTER = Bounds(0, 3_600, 0)
"""Longest wait that is believed, an hour; whoever was asked for a longer one looks again after it."""


def retry_after_of(headers: Message) -> float | None:
    """`Retry-After` in seconds: seconds, or a date, which is compared with the service's own clock."""
    text = str(headers.get("retry-after", "")).strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return RETRY_AFTER.of(float(text))
    try:
        at = parsedate_to_datetime(text).timestamp()
        wait = at - parsedate_to_datetime(str(headers.get("date", ""))).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return RETRY_AFTER.of(wait) if wait >= 0 else None
