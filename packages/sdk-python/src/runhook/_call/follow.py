"""Reads a log as it grows."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from .._generated.rules import FINISHED_STATUSES
from .request import Request
from .retry import LOOK_SECONDS
from .send import Sender

Item = TypeVar("Item")


@dataclass(frozen=True)
class Follow(Generic[Item]):
    """A log that is read as it grows."""

    look: Callable[[int], Request[Any]]
    """What comes after a number, in its `data`; waits for it if there is nothing yet."""
    after: int
    is_last: Callable[[Item], bool]
    owner: Request[Any] | None = None
    """Whose log it is, where the items do not say that they are the last: once that is finished, nothing is added."""

    async def items(self, sender: Sender) -> AsyncIterator[Item]:
        """Goes on over lost connections and a restart of the service."""
        limits = sender.limits.with_changes(timeout=math.inf)
        if limits.retries is None:
            limits = limits.with_changes(retries=math.inf)
        patient = replace(sender, limits=limits)
        # From the item that the caller has, which may be the last.
        position = max(0, self.after - 1)
        is_final = False
        while True:
            looked_at = sender.clock.now()
            data = (await patient.send(self.look(position))).data
            for item in data:
                if item.sequence > self.after:
                    yield item
            if self.is_last(data[-1]) if data else is_final:
                return
            if data:
                position = data[-1].sequence
                continue
            is_final = self.owner is not None and (await patient.send(self.owner)).status in FINISHED_STATUSES
            if not is_final:
                await sender.clock.sleep(max(0, looked_at + LOOK_SECONDS - sender.clock.now()))
