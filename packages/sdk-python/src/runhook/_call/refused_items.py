"""Which items of a batch are sent again, and when: as a create of each would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._generated.integration import BatchItemAnswer
from .retry import RETRY_AFTER, is_worth_retrying, pause_after, retries_after

_PAUSE_SHARE = 0.75
"""Share of the time left that a pause may take. The rest is for the answer, since what is known already would be lost."""


def refused_items(
    data: Sequence[BatchItemAnswer], attempt: int, left: float, random: float, retries: float | None
) -> tuple[list[int], float]:
    """The places of the items to send again after the request of this number, from 1, and the pause before."""
    pauses = {}
    for place, answer in enumerate(data):
        if not is_worth_retrying(answer.status, True):
            continue
        if attempt > (retries_after(answer.status) if retries is None else retries):
            continue
        pause = pause_after(attempt, _retry_after_of(answer), lambda: random)
        if pause <= left * _PAUSE_SHARE:
            pauses[place] = pause
    return list(pauses), max(pauses.values(), default=0)


def _retry_after_of(answer: BatchItemAnswer) -> float:
    details = None if answer.error is None else answer.error.details
    return RETRY_AFTER.of(details.get("retry_after_seconds") if isinstance(details, dict) else None)


def answered_again(
    data: Sequence[BatchItemAnswer], places: Sequence[int], again: Sequence[BatchItemAnswer]
) -> list[BatchItemAnswer]:
    """The answers, with those to the items that were sent again in their places."""
    later = dict(zip(places, again, strict=False))
    return [replace(later.get(place, answer), index=place) for place, answer in enumerate(data)]
